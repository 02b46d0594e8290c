import { type Kysely, sql } from "kysely";

/**
 * Places outside of this server that hold a copy of a repository, and their content as far as we know. A copy outlives
 * its repository until its place is emptied, so nothing refers to `repositories`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table repository_copies (
      id integer generated always as identity primary key,
      repository_id integer not null,
      technology text not null,
      target text not null,
      place text collate "C" not null,
      wanted boolean not null,
      serial integer not null default 0,
      attempted_serial integer not null default 0,
      failures integer not null default 0,
      next_attempt_on timestamptz,
      unique (repository_id, target, place)
    )`.execute(db);
  await sql`create index repository_copies_place on repository_copies (target, place)`.execute(db);
  await sql`
    create table pushed_files (
      copy_id integer not null references repository_copies on delete cascade,
      path text collate "C" not null,
      digest text collate "C" not null,
      primary key (copy_id, path)
    )`.execute(db);
}
