import { type Kysely, sql } from "kysely";

/**
 * Files taken down by users rather than replaced by publication: they have no grace period. `closed` ones are not
 * served even while an outdated index still names them. Take-downs and purges are noted for renders that read the
 * records before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table published_files
      add column taken_down boolean not null default false,
      add column closed boolean not null default false`.execute(db);
  await sql`
    create table removed_files (
      repository_id integer not null references repositories on delete cascade,
      digest text not null,
      purged boolean not null,
      primary key (repository_id, digest)
    )`.execute(db);
}
