import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import { preparingPool } from "./prepared/prepared-statements.ts";
import type { Database } from "./schema.ts";
import { watchForSilence } from "./silent-database.ts";

export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

// Bigints arrive as text by default, because they may not fit a number. Ours do: file sizes and row counts.
const int8 = 20;
pg.types.setTypeParser(int8, Number);

/** Grace period for running work when the database is closed. */
const graceMs = 1_000;

export interface OpenDatabase {
  db: Db;
  /** For users of a dedicated connection: the job queue, LISTEN. */
  pool: pg.Pool;
  /** Reports every statement from now on. */
  observe(observer: (statement: SentStatement) => void): void;
  /** Ends the connections; those still in use are cut after a moment. */
  close(): Promise<void>;
}

export interface SentStatement {
  sql: string;
  parameters: readonly unknown[];
  tookMs: number;
  /** Why it failed. */
  error?: unknown;
}

/**
 * `onStatement` is called with every statement that is sent; tests count and explain them. Waiting longer than
 * `connectionTimeoutMillis` for one of the `max` connections fails.
 */
export function openDatabase(
  connection: pg.PoolConfig,
  onStatement?: (statement: SentStatement) => void,
): OpenDatabase {
  const observers = onStatement ? [onStatement] : [];
  const pool = new pg.Pool({
    max: 10,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    pipeline: true,
    ...connection,
  });
  // A lost idle connection is replaced at its next use, and a lost connection in use fails its caller; without
  // listeners either would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const watch = watchForSilence(pool);
  const db: Db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: preparingPool(pool) }),
    log(event) {
      const { sql, parameters } = event.query;
      const error = event.level === "error" ? { error: event.error } : {};
      for (const observe of observers) observe({ sql, parameters, tookMs: event.queryDurationMillis, ...error });
    },
  });
  return {
    db,
    pool,
    observe: (observer) => observers.push(observer),
    async close() {
      watch.stop();
      // Kysely leaves a pool open that it has not used itself.
      const closed = db.destroy().then(() => (pool.ending ? undefined : pool.end()));
      // Abandoned work, such as a job that did not end in time, must not delay closing.
      const late = () => sleep(graceMs, "late" as const, { ref: false });
      if ((await Promise.race([closed, late()])) !== "late") return;
      watch.cutAll();
      await Promise.race([closed, late()]);
    },
  };
}

const firstAnswerMs = 15_000;

/** Tries a server: returns why it is unusable, or undefined if it answers. Reasons never contain a password. */
export async function connectionProblem(connectionString: string): Promise<string | undefined> {
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({ connectionString, connectionTimeoutMillis: firstAnswerMs });
    client.on("error", () => {}); // reported by the result below
    await client.connect();
    return undefined;
  } catch (error) {
    const word = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (!client) return `it cannot be read, or a file of a certificate that it names (${word})`;
    const { host, port, user, database } = client;
    const reasons: Record<string, string> = {
      "28P01": `the server refuses the password of ${user}`,
      "28000": `the server refuses ${user} from this machine`,
      "3D000": `the server has no database ${database}`,
      ENOTFOUND: `there is no host ${host}`,
      EAI_AGAIN: `the host ${host} cannot be looked up right now`,
      ECONNREFUSED: `nothing listens on port ${port} of ${host}`,
    };
    return reasons[word] ?? `the server at ${host} cannot be used (${word})`;
  } finally {
    await client?.end().catch(() => {});
  }
}

/** Whether PostgreSQL refused what a statement contains or clashes with, and so keeps nothing of its transaction. */
export const keepsNothing = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(22|23|40)/.test(error.code ?? "");

/** Whether a unique index refused the row because another transaction was faster. */
export function violatesUnique(error: unknown, constraint?: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === "23505" &&
    (constraint === undefined || error.constraint === constraint)
  );
}
