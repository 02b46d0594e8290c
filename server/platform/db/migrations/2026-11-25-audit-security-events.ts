import { type Kysely, sql } from "kysely";

/**
 * Security events have a table of their own: earlier versions list every row of `events` and know no other kinds, and
 * there rows are never merged or removed. No foreign keys: their subjects may be gone, and writing one blocks no one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table security_events (
      id integer generated always as identity primary key,
      occurred_on timestamptz not null,
      last_on timestamptz not null,
      count integer not null default 1,
      event_type text not null,
      detail text not null,
      user_id integer,
      account_id integer,
      subject text,
      address text collate "C",
      resource_type text not null,
      resource_id integer not null,
      technology text collate "C",
      repository_id integer,
      package_id integer,
      changed_properties jsonb not null,
      merge_key text collate "C" unique
    )`.execute(db);
  await sql`create index security_events_time on security_events (occurred_on desc, id)`.execute(db);
  await sql`create index security_events_type on security_events (event_type, occurred_on desc)`.execute(db);
  await sql`create index security_events_account on security_events (account_id, occurred_on desc)`.execute(db);
  await sql`create index security_events_user on security_events (user_id, occurred_on desc)`.execute(db);
  await sql`create index security_events_address on security_events (address, occurred_on desc)`.execute(db);
  // As `folded` in db/page.ts compares names.
  await sql`
    create index security_events_subject on security_events (lower(subject collate "und-x-icu"))
    where subject is not null`.execute(db);
  await sql`
    create index security_events_personal on security_events (last_on)
    where address is not null or subject is not null`.execute(db);

  await sql`
    create table setting_digests (
      name text primary key,
      digest text not null,
      noted_on timestamptz not null
    )`.execute(db);
}
