import { type Kysely, sql } from "kysely";

/** How often each package file was downloaded, by day (UTC). The counts are deleted with their package. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table package_downloads (
      package_id integer not null references packages on delete cascade,
      day date not null,
      count bigint not null,
      primary key (package_id, day)
    )`.execute(db);
}
