import { type Kysely, sql } from "kysely";

/**
 * What users get mail about, until it is sent; notices of waiting submissions and of tokens stay, so that a cancellation
 * reaches those who got mail, and a token is only mentioned once. A notice ends with the record that it is about.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table user_settings add column mail jsonb not null default '{}'`.execute(db);
  await sql`
    create table mail_notices (
      id integer generated always as identity primary key,
      user_id integer not null references users on delete cascade,
      kind text collate "C" not null,
      submission_id integer references submissions on delete cascade,
      access_token_id integer references access_tokens on delete cascade,
      mirror_id integer references mirrors on delete cascade,
      due_on timestamptz not null,
      batch uuid,
      unknown_outcomes integer not null default 0,
      sent_on timestamptz,
      check (num_nonnulls(submission_id, access_token_id, mirror_id) = 1)
    )`.execute(db);
  await sql`
    create unique index mail_notices_once
    on mail_notices (user_id, kind, submission_id, access_token_id, mirror_id) nulls not distinct`.execute(db);
  await sql`create index mail_notices_due on mail_notices (due_on) where sent_on is null`.execute(db);
  await sql`create index mail_notices_submission on mail_notices (submission_id)`.execute(db);
  await sql`create index mail_notices_access_token on mail_notices (access_token_id)`.execute(db);
  await sql`create index mail_notices_mirror on mail_notices (mirror_id)`.execute(db);
}
