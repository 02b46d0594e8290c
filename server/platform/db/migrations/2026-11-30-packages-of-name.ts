import { type Kysely, sql } from "kysely";

export const transaction = false;

/** All packages of a name, deleted ones too: for what the records know of a release, and for mirrors. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists packages_of_name`.execute(db);
  await sql`create index concurrently if not exists packages_of_name on packages (repository_id, normalized_name)`.execute(
    db,
  );
}
