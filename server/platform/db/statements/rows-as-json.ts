import { type Expression, sql } from "kysely";
import type { Db } from "../database.ts";

/** The rows of several queries with different columns in one statement; `type` is that of their query. */
export async function rowsAsJson<Type extends string>(
  db: Db,
  queries: readonly { type: Type; query: Expression<unknown> }[],
): Promise<{ type: Type; row: Record<string, unknown> }[]> {
  const parts = queries.map(
    ({ type, query }) => sql`select ${type}::text as type, to_jsonb(it) as "row" from ${query} as it`,
  );
  const { rows } = await sql<{
    type: Type;
    row: Record<string, unknown>;
  }>`${sql.join(parts, sql` union all `)}`.execute(db);
  return rows;
}
