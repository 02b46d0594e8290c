import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import type { Statistics } from "./metrics.ts";

/** Given up after this time, so that a scrape never burdens an already slow database. */
const longestMs = 2000;

/** Short queries: what waits to be rendered, decided and run. */
export function readStatistics(db: Db, now: Date): Promise<Statistics> {
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(longestMs)}`.execute(tx);
    const { rows } = await sql<{ behind: number; oldest: Date | null }>`
      select (select count(*) from repositories where serial > rendered_serial) as behind,
        (select min(noted_on) from index_changes) as oldest`.execute(tx);
    const [publication] = rows;
    const { rows: byUser } = await sql<Statistics["waiting"]>`
      select coalesce(sum(submissions), 0)::bigint as submissions, coalesce(sum(bytes), 0)::bigint as bytes,
        coalesce(max(submissions), 0) as "mostOfUser", coalesce(max(bytes), 0) as "mostBytesOfUser"
      from (
        select count(*) as submissions, sum(packages.size)::bigint as bytes
        from submissions join packages on packages.id = submissions.package_id
        where submissions.state = 'WAITING' and not packages.deleted group by submissions.submitter_id) as of_user`.execute(
      tx,
    );
    // The queue owns its tables; this one is only read.
    const waiting = await sql<{ name: string; count: number }>`
      select name, count(*) as count from jobs.job
      where state in ('created', 'retry') and start_after <= ${now} group by name`.execute(tx);
    return {
      waiting: byUser[0] ?? { submissions: 0, bytes: 0, mostOfUser: 0, mostBytesOfUser: 0 },
      repositoriesBehind: publication?.behind ?? 0,
      publicationLagSeconds: publication?.oldest
        ? Math.max(0, (now.getTime() - publication.oldest.getTime()) / 1000)
        : 0,
      jobsWaiting: new Map(waiting.rows.map(({ name, count }) => [name, count])),
    };
  });
}
