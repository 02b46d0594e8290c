import { setTimeout as sleep } from "node:timers/promises";
import { type Kysely, sql } from "kysely";

/**
 * Database-wide locks that replicas hold during startup: while one migrates, and while one creates singletons, such as
 * the queue's tables and the first administrator.
 */
const locks = { migration: 3_853_314_791, start: 3_853_314_792 } as const;

const pollMs = 100;

/** Does the work under an exclusive lock, which is released if the process dies. */
export async function oneAtATime<Tables, Result>(
  db: Kysely<Tables>,
  lock: keyof typeof locks,
  work: (connection: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const key = locks[lock];
  return db.connection().execute(async (connection) => {
    const taken = async () => {
      const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${key}) as taken`.execute(connection);
      return rows[0]?.taken ?? false;
    };
    // Polls: waiting inside a statement would hold a snapshot, which a concurrent index build would in turn wait for.
    while (!(await taken())) await sleep(pollMs);
    try {
      return await work(connection);
    } finally {
      // A lost connection has already released it.
      await sql`select pg_advisory_unlock(${key})`.execute(connection).catch(() => {});
    }
  });
}
