import { type Kysely, sql } from "kysely";

export const transaction = false;

/** One account per login, however it is spelled. Rows without a key are left out, so those that are there all fit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists users_login_key`.execute(db);
  await sql`create unique index concurrently if not exists users_login_key on users (login_key) where not deleted`.execute(
    db,
  );
}
