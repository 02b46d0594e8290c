import { type Kysely, sql } from "kysely";

export const transaction = false;

/** One account per login, in any spelling. Rows without a key are left out, so all existing rows fit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists users_login_key`.execute(db);
  await sql`create unique index concurrently if not exists users_login_key on users (login_key) where not deleted`.execute(
    db,
  );
}
