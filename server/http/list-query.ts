import type { Link } from "@packhouse/contract/links";
import {
  type AnyList,
  defaultPageSize,
  type Filters,
  type FilterValues,
  type ListQuery,
  largestPageSize,
  mostSortFields,
  naturalSuffix,
  type SortOf,
  type SortOrder,
} from "@packhouse/contract/list-contract";
import type { Found } from "../platform/db/pages/found.ts";
import { Refusal } from "../platform/errors/refusal.ts";

/** Reads a list request; bad flags are refused, unknown sort fields too, bad page numbers become the defaults. */
export function readListQuery<L extends AnyList>(list: L, query: URLSearchParams): ListQuery<L> {
  return {
    filters: readFilters<L["filters"]>(list.filters, query),
    sort: readSort(list, query),
    page: wholeNumber(query.get("page"), 0) ?? 0,
    size: Math.min(wholeNumber(query.get("size"), 1) ?? defaultPageSize, largestPageSize),
  };
}

/** Reads the filters alone, for calls that take the filters of a list and nothing else of it. */
export function readFilters<F extends Filters>(filters: F, query: URLSearchParams): FilterValues<{ filters: F }> {
  const values: Record<string, unknown> = {};
  for (const [name, filter] of Object.entries(filters)) {
    const given = query.getAll(name);
    if (given.some((value) => value.includes("\0"))) throw new Refusal("bad.request");
    const result = filter.safeParse(given);
    if (!result.success) throw new Refusal("bad.request");
    if (result.data !== undefined) values[name] = result.data;
  }
  return values as FilterValues<{ filters: F }>; // each value was parsed by the filter of its name
}

/** `sort=field[,field…][,asc|desc]`, any number of times. */
function readSort<L extends AnyList>(list: L, query: URLSearchParams): SortOrder<SortOf<L>>[] {
  const orders = query.getAll("sort").flatMap((parameter) => {
    const parts = parameter.split(",").filter((part) => part !== "");
    const last = parts.at(-1)?.toLowerCase();
    const direction = last === "asc" || last === "desc" ? last : undefined;
    const fields = direction ? parts.slice(0, -1) : parts;
    return fields.map((field): SortOrder => ({ field, direction: direction ?? "asc" }));
  });
  if (orders.length > mostSortFields) throw new Refusal("bad.request");
  const asked = orders.map(({ field, direction }): SortOrder<SortOf<L>> => {
    if (list.sorts.includes(field)) return { field, direction };
    const named = list.names?.find((name: string) => field === name + naturalSuffix);
    if (named === undefined) throw new Refusal("unrecognized.query.parameter", [field]);
    return { field: named, direction, natural: true };
  });
  return asked.length === 0 && list.defaultSort ? [list.defaultSort] : asked;
}

function wholeNumber(value: string | null, smallest: number): number | undefined {
  if (value === null || !/^\d{1,9}$/.test(value)) return undefined;
  const number = Number(value);
  return number >= smallest ? number : undefined;
}

/** The links and numbers around one page. `address` is the absolute address as it was requested, with its query. */
export function pageAround(address: string, query: ListQuery<AnyList>, found: Found<unknown>) {
  if (found.forced)
    return {
      links: [{ rel: "self", href: address }],
      page: { size: 0, totalElements: 0, totalPages: 1, number: 0 },
    };
  const { page: number, size } = query;
  const totalPages = Math.ceil(found.total / size);
  const link = (rel: string, page: number): Link => ({ rel, href: pageAddress(address, page, size, query.sort) });
  const prev = number > 0 ? [link("prev", number - 1)] : [];
  const next = number + 1 < totalPages ? [link("next", number + 1)] : [];
  const several = prev.length + next.length > 0;
  return {
    links: [
      ...(several ? [link("first", 0)] : []),
      ...prev,
      link("self", number),
      ...next,
      ...(several ? [link("last", Math.max(totalPages - 1, 0))] : []),
    ],
    page: { size, totalElements: found.total, totalPages, number },
  };
}

/** Keeps the caller's own parameters as written and appends page, size and sort. */
function pageAddress(address: string, page: number, size: number, sort: readonly SortOrder[]): string {
  const [path, search = ""] = splitOnce(address, "?");
  const kept = search.split("&").filter((part) => part !== "" && !/^(page|size|sort)(=|$)/.test(part));
  return `${path}?${[...kept, `page=${page}`, `size=${size}`, ...sortParameters(sort)].join("&")}`;
}

/** Neighbours of one direction share a parameter: `sort=name,login,asc`. */
function sortParameters(sort: readonly SortOrder[]): string[] {
  const groups: { fields: string[]; direction: string }[] = [];
  for (const { field: name, direction, natural } of sort) {
    const field = natural ? name + naturalSuffix : name;
    const last = groups.at(-1);
    if (last?.direction === direction) last.fields.push(field);
    else groups.push({ fields: [field], direction });
  }
  return groups.map(({ fields, direction }) => `sort=${fields.join(",")},${direction}`);
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
