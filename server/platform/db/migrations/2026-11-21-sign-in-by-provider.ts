import { type Kysely, sql } from "kysely";

/** For provider users: the sign-in at the provider that issued their latest token. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column provider_sign_in text`.execute(db);
}
