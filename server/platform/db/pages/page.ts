import type { AnyList, FilterValues, ListQuery } from "@packhouse/contract/list-contract";
import {
  type Compilable,
  type Expression,
  type InferResult,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from "kysely";
import type { Db, Tx } from "../database.ts";
import type { Database } from "../schema.ts";
import { builtOnce } from "../statements/built-once.ts";
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

/** The rows of a list that fulfill the filters of a request. */
interface Rows<L extends AnyList, Tables extends keyof Database> {
  tables: SelectQueryBuilder<Database, Tables, object>;
  filters: FilterConditions<L>;
  /** The condition of every row of the list, regardless of the filters. */
  conditions?: readonly RawBuilder<boolean>[];
}

/** What all pages of a list have in common. */
interface List<L extends AnyList, Tables extends keyof Database, Row> {
  /** Their joins neither add nor lose rows. A page is found without those left joins that it does not use. */
  tables(db: Db | Tx): SelectQueryBuilder<Database, Tables, object>;
  columns: SortColumns<L>;
  id: RawBuilder<unknown>;
  /** Adds the columns of a row of a page that has no more rows than this. */
  select(
    query: SelectQueryBuilder<Database, Tables, object>,
    pageSize: number,
  ): SelectQueryBuilder<Database, Tables, Row>;
  /**
   * For lists whose rows are costly to find, such as groups: the tables with little more than the rows of some ids. A
   * page of such a list is found and counted in one statement.
   */
  rowsOf?(db: Db | Tx, ids: RawBuilder<readonly number[]>): SelectQueryBuilder<Database, Tables, object>;
}

/** Which of its rows are asked for. */
interface Asked<L extends AnyList> extends Pick<Rows<L, never>, "filters" | "conditions"> {
  db: Db | Tx;
  query: ListQuery<L>;
  /** Whether all others may come before what matches, in many orders: such as a repository that was filled last. */
  mayComeLast?: boolean;
  /**
   * The number of matching rows as a part of a statement, for lists with a faster way than counting. Without conditions
   * and filters it is the same for every caller.
   */
  keptCount?(): Expression<unknown> | undefined;
  /** The same by statements of its own. */
  count?: (() => Promise<number>) | undefined;
}

/**
 * Finds one page and the total number of rows. The page is found by narrow, indexed columns; whole rows are read for the
 * page only. The statement that reads them is long, and the same for every page of a list, whatever its conditions and
 * order: so it is built once for each size of a page, and prepared, and its order is that of the ids that were found.
 */
export function pagedList<L extends AnyList, Tables extends keyof Database, Row>(list: List<L, Tables, Row>) {
  const { id, select, rowsOf = list.tables } = list;
  const readers = kept<number, ReadRows<Row>>();
  const findingAll = kept<string, FindIds>();
  const readerOf = (pageSize: number) =>
    builtOnce<{ ids: readonly number[] }, Row>((db, value) =>
      select(rowsOf(db, value("ids")), pageSize)
        .where(sql<boolean>`${id} = any(${value("ids")}::integer[])`)
        .orderBy(sql`array_position(${value("ids")}::integer[], ${id})`),
    );
  return async (asked: Asked<L>): Promise<Found<Row>> => {
    const { db, query } = asked;
    const { ids, total } = await findIds(list, asked, findingAll);
    if (ids.length === 0) return { rows: [], total };
    const rows = await readers(query.size, readerOf)(db, { ids });
    // Rows may change between the statements; the whole rows are authoritative.
    const firstIsAll = query.page === 0 && ids.length < query.size;
    return { rows, total: firstIsAll ? rows.length : total };
  };
}

/** The rows that a `select` of a list reads. */
export type RowOf<Select extends (...given: never) => Compilable<unknown>> = InferResult<ReturnType<Select>>[number];

type ReadRows<Row> = (db: Db | Tx, values: { ids: readonly number[] }) => Promise<Row[]>;
type FindIds = (db: Db | Tx, values: Window<number>) => Promise<FoundIds[]>;

/** Requests choose what is kept, so that there must be an end to it. */
const mostKept = 30;

/** What is made at the first use of a key. */
function kept<Key, Made>(): (key: Key, make: (key: Key) => Made) => Made {
  const all = new Map<Key, Made>();
  return (key, make) => {
    const known = all.get(key);
    if (known !== undefined) return known;
    if (all.size >= mostKept) all.clear();
    const made = make(key);
    all.set(key, made);
    return made;
  };
}

/** The query for how many rows of a list some filters find. */
export const rowCount = <L extends AnyList, Tables extends keyof Database>(
  { tables, filters, conditions = [] }: Rows<L, Tables>,
  values: FilterValues<L>,
) => countOf(filtered(tables, [...conditions, ...conditionsOf(filters, values)]));

const filtered = <Tables extends keyof Database>(
  tables: SelectQueryBuilder<Database, Tables, object>,
  conditions: readonly RawBuilder<boolean>[],
) => conditions.reduce((rows, condition) => rows.where(condition), withUsedJoins(tables));

interface FoundIds {
  ids: number[];
  total: number;
}

/** `findingAll` keeps the statements for pages of all rows, by their orders. */
async function findIds<L extends AnyList, Tables extends keyof Database, Row>(
  list: List<L, Tables, Row>,
  { db, query, filters, conditions: always = [], mayComeLast, keptCount, count }: Asked<L>,
  findingAll: (key: string, make: () => FindIds) => FindIds,
): Promise<FoundIds> {
  const { id } = list;
  const { page, size, sort } = query;
  const conditions = [...always, ...conditionsOf(filters, query.filters)];
  const window = { size, offset: page * size };
  const asking = (its: Window<Bound> = window): PageQuery<Tables> => ({
    filtered: filtered(list.tables(db), conditions),
    orders: ordersOf(list, sort),
    id,
    window: its,
  });
  if (list.rowsOf) return findCounted(db, asking(), window);
  const countIn = (rows: PageQuery<Tables>["filtered"]) => keptCount?.() ?? countOf(rows);
  if (conditions.length > 0) {
    const asked = asking();
    const total = await (count ? count() : countBy(db, countIn(asked.filtered)));
    if (window.offset >= total) return { ids: [], total };
    const areFew = total <= (mayComeLast ? mostSortedIfLast : mostSorted);
    return { ids: await idsIn(db, areFew ? idsAmongFew(asked) : idsOfPage(asked)), total };
  }
  if (count) {
    const [ids, total] = await Promise.all([idsIn(db, idsOfPage(asking())), count()]);
    return { ids, total };
  }
  const finding = () =>
    builtOnce<Window<number>, FoundIds>((_db, value) => {
      const asked = asking({ size: value("size"), offset: value("offset") });
      return sql`select array(${idsOfPage(asked)}) as ids, (${countIn(asked.filtered)})::integer as total`;
    });
  // A filter that every row fulfills may still decide how they are counted.
  const ofAll = Object.values(query.filters).every((value) => value === undefined);
  const find = ofAll ? findingAll(JSON.stringify(sort), finding) : finding();
  const [found = { ids: [], total: 0 }] = await find(db, window);
  return found;
}

function ordersOf<L extends AnyList>(
  { columns, id }: Pick<List<L, never, unknown>, "columns" | "id">,
  sort: ListQuery<L>["sort"],
): Order[] {
  const orders: Order[] = sort.flatMap(({ field, direction, natural }) =>
    (knownOf(columns[field]).consists ?? [columns[field]]).map((own) => ({
      column: natural ? sql`(${own}) collate natural_order` : own,
      own,
      direction,
    })),
  );
  return sort.some(({ field }) => field === "id") ? orders : [...orders, { column: id, own: id, direction: "asc" }];
}

async function idsIn<Tables extends keyof Database>(db: Db | Tx, page: IdsQuery<Tables>): Promise<number[]> {
  const rows = "isRawBuilder" in page ? (await page.execute(db)).rows : await page.execute();
  return rows.map((row) => row.id);
}

async function countBy(db: Db | Tx, count: Expression<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select (${count})::integer as total`.execute(db);
  return rows[0]?.total ?? 0;
}

/** As many rows are sorted in a few milliseconds. */
const mostSorted = 5000;
/** In some 30 milliseconds; to read all others before them in the order of the page may take half a second. */
const mostSortedIfLast = 20_000;

/** For lists with `rowsOf`. */
async function findCounted<Tables extends keyof Database>(
  db: Db | Tx,
  { filtered, orders, id }: PageQuery<Tables>,
  { size, offset }: Window<number>,
): Promise<FoundIds> {
  const numbered = filtered.select([sql<number>`${id}`.as("id"), sql<number>`count(*) over ()`.as("total")]);
  const found = await inOrder(numbered, orders).limit(size).offset(offset).execute();
  const [first] = found;
  if (!first) return { ids: [], total: offset === 0 ? 0 : await countBy(db, countOf(filtered)) };
  return { ids: found.map((row) => row.id), total: first.total };
}

interface PageQuery<Tables extends keyof Database> {
  filtered: SelectQueryBuilder<Database, Tables, object>;
  orders: readonly Order[];
  id: RawBuilder<unknown>;
  window: Window<Bound>;
}

/** A number, or where it belongs in a statement that is built once. */
type Bound = number | RawBuilder<number>;

/** Which of the ordered rows a page has: so many, after those that are left out. */
interface Window<Number> {
  size: Number;
  offset: Number;
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
  window: { size, offset },
}: PageQuery<Tables>): IdsQuery<Tables> {
  const [first, ...others] = orders;
  const parts = first && knownOf(first.own).parts;
  if (!parts || others.length !== 1 || others[0]?.column !== id) {
    const present = orders.filter(({ own }) => knownOf(own).inEveryRow);
    const joined = present.reduce((rows, { own }) => rows.where(sql<boolean>`${own} is not null`), filtered);
    return inOrder(joined.select(sql<number>`${id}`.as("id")), orders)
      .limit(size)
      .offset(offset);
  }
  const found = filtered.select([id.as("id"), first.column.as("key")]);
  const each = parts.conditions.map((condition) => {
    const part = inOrder(found.where(condition), parts.constant ? others : orders);
    return sql`(${part.limit(sql<number>`${size}::bigint + ${offset}::bigint`)})`;
  });
  return sql`
    select id from (${sql.join(each, sql` union all `)}) as parts
    order by key ${sql.raw(first.direction)}, id limit ${size} offset ${offset}`;
}

/**
 * The same for lists of few rows: finds all of them first. PostgreSQL, which does not know that they are few, might
 * search all rows in the order of the page until it has enough for one.
 */
function idsAmongFew<Tables extends keyof Database>({
  filtered,
  orders,
  id,
  window: { size, offset },
}: PageQuery<Tables>): RawBuilder<{ id: number }> {
  const keys = orders.map(({ column, direction }, index) => ({ column, name: sql.ref(`key${index}`), direction }));
  const matching = filtered.select([id.as("id"), ...keys.map(({ column }, index) => column.as(`key${index}`))]);
  return sql`
    with matching as materialized (${matching})
    select id from matching
    order by ${sql.join(keys.map(({ name, direction }) => sql`${name} ${sql.raw(direction)}`))}
    limit ${size} offset ${offset}`;
}

const countOf = <Tables extends keyof Database>(filtered: SelectQueryBuilder<Database, Tables, object>) =>
  filtered.select(sql<number>`count(*)`.as("count"));
