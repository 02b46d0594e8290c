import { type Kysely, sql } from "kysely";

export const transaction = false;

/** For lists that are sorted by addresses of users or by kind, and for the queue of the review desk. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists users_email`.execute(db);
  await sql`create index concurrently if not exists users_email on users (email, id)`.execute(db);
  await sql`drop index concurrently if exists packages_binary`.execute(db);
  await sql`create index concurrently if not exists packages_binary on packages (id) where kind = 'binary'`.execute(db);

  // With everything that the queue is sorted and filtered by.
  await sql`drop index concurrently if exists submissions_in_review`.execute(db);
  await sql`
    create index concurrently if not exists submissions_in_review
    on submissions (package_id) include (id, submitter_id, state, created_on) where state = 'WAITING'`.execute(db);
  await sql`drop index concurrently if exists submissions_waiting`.execute(db);

  await sql`drop index concurrently if exists packages_of_release`.execute(db);
  await sql`
    create index concurrently if not exists packages_of_release on packages (id)
    include (repository_id, technology, name, normalized_name, version_key, deleted, responsible_user_id)`.execute(db);
  await sql`drop index concurrently if exists packages_release`.execute(db);
}
