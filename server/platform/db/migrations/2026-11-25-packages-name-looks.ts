import { type Kysely, sql } from "kysely";

export const transaction = false;

/** Names that look alike are found by what they look like. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists packages_name_look`.execute(db);
  await sql`create index concurrently if not exists packages_name_look on packages (repository_id, name_look)`.execute(
    db,
  );
}
