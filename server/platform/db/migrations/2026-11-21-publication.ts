import { type Kysely, sql } from "kysely";

/**
 * What clients download, rendered when records change. Rows carry the serials for which they hold
 * (`from_serial` to before `to_serial`, null while current), so that every earlier state can be served again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table index_changes (
      id bigint generated always as identity primary key,
      repository_id integer not null references repositories on delete cascade,
      serial integer not null,
      names text[]
    )`.execute(db);
  await sql`create index index_changes_repository on index_changes (repository_id, serial)`.execute(db);

  await sql`
    create table index_blocks (
      digest text collate "C" primary key,
      bytes bytea not null
    )`.execute(db);

  await sql`
    create table index_parts (
      repository_id integer not null references repositories on delete cascade,
      key text collate "C" not null,
      from_serial integer not null,
      to_serial integer,
      content jsonb not null,
      primary key (repository_id, key, from_serial)
    )`.execute(db);
  await sql`create unique index index_parts_current on index_parts (repository_id, key) where to_serial is null`.execute(
    db,
  );
  await sql`create index index_parts_replaced on index_parts (repository_id, to_serial)`.execute(db);

  await sql`
    create table published_files (
      id bigint generated always as identity primary key,
      repository_id integer not null references repositories on delete cascade,
      part text collate "C" not null,
      path text collate "C" not null,
      digest text collate "C" not null,
      size bigint not null,
      metadata_digest text collate "C",
      from_serial integer not null,
      to_serial integer,
      withdrawn_on timestamptz,
      purged boolean not null default false
    )`.execute(db);
  await sql`create unique index published_files_current on published_files (repository_id, path) where to_serial is null`.execute(
    db,
  );
  await sql`create index published_files_path on published_files (repository_id, path)`.execute(db);
  await sql`create index published_files_part on published_files (repository_id, part) where to_serial is null`.execute(
    db,
  );
  await sql`create index published_files_digest on published_files (digest)`.execute(db);

  // Every replica caches the repositories that clients ask for, and is notified of each change at commit.
  await sql`
    create function tell_of_repository() returns trigger language plpgsql as $$
    begin
      perform pg_notify('repositories', coalesce(new.id, old.id) || ' ' || coalesce(new.rendered_serial, 0));
      return null;
    end $$`.execute(db);
  await sql`
    create trigger repositories_told after insert or update or delete on repositories
    for each row execute function tell_of_repository()`.execute(db);
}
