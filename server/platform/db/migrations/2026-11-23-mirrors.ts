import { type Kysely, sql } from "kysely";

/** Mirrored repositories: what to read, what was read last, and the result. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mirrors (
      id integer generated always as identity primary key,
      repository_id integer not null references repositories on delete cascade,
      name text not null,
      uri text not null,
      schedule text,
      packages jsonb,
      generate_manuals boolean not null,
      started_on timestamptz,
      ended_on timestamptz,
      stored integer not null default 0,
      errors text[] not null default '{}',
      unique (repository_id, name)
    )`.execute(db);
  await sql`
    create table mirror_indexes (
      mirror_id integer not null references mirrors on delete cascade,
      address text collate "C" not null,
      wanted text not null,
      etag text,
      last_modified text,
      content jsonb not null,
      primary key (mirror_id, address)
    )`.execute(db);
  await sql`
    create table synchronizations (
      repository_id integer primary key references repositories on delete cascade,
      started_on timestamptz not null,
      ended_on timestamptz
    )`.execute(db);
}
