import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { z } from "zod";
import { Obstacle } from "../../errors/operator-error.ts";

/** An arbitrary number that no other lock of ours uses. */
const key = 8_017_000;
const waitMs = 5_000;
const lookAgainMs = 250;
const tryAgainMs = 1_000;

const asked = z.object({ rows: z.tuple([z.object({ taken: z.boolean() })]) });
const holder = z.object({ rows: z.array(z.object({ name: z.string() })) });

export interface OneServer {
  release(): Promise<void>;
}

/**
 * Only one server may use a data folder. The lock belongs to a connection, so it is released when its process ends for
 * any reason, and it is taken again when the database returns after an outage.
 */
export async function beTheOneServer(connection: pg.ClientConfig, dataDir: string, log: Logger): Promise<OneServer> {
  let held = await take(connection, dataDir);
  let released = false;
  const keep = () => {
    held.once("end", async () => {
      while (!released) {
        await sleep(tryAgainMs, undefined, { ref: false });
        const again = await take(connection, dataDir).catch((error: unknown) => {
          if (error instanceof Obstacle) log.error(error.message);
        });
        if (!again) continue;
        held = again;
        if (released) await held.end();
        else keep();
        return;
      }
    });
  };
  keep();
  return {
    async release() {
      released = true;
      await held.end().catch(() => {}); // lost with its database
    },
  };
}

async function take(connection: pg.ClientConfig, dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, keepAlive: true, application_name: `server, process ${process.pid}` });
  client.on("error", () => {}); // "end" follows
  try {
    await client.connect();
    // The connection of a just-killed server ends in a moment; a stopping server needs longer.
    for (const deadline = Date.now() + waitMs; ; await sleep(lookAgainMs)) {
      const [{ taken }] = asked.parse(await client.query(`select pg_try_advisory_lock(${key}) as taken`)).rows;
      if (taken) return client;
      if (Date.now() > deadline) break;
    }
    const { rows } = holder.parse(
      await client.query(
        `select application_name as name from pg_locks join pg_stat_activity using (pid)
         where locktype = 'advisory' and objid = ${key} and granted`,
      ),
    );
    throw new Obstacle(
      `Another Packhouse (${rows[0]?.name ?? "unknown"}) uses the data folder ${dataDir}. Stop it, or name another folder in PACKHOUSE_DATA_DIR.`,
    );
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}
