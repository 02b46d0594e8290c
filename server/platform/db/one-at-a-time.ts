import { setTimeout as sleep } from "node:timers/promises";
import { type Kysely, sql } from "kysely";

/**
 * Locks of the whole database that replicas hold while they start: while one migrates, and while one makes what is there
 * once, such as the tables of the queue and the first administrator.
 */
const locks = { migration: 3_853_314_791, start: 3_853_314_792 } as const;

const pollMs = 100;

/** Does the work while no other process that asks for the same lock does; a process that dies lets go of it. */
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
    // Asked for again and again: who waits inside of a statement holds a snapshot, for which an index that is built
    // concurrently would wait in turn.
    while (!(await taken())) await sleep(pollMs);
    try {
      return await work(connection);
    } finally {
      // A connection that was lost has let go of it already.
      await sql`select pg_advisory_unlock(${key})`.execute(connection).catch(() => {});
    }
  });
}
