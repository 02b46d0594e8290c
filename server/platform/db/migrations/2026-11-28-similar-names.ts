import { type Kysely, sql } from "kysely";

export const transaction = false;

/** Names that differ in one place have a beginning or an end in common. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists packages_name_start`.execute(db);
  await sql`
    create index concurrently if not exists packages_name_start on packages (normalized_name collate "C")
      where active and not deleted`.execute(db);
  await sql`drop index concurrently if exists packages_name_end`.execute(db);
  await sql`
    create index concurrently if not exists packages_name_end on packages (reverse(normalized_name) collate "C")
      where active and not deleted`.execute(db);
}
