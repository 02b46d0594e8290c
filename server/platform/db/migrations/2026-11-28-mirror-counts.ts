import { type Kysely, sql } from "kysely";

/** How many errors, clashes and skipped files the last run of a mirror had in all; their lists keep the first ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mirrors add column counts jsonb`.execute(db);
}
