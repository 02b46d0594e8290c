import type { AnyList, SortOf } from "@packhouse/contract/list-contract";

export type SortText<L extends AnyList> = `${SortOf<L>},${"asc" | "desc"}`;

/** The state of a list screen in its address, every part as text. */
export type ListSearch<L extends AnyList = AnyList> = {
  [Name in (keyof L["filters"] & string) | "page" | "size" | "open"]?: string;
} & { sort?: SortText<L> };

export interface Sort {
  field: string;
  direction: "asc" | "desc";
}

export interface ListAddress {
  /** Filter values by wire name: comma-separated lists, flags as `true` or `false`, `any` where a default is lifted. */
  filters: Record<string, string>;
  sort: Sort;
  /** From 1. */
  page: number;
  size: number | undefined;
  /** Ids of the open rows, separated by commas. */
  open: string | undefined;
}

export interface ListDefaults {
  filters: Record<string, string>;
  sort: Sort;
}

/** The valid parameters of a list's screen, for the router; others are ignored, as if they were absent. */
export const listSearch =
  <L extends AnyList>(list: L) =>
  (search: Readonly<Record<string, unknown>>): ListSearch<L> =>
    // checked name by name
    Object.fromEntries(
      Object.entries(search).filter(([name, value]) => typeof value === "string" && makesSense(list, name, value)),
    ) as ListSearch<L>;

function makesSense(list: AnyList, name: string, value: string): boolean {
  if (name === "page" || name === "size") return wholeNumber(value) !== undefined;
  if (name === "open") return /^\d{1,12}(,\d{1,12}){0,99}$/.test(value);
  if (name === "sort") {
    const [field = "", direction = "", ...more] = value.split(",");
    return list.sorts.includes(field) && ["asc", "desc"].includes(direction) && more.length === 0;
  }
  const filter = Object.hasOwn(list.filters, name) ? list.filters[name] : undefined;
  if (!filter || value === "") return false;
  const read = filter.safeParse([value]);
  return value === "any" || (read.success && read.data !== undefined);
}

/** Parses an address; missing parts get the list's defaults. */
export function readAddress(list: AnyList, search: ListSearch, defaults: ListDefaults): ListAddress {
  const filters: Record<string, string> = { ...defaults.filters };
  for (const name of Object.keys(list.filters)) {
    const value = search[name];
    if (value !== undefined) filters[name] = value;
  }
  const [field = "", direction] = search.sort?.split(",") ?? [];
  return {
    filters,
    sort: field === "" ? defaults.sort : { field, direction: direction === "desc" ? "desc" : "asc" },
    page: wholeNumber(search.page) ?? 1,
    size: wholeNumber(search.size),
    open: search.open,
  };
}

/** The shortest equivalent address: defaults are omitted. */
export function writeAddress(address: ListAddress, defaults: ListDefaults): ListSearch {
  const search: ListSearch = {};
  for (const [name, value] of Object.entries(address.filters)) {
    const standard = defaults.filters[name] ?? "";
    if (value !== standard) search[name] = value === "" ? "any" : value;
  }
  const { sort } = address;
  if (sort.field !== defaults.sort.field || sort.direction !== defaults.sort.direction)
    search.sort = `${sort.field},${sort.direction}`;
  if (address.page > 1) search.page = String(address.page);
  if (address.size !== undefined) search.size = String(address.size);
  if (address.open !== undefined) search.open = address.open;
  return search;
}

/** The query of the request that corresponds to the address. */
export function requestQuery(address: ListAddress, size: number, furtherSort?: string): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(address.filters)) {
    if (value !== "" && value !== "any") query.set(name, value);
  }
  query.set("page", String(address.page - 1));
  query.set("size", String(size));
  query.append("sort", `${address.sort.field},${address.sort.direction}`);
  if (furtherSort) query.append("sort", furtherSort);
  return query.toString();
}

/** Header clicks cycle through ascending, descending and the default. On the default column, they toggle. */
export function nextSort(current: Sort, field: string, standard: Sort): Sort {
  const opposite = standard.direction === "asc" ? "desc" : "asc";
  if (field === standard.field)
    return current.field === field && current.direction === standard.direction
      ? { field, direction: opposite }
      : standard;
  if (current.field !== field) return { field, direction: "asc" };
  return current.direction === "asc" ? { field, direction: "desc" } : standard;
}

/** Whether a filter differs from its default; `any` lifts a default. */
export const differs = (value = "", standard = ""): boolean =>
  value !== standard && !(value === "any" && standard === "");

export function differsFromDefault(filters: Record<string, string>, defaults: ListDefaults): boolean {
  const names = new Set([...Object.keys(filters), ...Object.keys(defaults.filters)]);
  return [...names].some((name) => differs(filters[name], defaults.filters[name]));
}

/** At most `most` page numbers around the current one. */
export function pageNumbers(current: number, last: number, most = 10): number[] {
  const first = Math.max(1, Math.min(current - Math.floor(most / 2), last - most + 1));
  return Array.from({ length: Math.min(most, last) }, (_, index) => first + index).filter(
    (page) => page >= 1 && page <= last,
  );
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined;
}
