import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { Database } from "./schema.ts";
import { watchForSilence } from "./silent-database.ts";

export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

// Sizes and counts arrive as text by default, because a bigint may not fit. Ours do: bytes of files, numbers of rows.
const int8 = 20;
pg.types.setTypeParser(int8, Number);

/** What is still at work when the database is closed has so long to end. */
const graceMs = 1_000;

export interface OpenDatabase {
  db: Db;
  /** For what needs a connection of its own: the job queue, LISTEN. */
  pool: pg.Pool;
  /** Ends the connections, also those that are still in use a moment later. */
  close(): Promise<void>;
}

export interface SentStatement {
  sql: string;
  parameters: readonly unknown[];
}

/**
 * `onStatement` is told of every statement that is sent; tests count and explain them. Who waits longer than
 * `connectionTimeoutMillis` for one of the `max` connections is told that there is none.
 */
export function openDatabase(
  connection: pg.PoolConfig,
  onStatement?: (statement: SentStatement) => void,
): OpenDatabase {
  const pool = new pg.Pool({ max: 10, connectionTimeoutMillis: 5_000, keepAlive: true, ...connection });
  // A lost idle connection is replaced at its next use, and one that is in use says so to whoever uses it;
  // without listeners either would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const watch = watchForSilence(pool);
  const db: Db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    ...(onStatement ? { log: ({ query: { sql, parameters } }) => onStatement({ sql, parameters }) } : {}),
  });
  return {
    db,
    pool,
    async close() {
      watch.stop();
      const closed = db.destroy();
      // Work that was given up, such as a job that did not end in time, must not hold up the end.
      const late = () => sleep(graceMs, "late" as const, { ref: false });
      if ((await Promise.race([closed, late()])) !== "late") return;
      watch.cutAll();
      await Promise.race([closed, late()]);
    },
  };
}

/** Whether a unique index refused the row; then somebody else was faster. */
export function violatesUnique(error: unknown, constraint?: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === "23505" &&
    (constraint === undefined || error.constraint === constraint)
  );
}
