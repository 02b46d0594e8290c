import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import type { Statistics } from "./metrics.ts";

/** Given up after so long, so that a scrape never weighs on a database that is slow already. */
const longestMs = 2000;

/** Two short looks at small tables: what waits to be rendered, and what waits to be run. */
export function readStatistics(db: Db, now: Date): Promise<Statistics> {
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(longestMs)}`.execute(tx);
    const { rows } = await sql<{ behind: number; oldest: Date | null }>`
      select (select count(*) from repositories where serial > rendered_serial) as behind,
        (select min(noted_on) from index_changes) as oldest`.execute(tx);
    const [publication] = rows;
    // The queue looks after its own tables; this one is read and no more.
    const waiting = await sql<{ name: string; count: number }>`
      select name, count(*) as count from jobs.job
      where state in ('created', 'retry') and start_after <= ${now} group by name`.execute(tx);
    return {
      repositoriesBehind: publication?.behind ?? 0,
      publicationLagSeconds: publication?.oldest
        ? Math.max(0, (now.getTime() - publication.oldest.getTime()) / 1000)
        : 0,
      jobsWaiting: new Map(waiting.rows.map(({ name, count }) => [name, count])),
    };
  });
}
