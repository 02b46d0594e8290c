import { type Kysely, sql } from "kysely";

export const transaction = false;

/**
 * Lists begin a page with the order of a joined table, and look up the rows of each user or repository; for the rows of
 * an approver there was no index. The console sorts names in natural order.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists submissions_approver`.execute(db);
  await sql`create index concurrently if not exists submissions_approver on submissions (approver_id, id)`.execute(db);

  await sql`drop index concurrently if exists packages_name_natural`.execute(db);
  await sql`
    create index concurrently if not exists packages_name_natural on packages (name collate natural_order, id)`.execute(
    db,
  );

  await sql`drop index concurrently if exists repositories_source_order`.execute(db);
  await sql`
    create index concurrently if not exists repositories_source_order on repositories ((name || '/'))`.execute(db);
  await sql`drop index concurrently if exists repositories_name_natural`.execute(db);
  await sql`
    create index concurrently if not exists repositories_name_natural
    on repositories (name collate natural_order, id)`.execute(db);

  await sql`drop index concurrently if exists users_name_natural`.execute(db);
  await sql`
    create index concurrently if not exists users_name_natural on users (name collate natural_order, id)`.execute(db);
  await sql`drop index concurrently if exists users_login_order`.execute(db);
  await sql`create index concurrently if not exists users_login_order on users (login, id)`.execute(db);
}
