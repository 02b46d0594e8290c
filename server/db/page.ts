import type { AnyList, ListQuery, SortOf } from "@packhouse/contract/list-contract";
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Found } from "../http/list-query.ts";
import type { Database } from "./schema.ts";

/** What each sort field of a list means in SQL; the compiler asks for every one that the contract names. */
export type SortColumns<L extends AnyList> = Record<SortOf<L>, RawBuilder<unknown>>;

/** Escapes what `like` would take for wildcards, so that a search means what it says. */
export const contains = (search: string): string => `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;

/** A column as it is compared with `contains`: small letters of every script, whatever the cluster knows of them. */
export const folded = (column: string): RawBuilder<string> => sql`lower(${sql.ref(column)} collate "und-x-icu")`;

/**
 * One page of a filtered query, and how many rows there are in all: two statements.
 * `filtered` selects nothing yet; `select` adds the columns, so that counting does not read them.
 */
export async function findPage<L extends AnyList, Tables extends keyof Database, Row>(
  filtered: SelectQueryBuilder<Database, Tables, object>,
  select: (query: SelectQueryBuilder<Database, Tables, object>) => SelectQueryBuilder<Database, Tables, Row>,
  query: ListQuery<L>,
  columns: SortColumns<L>,
  idColumn: RawBuilder<unknown>,
): Promise<Found<Row>> {
  let page = select(filtered)
    .limit(query.size)
    .offset(query.page * query.size);
  for (const { field, direction } of query.sort) page = page.orderBy(columns[field], direction);
  if (!query.sort.some(({ field }) => field === "id")) page = page.orderBy(idColumn, "asc");
  const rows = await page.execute();
  const firstIsAll = query.page === 0 && rows.length < query.size;
  const total = firstIsAll ? rows.length : await countOf(filtered);
  return { rows, total };
}

async function countOf<Tables extends keyof Database>(
  filtered: SelectQueryBuilder<Database, Tables, object>,
): Promise<number> {
  const row = await filtered.select(sql<number>`count(*)`.as("count")).executeTakeFirstOrThrow();
  return row.count;
}
