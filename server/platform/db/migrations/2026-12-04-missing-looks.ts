import { type Kysely, sql } from "kysely";

export const transaction = false;

/** Each upload asks whether its repository has packages of earlier versions, without what their names look like. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists packages_missing_looks`.execute(db);
  await sql`
    create index concurrently if not exists packages_missing_looks
    on packages (repository_id) where name_look is null`.execute(db);
}
