import { type Kysely, sql } from "kysely";

/** Groups of provider users, according to their latest token; they also apply to access tokens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column groups text[] not null default '{}'`.execute(db);
}
