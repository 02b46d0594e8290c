import type { AnyList, ItemOf } from "@packhouse/contract/list-contract";
import { api } from "../../api/client.ts";

/** Everything that matches a filter, page by page; `firstPage` is the query of the first page. */
export async function everyItem<L extends AnyList>(list: L, firstPage: string): Promise<ItemOf<L>[]> {
  const found: ItemOf<L>[] = [];
  for (let page = 0; ; page += 1) {
    const answer = await api.list(list, firstPage.replace("page=0", `page=${page}`));
    found.push(...answer.content);
    if (page + 1 >= answer.page.totalPages) return found;
  }
}
