import { type Kysely, sql } from "kysely";

export const transaction = false;

/** Lists are filtered by origin; the index also holds what they are sorted and counted by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists packages_mirror`.execute(db);
  await sql`
    create index concurrently if not exists packages_mirror on packages (mirror, id)
    include (repository_id, responsible_user_id, technology, active, deleted, kind, name, version_order, replaces_id)`.execute(
    db,
  );
}
