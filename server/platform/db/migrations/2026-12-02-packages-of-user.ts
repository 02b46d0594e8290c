import { type Kysely, sql } from "kysely";

export const transaction = false;

/**
 * Lists that are sorted by users look up the packages of each. With what such lists filter by, the index alone says which
 * of them are listed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists packages_of_user`.execute(db);
  await sql`
    create index concurrently if not exists packages_of_user
    on packages (responsible_user_id, id) include (technology, deleted, repository_id)`.execute(db);
  await sql`drop index concurrently if exists packages_responsible`.execute(db);
}
