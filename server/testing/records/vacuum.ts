import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";

/**
 * What autovacuum does to new rows within a minute: without it, PostgreSQL does not know that every transaction sees
 * them, and reads tables where indexes would do. Repeated while a transaction, such as autovacuum's own, has an older
 * view.
 */
export async function vacuum(db: Db): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    await sql`vacuum analyze`.execute(db);
    const { rows } = await sql`
      select from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
        and relpages > 100 and relallvisible < relpages * 0.98`.execute(db);
    if (rows.length === 0) return;
    await sleep(250);
  }
  throw new Error("transactions stayed open for so long that new rows could not be vacuumed");
}
