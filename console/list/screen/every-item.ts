import type { AnyList, ItemOf } from "@packhouse/contract/list-contract";
import { api } from "../../api/client.ts";

/** Everything that matches a filter, page by page. */
export async function everyItem<L extends AnyList>(list: L, filter: URLSearchParams): Promise<ItemOf<L>[]> {
  const found: ItemOf<L>[] = [];
  for (let page = 0; ; page += 1) {
    const query = new URLSearchParams(filter);
    query.set("page", String(page));
    const answer = await api.list(list, query);
    found.push(...answer.content);
    if (page + 1 >= answer.page.totalPages) return found;
  }
}
