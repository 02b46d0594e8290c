import { type Kysely, sql } from "kysely";

/**
 * Sessions by password, so that they can be listed and ended; one-time links by which people set a password; whether a
 * password is temporary. A sign-in that is being checked counts as failed until it succeeds; `pending` distinguishes
 * it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sessions (
      id integer generated always as identity primary key,
      user_id integer not null references users on delete cascade,
      key uuid not null unique,
      device text collate "C" not null,
      address text collate "C" not null,
      created_on timestamptz not null,
      last_used_on timestamptz not null,
      expires_on timestamptz not null
    )`.execute(db);
  await sql`create index sessions_user on sessions (user_id, last_used_on)`.execute(db);
  await sql`create index sessions_expiry on sessions (expires_on)`.execute(db);
  await sql`
    create table password_links (
      user_id integer primary key references users on delete cascade,
      value_hash text not null unique,
      created_on timestamptz not null,
      expires_on timestamptz not null
    )`.execute(db);
  await sql`alter table users add column password_change_required boolean not null default false`.execute(db);
  await sql`alter table sign_in_failures add column pending boolean not null default false`.execute(db);
}
