import { type Kysely, sql } from "kysely";

/** Groups of people from an identity provider, as their latest token said; access tokens count with them, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column groups text[] not null default '{}'`.execute(db);
}
