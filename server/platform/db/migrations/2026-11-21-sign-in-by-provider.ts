import { type Kysely, sql } from "kysely";

/** Of people from an identity provider: by which sign-in there their latest token came to be. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column provider_sign_in text`.execute(db);
}
