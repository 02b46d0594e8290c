import { type Kysely, sql } from "kysely";

/**
 * Logins in the form in which they are compared, and what they look like. Both are null until the program has computed
 * them, also for accounts that the previous version creates while it still runs. Among earlier accounts whose logins
 * are now equal, the first has the key; the others sign in by the exact spelling.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column login_key text collate "C"`.execute(db);
  await sql`alter table users add column login_skeletons text[] collate "C"`.execute(db);
}
