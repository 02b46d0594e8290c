import { type Kysely, sql } from "kysely";

/** The order in which people look for names: whatever their case, and with numbers by their value. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create collation if not exists natural_order (provider = icu, locale = 'und-u-kn-true')`.execute(db);
}
