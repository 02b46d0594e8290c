import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { Database } from "./schema.ts";

export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

// Sizes and counts arrive as text by default, because a bigint may not fit. Ours do: bytes of files, numbers of rows.
const int8 = 20;
pg.types.setTypeParser(int8, Number);

export interface OpenDatabase {
  db: Db;
  /** For what needs a connection of its own: the job queue, LISTEN. */
  pool: pg.Pool;
  /** Has somebody told of every statement from now on. */
  observe(observer: (statement: SentStatement) => void): void;
  close(): Promise<void>;
}

export interface SentStatement {
  sql: string;
  parameters: readonly unknown[];
  tookMs: number;
  /** Why it failed. */
  error?: unknown;
}

/** `onStatement` is told of every statement that is sent; tests count and explain them. */
export function openDatabase(
  connection: pg.PoolConfig,
  onStatement?: (statement: SentStatement) => void,
): OpenDatabase {
  const observers = onStatement ? [onStatement] : [];
  const pool = new pg.Pool({ max: 10, ...connection });
  // A lost idle connection is replaced at its next use; without a listener it would end the process.
  pool.on("error", () => {});
  const db: Db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    log(event) {
      const { sql, parameters } = event.query;
      const error = event.level === "error" ? { error: event.error } : {};
      for (const observe of observers) observe({ sql, parameters, tookMs: event.queryDurationMillis, ...error });
    },
  });
  return { db, pool, observe: (observer) => observers.push(observer), close: () => db.destroy() };
}

const firstAnswerMs = 15_000;

/** Tries a server: why nothing can be done with it, undefined when it answers. No password stands in any reason. */
export async function connectionProblem(connectionString: string): Promise<string | undefined> {
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({ connectionString, connectionTimeoutMillis: firstAnswerMs });
    client.on("error", () => {}); // the answer below says it
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
      EAI_AGAIN: `the host ${host} cannot be looked up at the moment`,
      ECONNREFUSED: `nothing listens at port ${port} of ${host}`,
    };
    return reasons[word] ?? `the server at ${host} cannot be used (${word})`;
  } finally {
    await client?.end().catch(() => {});
  }
}

/** Whether a unique index refused the row; then somebody else was faster. */
export function violatesUnique(error: unknown, constraint?: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === "23505" &&
    (constraint === undefined || error.constraint === constraint)
  );
}
