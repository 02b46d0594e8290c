import { type AnyList, type Filter, knownValuesOf, type SortOf } from "@packhouse/contract/list-contract";

import { isPlainDate } from "../language/i18n.ts";

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
      Object.entries(search).flatMap(([name, value]) => {
        const valid = typeof value === "string" ? validValue(list, name, value) : undefined;
        return valid === undefined ? [] : [[name, valid]];
      }),
    ) as ListSearch<L>;

/** The value, without the parts that nothing can match; undefined if there is no such parameter or nothing is left. */
function validValue(list: AnyList, name: string, value: string): string | undefined {
  const valueIf = (valid: boolean) => (valid ? value : undefined);
  if (name === "page" || name === "size") return valueIf(wholeNumber(value) !== undefined);
  if (name === "open") return valueIf(isOpenRows(value));
  if (name === "sort") {
    const [field = "", direction = "", ...more] = value.split(",");
    return valueIf(list.sorts.includes(field) && ["asc", "desc"].includes(direction) && more.length === 0);
  }
  const filter: Filter | undefined = Object.hasOwn(list.filters, name) ? list.filters[name] : undefined;
  if (!filter || value === "") return undefined;
  if (value === "any") return value;
  const { data } = filter.safeParse([value]);
  const known = knownValuesOf(filter);
  if (!known || !Array.isArray(data)) return valueIf(data !== undefined);
  const kept = data.filter((part) => known.includes(part));
  return kept.length === 0 ? undefined : kept.join(",");
}

/** How many rows an address keeps open: browsers and servers limit its length. */
const mostOpenRows = 100;
const isOpenRows = (value: string): boolean => {
  const ids = value.split(",");
  return ids.length <= mostOpenRows && ids.every((id) => /^\d{1,12}$/.test(id));
};

/** The rows that are open after one more; the first ones close when there are too many for an address. */
export const withOpenRow = (open: readonly string[], id: string): string[] => [...open, id].slice(-mostOpenRows);

/** Names of the parameters that were dropped from an address, or that lost a value. */
export function droppedFrom(search: Readonly<Record<string, unknown>>, kept: object): string[] {
  const left = new Map<string, unknown>(Object.entries(kept));
  const parts = (value: unknown) =>
    String(value ?? "")
      .split(",")
      .filter(Boolean).length;
  return Object.keys(search).filter((name) => parts(search[name]) > parts(left.get(name)));
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

/** The time zone of the days and times on a screen: the user's own, or UTC. */
export type Zone = "local" | "utc";

/** The query of the request that corresponds to the address. Its days are those of the zone. */
export function requestQuery(
  address: ListAddress,
  size: number,
  furtherSort?: string,
  zone: Zone = "local",
): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(address.filters)) {
    if (value !== "" && value !== "any") query.set(name, zone === "local" ? inOwnZone(name, value) : value);
  }
  query.set("page", String(address.page - 1));
  query.set("size", String(size));
  query.append("sort", `${address.sort.field},${address.sort.direction}`);
  if (furtherSort) query.append("sort", furtherSort);
  return query;
}

/** A server reads a day as one in UTC: the first or last moment of the user's own day takes its place. */
function inOwnZone(name: string, value: string): string {
  const isEnd = name === "toDate";
  if (!(isEnd || name === "fromDate") || !isPlainDate(value)) return value;
  const [year = 0, month = 1, day = 1] = value.split("-").map(Number);
  // The next day's start, because some days have 23 or 25 hours.
  const start = new Date(year, month - 1, isEnd ? day + 1 : day).getTime();
  return new Date(isEnd ? start - 1 : start).toISOString();
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
