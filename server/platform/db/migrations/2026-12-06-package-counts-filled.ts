import { type Kysely, sql } from "kysely";

/** Counts the packages that were there before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`insert into package_counts select * from package_count_corrections`.execute(db);
}
