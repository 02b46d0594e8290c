import { type Kysely, sql } from "kysely";

/**
 * What was read from the archive of a package when it came, so that no reader waits for its archive. Packages without a
 * row, and rows of another version of the reading, are filled by a job.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table package_facts (
      package_id integer primary key references packages on delete cascade,
      version integer not null,
      facts jsonb not null
    )`.execute(db);
}
