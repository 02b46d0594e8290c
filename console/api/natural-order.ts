import { type AnyList, naturalSuffix } from "@packhouse/contract/list-contract";
import { tabStorage } from "../storage/browser-storage.ts";
import { serverAddress } from "./configuration.ts";
import { ApiFailure } from "./failure.ts";

/** Servers without natural orders; remembered for the session. */
const key = "packhouse.no-natural-order";

/** The same query with names in natural order; undefined if that changes nothing. */
function inNaturalOrder({ names = [] }: AnyList, query: string): string | undefined {
  const parameters = new URLSearchParams(query);
  const sorts = parameters.getAll("sort");
  parameters.delete("sort");
  for (const sort of sorts) {
    const [field = "", ...rest] = sort.split(",");
    parameters.append("sort", [names.includes(field) ? field + naturalSuffix : field, ...rest].join(","));
  }
  return names.some((name: string) => sorts.some((sort) => sort.split(",")[0] === name))
    ? parameters.toString()
    : undefined;
}

/** Other servers support fewer orders: they name the field that they cannot sort by, or crash. */
export const refusesOrder = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.messageCode === "unrecognized.query.parameter" || error.status === 500);

/** Reads a list with its names in natural order; from servers without it, by code point. */
export async function naturally<Page>(
  list: AnyList,
  query: string,
  read: (query: string) => Promise<Page>,
): Promise<Page> {
  const natural = tabStorage.read(key) === serverAddress() ? undefined : inNaturalOrder(list, query);
  if (natural === undefined) return read(query);
  try {
    return await read(natural);
  } catch (error) {
    if (!refusesOrder(error)) throw error;
    const page = await read(query);
    tabStorage.write(key, serverAddress());
    return page;
  }
}
