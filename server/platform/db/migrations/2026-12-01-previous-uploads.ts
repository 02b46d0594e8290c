import { type Kysely, sql } from "kysely";

/** What a waiting file has replaced, so that reviewers see what changed since they last looked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table previous_uploads (
      submission_id integer primary key references submissions on delete cascade,
      digest text collate "C" not null,
      size bigint not null,
      file_name text collate "C" not null
    )`.execute(db);
  await sql`create index previous_uploads_digest on previous_uploads (digest)`.execute(db);
}
