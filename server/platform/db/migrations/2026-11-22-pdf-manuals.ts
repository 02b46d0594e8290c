import { type Kysely, sql } from "kysely";

/** The PDF of a package's manual, or the request to build one on acceptance, or why there is none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table packages
      add column manual_digest text collate "C",
      add column manual_size bigint,
      add column manual_wanted boolean not null default false,
      add column manual_failure text`.execute(db);
  await sql`create index packages_manual on packages (manual_digest) where manual_digest is not null`.execute(db);
}
