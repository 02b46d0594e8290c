import type { AnyList, FilterValues, ListQuery, SortOf } from "@packhouse/contract/list-contract";
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Found } from "./found.ts";
import type { Database } from "./schema.ts";

/** The SQL of each sort field of a list; the compiler requires every one in the contract. */
export type SortColumns<L extends AnyList> = Record<SortOf<L>, RawBuilder<unknown>>;

const inEveryRow = new WeakSet<RawBuilder<unknown>>();

/**
 * A sort column of a joined table that has a row, with a value, for each row of the list: PostgreSQL may then read that
 * table in its order and look up the list's rows, instead of sorting all of them. Without this, a left join has to start
 * from the list's own table.
 */
export function always<Column extends RawBuilder<unknown>>(column: Column): Column {
  inEveryRow.add(column);
  return column;
}

const consecutive = new WeakMap<RawBuilder<unknown>, readonly RawBuilder<unknown>[]>();

/** A sort by one text whose order is that of several columns, one after the other, for which there are indexes. */
export function inTurn(...columns: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  const text = sql.join([...columns], sql` || `);
  consecutive.set(text, columns);
  return text;
}

/** The rows of a list by a sort column, in parts that each have an order of their own. */
interface Parts {
  /** Exactly one of them is true of each row. */
  conditions: readonly RawBuilder<boolean>[];
  /** Whether all rows of a part have the same value, so that its order is that of the ids. */
  constant: boolean;
}
const partsOf = new WeakMap<RawBuilder<unknown>, Parts>();

/**
 * A sort column with few values, all of which are given: the rows with each are found in the order of their ids, and no
 * more of them than the page may show. An index could do the same in one direction only.
 */
export function ofFew(column: RawBuilder<unknown>, values: readonly unknown[]): RawBuilder<unknown> {
  // A new object: the same column may be sorted by as it is elsewhere.
  const few = sql`${column}`;
  partsOf.set(few, { conditions: values.map((value) => sql<boolean>`${column} = ${value}`), constant: true });
  return few;
}

/** A sort column of a joined table that some rows of the list, those with `missing`, have no row in. */
export function sometimes(column: RawBuilder<unknown>, missing: RawBuilder<boolean>): RawBuilder<unknown> {
  const optional = sql`${column}`;
  partsOf.set(optional, { conditions: [sql<boolean>`${column} is not null`, missing], constant: false });
  return optional;
}

/**
 * The condition of each filter of a list, given its value and those of the other filters; the compiler requires every
 * one in the contract. Undefined if every row fulfills it.
 */
export type FilterConditions<L extends AnyList> = {
  readonly [Name in keyof L["filters"]]-?: (
    value: NonNullable<FilterValues<L>[Name]>,
    all: FilterValues<L>,
  ) => RawBuilder<boolean> | undefined;
};

/** For a filter that is applied somewhere other than in its own condition. */
export const appliedBy = (_place: string) => () => undefined;

/** The conditions of the filters that a request sets. */
export function conditionsOf<L extends AnyList>(
  filters: Partial<FilterConditions<L>>,
  values: FilterValues<L>,
): RawBuilder<boolean>[] {
  const conditions: RawBuilder<boolean>[] = [];
  for (const name in filters) {
    const value = values[name];
    if (value === undefined || value === null) continue;
    const condition = filters[name]?.(value, values);
    if (condition) conditions.push(condition);
  }
  return conditions;
}

/** Escapes the wildcards of `like`, so that searches are literal. */
export const contains = (search: string): string => `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;

/** A column as compared by `contains`: lower-cased in every script, independently of the cluster's locale. */
export const folded = (column: string): RawBuilder<string> => sql`lower(${sql.ref(column)} collate "und-x-icu")`;

/** Whether at least one of the columns contains the text. */
export const matches = (search: string, ...columns: string[]): RawBuilder<boolean> => {
  const pattern = contains(search);
  const conditions = columns.map((column) => sql`${folded(column)} like ${pattern}`);
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
};

/** The source of a page. */
export interface Listing<L extends AnyList, Tables extends keyof Database, Row> {
  /**
   * The tables, left-joined so that no row of the list is lost: PostgreSQL then omits joins that neither a condition
   * nor the order uses.
   */
  tables: SelectQueryBuilder<Database, Tables, object>;
  filters: FilterConditions<L>;
  /** The condition of every row of the list, regardless of the filters. */
  conditions?: readonly RawBuilder<boolean>[];
  query: ListQuery<L>;
  columns: SortColumns<L>;
  id: RawBuilder<unknown>;
  /** Counts the matching rows, for lists with a faster way than counting. */
  count?: () => Promise<number>;
  /** Adds the columns of a row. */
  select(query: SelectQueryBuilder<Database, Tables, object>): SelectQueryBuilder<Database, Tables, Row>;
}

/**
 * One page and the total number of rows, in two statements. The page is found by narrow, indexed columns; whole rows
 * are read only for the page.
 */
export async function findPage<L extends AnyList, Tables extends keyof Database, Row>(
  listing: Listing<L, Tables, Row>,
): Promise<Found<Row>> {
  const { tables, query, columns, id } = listing;
  const conditions = [...(listing.conditions ?? []), ...conditionsOf(listing.filters, query.filters)];
  const filtered = conditions.reduce((filtered, condition) => filtered.where(condition), tables);
  const orders: Order[] = query.sort.flatMap(({ field, direction, natural }) =>
    (consecutive.get(columns[field]) ?? [columns[field]]).map((own) => ({
      column: natural ? sql`(${own}) collate natural_order` : own,
      own,
      direction,
    })),
  );
  if (!query.sort.some(({ field }) => field === "id")) orders.push({ column: id, own: id, direction: "asc" });
  const ids = idsOfPage({ filtered, orders, id, query });
  const [rows, counted] = await Promise.all([
    inOrder(listing.select(tables).where(sql<boolean>`${id} in (${ids})`), orders).execute(),
    listing.count?.() ?? countOf(filtered),
  ]);
  // Rows may change between the two statements; the whole rows are authoritative.
  const firstIsAll = query.page === 0 && rows.length < query.size;
  return { rows, total: firstIsAll ? rows.length : counted };
}

interface Order {
  column: RawBuilder<unknown>;
  /** The same without a collation. */
  own: RawBuilder<unknown>;
  direction: "asc" | "desc";
}

const inOrder = <Q extends SelectQueryBuilder<Database, Tables, unknown>, Tables extends keyof Database>(
  rows: Q,
  orders: readonly Order[],
): Q => orders.reduce((rows, { column, direction }) => rows.orderBy(column, direction) as Q, rows); // the same query, ordered

/** A query for the ids of a page. */
function idsOfPage<Tables extends keyof Database>({
  filtered,
  orders,
  id,
  query: { page, size },
}: {
  filtered: SelectQueryBuilder<Database, Tables, object>;
  orders: readonly Order[];
  id: RawBuilder<unknown>;
  query: { page: number; size: number };
}) {
  const [first, ...others] = orders;
  const parts = first && partsOf.get(first.own);
  if (!parts || others.length !== 1 || others[0]?.column !== id) {
    const present = orders.filter(({ own }) => inEveryRow.has(own));
    const joined = present.reduce((rows, { own }) => rows.where(sql<boolean>`${own} is not null`), filtered);
    return inOrder(joined.select(id.as("id")), orders)
      .limit(size)
      .offset(page * size);
  }
  const found = filtered.select([id.as("id"), first.column.as("key")]);
  const each = parts.conditions.map((condition) => {
    const part = inOrder(found.where(condition), parts.constant ? others : orders);
    return sql`(${part.limit((page + 1) * size)})`;
  });
  return sql`
    select id from (${sql.join(each, sql` union all `)}) as parts
    order by key ${sql.raw(first.direction)}, id limit ${size} offset ${page * size}`;
}

async function countOf<Tables extends keyof Database>(
  filtered: SelectQueryBuilder<Database, Tables, object>,
): Promise<number> {
  const row = await filtered.select(sql<number>`count(*)`.as("count")).executeTakeFirstOrThrow();
  return row.count;
}
