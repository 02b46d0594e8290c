import { type Kysely, sql } from "kysely";

/**
 * Since when a change has been waiting to be rendered. Null for changes noted by the previous version while it still
 * runs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table index_changes add column noted_on timestamptz`.execute(db);
}
