import pg from "pg";

/** A connection that is used for so long makes us ask whether the database is still there. */
const suspiciousMs = 3_000;
/** Long enough for a server that is only busy. */
const answerWithinMs = 6_000;
const everyMs = 1_000;

export interface ConnectionWatch {
  stop(): void;
  /** Ends every connection that is in use. */
  cutAll(): void;
}

/**
 * A database that has stopped without a word (a machine that is gone, a process that hangs) would leave everybody waiting
 * for as long as TCP does. When connections are in use for some seconds, another one asks for a sign of life; without
 * one they are cut, so that those who wait are told. Work that only takes long is left alone, since the database answers.
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
  // A pool hides its password from being copied.
  const client = new pg.Client({ ...connection, password: connection.password, ...limits });
  client.on("error", () => {}); // the answer below says it
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError; // it has refused us, so it lives
  } finally {
    client.end().catch(() => {}); // one that hangs is not waited for
  }
}

/** A client that waits for an answer is ended by cutting its connection; what waits for it fails. */
function cut(client: pg.PoolClient & { end?: () => Promise<void> }): void {
  client.end?.().catch(() => {}); // it is of no use any more
}
