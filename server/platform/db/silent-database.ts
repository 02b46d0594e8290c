import type { Duplex } from "node:stream";
import pg from "pg";

/** A connection in use for this long triggers a check whether the database is still alive. */
const suspiciousMs = 3_000;
/** Long enough for a server that is merely busy. */
const answerWithinMs = 6_000;
const everyMs = 1_000;

export interface ConnectionWatch {
  stop(): void;
  /** Ends every connection that is in use. */
  cutAll(): void;
}

/**
 * A database that stops silently (a lost machine, a hanging process) would leave all callers waiting until TCP times
 * out. When connections are in use for some seconds, another one checks the server; if it does not answer, they are
 * cut, so that callers fail. Long-running work is left alone, since the database still answers.
 */
export function watchForSilence(pool: pg.Pool): ConnectionWatch {
  const usedSince = new Map<pg.PoolClient, number>();
  pool.on("acquire", (client) => usedSince.set(client, performance.now()));
  pool.on("release", (_error, client) => usedSince.delete(client));
  pool.on("remove", (client) => usedSince.delete(client));

  let asking = false;
  const timer = setInterval(async () => {
    const limit = performance.now() - suspiciousMs;
    const suspicious = () => [...usedSince].filter(([, since]) => since < limit).map(([client]) => client);
    if (asking || suspicious().length === 0) return;
    asking = true;
    if (!(await answers(pool.options))) for (const client of suspicious()) cut(client);
    asking = false;
  }, everyMs);
  timer.unref();
  return {
    stop: () => clearInterval(timer),
    cutAll: () => {
      for (const client of usedSince.keys()) cut(client);
    },
  };
}

async function answers(connection: pg.PoolConfig): Promise<boolean> {
  const limits = { connectionTimeoutMillis: answerWithinMs, query_timeout: answerWithinMs };
  // A pool's password is not enumerable.
  const client = new pg.Client({ ...connection, password: connection.password, ...limits });
  client.on("error", () => {}); // reported by the result below
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError; // it has refused us, so it is alive
  } finally {
    client.end().catch(() => {}); // do not wait for one that hangs
  }
}

/** Fails the callers of a client. Its own `end` would wait for the answers. */
function cut(client: pg.PoolClient & { connection?: { stream: Duplex } }): void {
  client.connection?.stream.destroy();
}
