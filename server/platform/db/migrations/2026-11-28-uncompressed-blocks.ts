import { type Kysely, sql } from "kysely";

/** Trying to compress blocks took half of the time of a render, and half of them are compressed already. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table index_blocks alter column bytes set storage external`.execute(db);
}
