import type { AnyList, FilterValues, ListQuery } from "@packhouse/contract/list-contract";
import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Db, Tx } from "../database.ts";
import type { Database } from "../schema.ts";
import type { Found } from "./found.ts";
import { knownOf, type SortColumns } from "./sort-columns.ts";
import { withUsedJoins } from "./used-joins.ts";

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

interface Rows<L extends AnyList, Tables extends keyof Database> {
  /** The tables, left-joined so that no row of the list is lost: its page is found without those that are not used. */
  tables: SelectQueryBuilder<Database, Tables, object>;
  filters: FilterConditions<L>;
  /** The condition of every row of the list, regardless of the filters. */
  conditions?: readonly RawBuilder<boolean>[];
}

/** The source of a page. */
export interface Listing<L extends AnyList, Tables extends keyof Database, Row> extends Rows<L, Tables> {
  db: Db | Tx;
  query: ListQuery<L>;
  columns: SortColumns<L>;
  id: RawBuilder<unknown>;
  /** The number of matching rows, for lists with a faster way than counting: as a part of a statement, or by others. */
  count?: Expression<unknown> | (() => Promise<number>) | undefined;
  /**
   * For lists whose rows are costly to find, such as groups: the tables with little more than the rows of some ids. A
   * page of such a list is found and counted in one statement.
   */
  rowsOf?: (ids: readonly number[]) => SelectQueryBuilder<Database, Tables, object>;
  /** Adds the columns of a row of a page that has no more rows than this. */
  select(
    query: SelectQueryBuilder<Database, Tables, object>,
    pageSize: number,
  ): SelectQueryBuilder<Database, Tables, Row>;
}

/**
 * One page and the total number of rows. The page is found by narrow, indexed columns; whole rows are read for the page
 * only. The statement that reads them is long, and the same for every page of a list, whatever its conditions and order:
 * so it is prepared, and its order is that of the ids that were found.
 */
export async function findPage<L extends AnyList, Tables extends keyof Database, Row>(
  listing: Listing<L, Tables, Row>,
): Promise<Found<Row>> {
  const { tables, query, id, select, rowsOf = () => tables } = listing;
  const { ids, total } = await findIds(listing);
  if (ids.length === 0) return { rows: [], total };
  const rows = await select(rowsOf(ids), query.size)
    .where(sql<boolean>`${id} = any(${ids}::integer[])`)
    .orderBy(sql`array_position(${ids}::integer[], ${id})`)
    .execute();
  // Rows may change between the statements; the whole rows are authoritative.
  const firstIsAll = query.page === 0 && ids.length < query.size;
  return { rows, total: firstIsAll ? rows.length : total };
}

/** The query for how many rows of a list some filters find. */
export const rowCount = <L extends AnyList, Tables extends keyof Database>(
  rows: Rows<L, Tables>,
  values: FilterValues<L>,
) => countOf(filteredBy(rows, values).filtered);

function filteredBy<L extends AnyList, Tables extends keyof Database>(
  { tables, filters, conditions: always = [] }: Rows<L, Tables>,
  values: FilterValues<L>,
) {
  const conditions = [...always, ...conditionsOf(filters, values)];
  const filtered = conditions.reduce((filtered, condition) => filtered.where(condition), withUsedJoins(tables));
  return { filtered, conditions };
}

interface FoundIds {
  ids: number[];
  total: number;
}

async function findIds<L extends AnyList, Tables extends keyof Database, Row>(
  listing: Listing<L, Tables, Row>,
): Promise<FoundIds> {
  const { db, query, columns, id } = listing;
  const { filtered, conditions } = filteredBy(listing, query.filters);
  const orders: Order[] = query.sort.flatMap(({ field, direction, natural }) =>
    (knownOf(columns[field]).consists ?? [columns[field]]).map((own) => ({
      column: natural ? sql`(${own}) collate natural_order` : own,
      own,
      direction,
    })),
  );
  if (!query.sort.some(({ field }) => field === "id")) orders.push({ column: id, own: id, direction: "asc" });
  const asked = { filtered, orders, id, query };
  if (listing.rowsOf) return findCounted(db, asked);
  const { count = countOf(filtered) } = listing;
  if (conditions.length === 0) {
    if (typeof count !== "function") return idsAndCount(db, idsOfPage(asked), count);
    const [ids, total] = await Promise.all([idsIn(db, idsOfPage(asked)), count()]);
    return { ids, total };
  }
  const total = typeof count === "function" ? await count() : await countBy(db, count);
  if (query.page * query.size >= total) return { ids: [], total };
  return { ids: await idsIn(db, total <= mostSorted ? idsAmongFew(asked) : idsOfPage(asked)), total };
}

async function idsIn<Tables extends keyof Database>(db: Db | Tx, page: IdsQuery<Tables>): Promise<number[]> {
  const rows = "isRawBuilder" in page ? (await page.execute(db)).rows : await page.execute();
  return rows.map((row) => row.id);
}

async function countBy(db: Db | Tx, count: Expression<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select (${count})::integer as total`.execute(db);
  return rows[0]?.total ?? 0;
}

async function idsAndCount<Tables extends keyof Database>(
  db: Db | Tx,
  page: IdsQuery<Tables>,
  count: Expression<unknown>,
): Promise<FoundIds> {
  const { rows } = await sql<FoundIds>`select array(${page}) as ids, (${count})::integer as total`.execute(db);
  return rows[0] ?? { ids: [], total: 0 };
}

/** As many rows are sorted in a few milliseconds. */
const mostSorted = 5000;

/** For lists with `rowsOf`. */
async function findCounted<Tables extends keyof Database>(
  db: Db | Tx,
  { filtered, orders, id, query: { page, size } }: PageQuery<Tables>,
): Promise<FoundIds> {
  const numbered = filtered.select([sql<number>`${id}`.as("id"), sql<number>`count(*) over ()`.as("total")]);
  const found = await inOrder(numbered, orders)
    .limit(size)
    .offset(page * size)
    .execute();
  const [first] = found;
  if (!first) return { ids: [], total: page === 0 ? 0 : await countBy(db, countOf(filtered)) };
  return { ids: found.map((row) => row.id), total: first.total };
}

interface PageQuery<Tables extends keyof Database> {
  filtered: SelectQueryBuilder<Database, Tables, object>;
  orders: readonly Order[];
  id: RawBuilder<unknown>;
  query: { page: number; size: number };
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
type IdsQuery<Tables extends keyof Database> =
  | SelectQueryBuilder<Database, Tables, { id: number }>
  | RawBuilder<{ id: number }>;

function idsOfPage<Tables extends keyof Database>({
  filtered,
  orders,
  id,
  query: { page, size },
}: PageQuery<Tables>): IdsQuery<Tables> {
  const [first, ...others] = orders;
  const parts = first && knownOf(first.own).parts;
  if (!parts || others.length !== 1 || others[0]?.column !== id) {
    const present = orders.filter(({ own }) => knownOf(own).inEveryRow);
    const joined = present.reduce((rows, { own }) => rows.where(sql<boolean>`${own} is not null`), filtered);
    return inOrder(joined.select(sql<number>`${id}`.as("id")), orders)
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

/**
 * The same for lists of few rows: finds all of them first. PostgreSQL, which does not know that they are few, might
 * search all rows in the order of the page until it has enough for one.
 */
function idsAmongFew<Tables extends keyof Database>({
  filtered,
  orders,
  id,
  query: { page, size },
}: PageQuery<Tables>): RawBuilder<{ id: number }> {
  const keys = orders.map(({ column, direction }, index) => ({ column, name: sql.ref(`key${index}`), direction }));
  const matching = filtered.select([id.as("id"), ...keys.map(({ column }, index) => column.as(`key${index}`))]);
  return sql`
    with matching as materialized (${matching})
    select id from matching
    order by ${sql.join(keys.map(({ name, direction }) => sql`${name} ${sql.raw(direction)}`))}
    limit ${size} offset ${page * size}`;
}

const countOf = <Tables extends keyof Database>(filtered: SelectQueryBuilder<Database, Tables, object>) =>
  filtered.select(sql<number>`count(*)`.as("count"));
