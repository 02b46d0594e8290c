import type { AnyList, SortOf } from "@packhouse/contract/list-contract";
import fc from "fast-check";

/** Sort key of a list: ascending, missing values last. */
type SortKey = string | number | boolean | Date | null;

/** The filters of a request, as in its address. */
export type Asked = Readonly<Record<string, string>>;

/** How a filter is tried, and which rows fulfill it. */
export interface FilterModel<Row> {
  values: readonly string[];
  keeps(row: Row, value: string, asked: Asked): boolean;
  /** Other required filters; alone the filter does nothing. */
  with?: Asked;
}

/**
 * The content of a list, computed in memory without the store's SQL. The compiler requires every filter and every sort.
 */
export interface ListModel<L extends AnyList, Row extends { id: number }> {
  filters: { readonly [Name in keyof L["filters"]]-?: FilterModel<Row> };
  sorts: Readonly<Record<SortOf<L>, (row: Row) => SortKey>>;
  /** The condition of filters that are not set. */
  otherwise?: (row: Row, asked: Asked) => boolean;
  /** Filters of every request. */
  always?: Asked;
  /** Filters and sorts that do not distinguish the rows of this list. */
  alike?: readonly (keyof L["filters"] | SortOf<L>)[];
}

export interface ListRequest {
  asked: Asked;
  sort: readonly { field: string; direction: "asc" | "desc" }[];
}

/** A list with its model. */
export interface ModeledList {
  list: AnyList;
  /** The ids that a request finds, in order. */
  expected(request: ListRequest): number[];
  /** Each filter alone with each of its values, and each order alone both ways. */
  single: ListRequest[];
  /** Combined filters and orders. */
  several: fc.Arbitrary<ListRequest>;
  /** Filters and sorts that these rows do not exercise. */
  untried: string[];
}

/** `rows`: what the caller sees without any filter. */
export function modelOf<L extends AnyList, Row extends { id: number }>(
  list: L,
  rows: readonly Row[],
  { filters, sorts, otherwise = () => true, always = {}, alike = [] }: ListModel<L, Row>,
): ModeledList {
  const filterOf = new Map<string, FilterModel<Row>>(Object.entries(filters));
  const sortOf = new Map<string, (row: Row) => SortKey>(Object.entries(sorts));

  const keeps = (row: Row, asked: Asked) =>
    otherwise(row, asked) &&
    Object.entries(asked).every(([name, value]) => filterOf.get(name)?.keeps(row, value, asked) ?? false);
  const expected = ({ asked, sort }: ListRequest): number[] => {
    const orders = sort.length > 0 || !list.defaultSort ? sort : [list.defaultSort];
    const byId = (a: Row, b: Row) => a.id - b.id;
    const comparisons = orders.map(({ field, direction }) => {
      const key = sortOf.get(field) ?? (() => null);
      return (a: Row, b: Row) => compared(key(a), key(b)) * (direction === "asc" ? 1 : -1);
    });
    return rows
      .filter((row) => keeps(row, asked))
      .toSorted((a, b) => comparisons.reduce((found, compare) => found || compare(a, b), 0) || byId(a, b))
      .map(({ id }) => id);
  };

  const attempts = [...filterOf].map(([name, filter]) => ({
    name,
    requests: filter.values.map((value) => ({ asked: { ...always, ...filter.with, [name]: value }, sort: [] })),
  }));
  const bothWays = (field: string): ListRequest[] =>
    (["asc", "desc"] as const).map((direction) => ({ asked: always, sort: [{ field, direction }] }));

  const isTried = (name: string) => !alike.some((other) => other === name);
  const tellsApart = ({ name, requests }: (typeof attempts)[number]) => {
    const all = expected({ asked: { ...always, ...filterOf.get(name)?.with }, sort: [] }).length;
    const found = requests.map((request) => expected(request).length);
    return found.some((count) => count > 0) && found.some((count) => count !== all);
  };
  const order = (field: string) => expected({ asked: always, sort: [{ field, direction: "asc" }] }).join();
  const isSame = (a: string, b: string) => sortOf.get(a) !== sortOf.get(b) && order(a) === order(b);
  const fields = [...sortOf.keys()];
  const untried = [
    ...attempts
      .filter((attempt) => isTried(attempt.name) && !tellsApart(attempt))
      .map(({ name }) => `${list.path}: the values of ${name} tell no rows apart`),
    ...fields.filter(isTried).flatMap((field, at, tried) =>
      tried
        .slice(at + 1)
        .filter((other) => isSame(field, other))
        .map((other) => `${list.path}: ${field} and ${other} are the same order`),
    ),
  ];
  return {
    list,
    expected,
    single: [{ asked: always, sort: [] }, ...attempts.flatMap(({ requests }) => requests), ...fields.flatMap(bothWays)],
    several: fc.record({
      asked: someOf([...filterOf]).map((asked) => ({ ...always, ...asked })),
      sort: fc.array(
        fc.record({ field: fc.constantFrom(...fields), direction: fc.constantFrom("asc" as const, "desc" as const) }),
        { maxLength: 3 },
      ),
    }),
    untried,
  };
}

function someOf<Row>(filters: readonly [string, FilterModel<Row>][]): fc.Arbitrary<Asked> {
  return fc
    .subarray([...filters], { maxLength: Math.min(filters.length, 3) })
    .chain((chosen) =>
      fc
        .tuple(...chosen.map(([, { values }]) => fc.constantFrom(...values)))
        .map(
          (values): Asked =>
            Object.assign({}, ...chosen.map(([name, filter], at) => ({ ...filter.with, [name]: values[at] }))),
        ),
    );
}

/** Missing values come last; texts are compared by code point, like the tables' collation. */
function compared(a: SortKey, b: SortKey): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (a === b) return 0;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Of several values, separated by commas, one. */
export const among = <Row>(column: (row: Row) => string | null, values: readonly string[]): FilterModel<Row> => ({
  values,
  keeps: (row, value) => value.split(",").includes(column(row) ?? ""),
});

/** The same in any letter case. */
export const amongFolded = <Row>(column: (row: Row) => string | null, values: readonly string[]): FilterModel<Row> => ({
  values,
  keeps: (row, value) =>
    value
      .toLowerCase()
      .split(",")
      .includes((column(row) ?? "").toLowerCase()),
});

export const isTrue = <Row>(column: (row: Row) => boolean): FilterModel<Row> => ({
  values: ["true", "false"],
  keeps: (row, value) => String(column(row)) === value,
});

/** A part of one of the texts, in any letter case. */
export const partOf = <Row>(
  texts: (row: Row) => readonly (string | null)[],
  values: readonly string[],
): FilterModel<Row> => ({
  values,
  keeps: (row, value) => texts(row).some((text) => text?.toLowerCase().includes(value.toLowerCase())),
});

/** A day begins with its first instant. */
export const from = <Row>(column: (row: Row) => Date, values: readonly string[]): FilterModel<Row> => ({
  values,
  keeps: (row, at) => column(row) >= new Date(at),
});

/** A day counts as a whole. */
export const upTo = <Row>(column: (row: Row) => Date, values: readonly string[]): FilterModel<Row> => ({
  values,
  keeps: (row, at) => column(row) <= new Date(at.includes("T") ? at : `${at}T23:59:59.999Z`),
});
