import { type Kysely, sql } from "kysely";

/**
 * Facts read from the archive of a package on upload, so that requests do not have to open it. A job fills in packages
 * without a row, and rows written by another version of the reader.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table package_facts (
      package_id integer primary key references packages on delete cascade,
      version integer not null,
      facts jsonb not null
    )`.execute(db);
}
