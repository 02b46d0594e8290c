import { type Kysely, sql } from "kysely";

/** A run clears the errors of the one before when it begins, and mail about these may still have to be sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mirrors add column failing boolean`.execute(db);
}
