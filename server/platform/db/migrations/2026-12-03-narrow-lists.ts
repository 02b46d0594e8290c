import { type Kysely, sql } from "kysely";

export const transaction = false;

/**
 * With these, the wide rows are read for a page only: the queue of the review desk groups waiting files by the release
 * that they belong to, and each technology has a list of its own submissions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists submissions_waiting`.execute(db);
  await sql`
    create index concurrently if not exists submissions_waiting
    on submissions (package_id) include (id, submitter_id, state) where state = 'WAITING'`.execute(db);

  await sql`drop index concurrently if exists packages_release`.execute(db);
  await sql`
    create index concurrently if not exists packages_release
    on packages (id) include (repository_id, normalized_name, version_key, deleted, responsible_user_id)`.execute(db);

  await sql`drop index concurrently if exists submissions_technology`.execute(db);
  await sql`
    create index concurrently if not exists submissions_technology
    on submissions (technology, id) include (package_id, state)`.execute(db);
}
