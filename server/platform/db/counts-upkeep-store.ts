import { sql } from "kysely";
import type { Db } from "./database.ts";

/**
 * Replaces the rows of repositories that have changed by their sums. Rows of changes that are not committed yet are left
 * for next time.
 */
export async function sumPackageCounts(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Two of them might wait for each other's rows; changes, which only add rows, proceed.
    await sql`lock table package_counts in share update exclusive mode`.execute(tx);
    await sql`
      with summed as (
        delete from package_counts where repository_id = any(array(
          select repository_id from package_counts
          group by repository_id, technology, kind, mirrored, deleted, state having count(*) > 1))
        returning *)
      insert into package_counts
      select repository_id, technology, kind, mirrored, deleted, state, sum(number)
      from summed group by repository_id, technology, kind, mirrored, deleted, state having sum(number) <> 0`.execute(
      tx,
    );
  });
}

/** Repositories whose counts are wrong, and by how much; the name is null where there is none any more. */
export const wrongPackageCounts = (db: Db) =>
  db
    .selectFrom("package_count_corrections as correction")
    .leftJoin("repositories", "repositories.id", "repository_id")
    .select(["repository_id", "repositories.name", "repositories.technology"])
    .select(sql<number>`sum(abs(number))::integer`.as("difference"))
    .groupBy(["repository_id", "repositories.name", "repositories.technology"])
    .orderBy("repository_id")
    .execute();

export async function correctPackageCounts(db: Db): Promise<void> {
  await sql`insert into package_counts select * from package_count_corrections`.execute(db);
}
