import { createHash } from "node:crypto";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";

/** Each connection keeps the plans of its prepared statements in memory. */
const mostPrepared = 150;
/** A statement that is sent more rarely is not worth a plan. */
const usesBefore = 5;
const mostCounted = 2000;

/** Rows by their ids: whichever they are, the same plan is the best. */
const byIds = /\bid"? = (?:\$\d+|any\(\$\d+::integer\[\]\))(?: order by array_position\([^()]*\))?$/;
/** Pages and counts, whose best plan depends on the values. */
const ofMany = /\boffset\b|\bcount\(/;
/** All columns of a table, of which a replica of the next version may add one. */
const allColumns = /\.\*|\b(select|returning) \*/;
const noRows = /^\s*(begin|commit|rollback|start|set|lock|listen|notify)\b/;

/**
 * The beginning of a statement that is prepared although it counts or has a `*`: its best plan is the same whichever its
 * values are, and so are its columns.
 */
export const onePlan = "/* one plan */";

const begins = /^(begin|start transaction)\b/;

function isUnfit(text: string): boolean {
  const lowered = text.toLowerCase();
  if (lowered.startsWith(onePlan)) return false;
  if (noRows.test(lowered) || allColumns.test(lowered)) return true;
  return ofMany.test(lowered) && !byIds.test(lowered);
}

/** By which a connection knows a prepared statement. */
export const statementName = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** Which statements are prepared, for all connections of a pool. */
function recurringStatements(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  /** How often others have been sent; minus infinity for those that are never prepared. */
  const uses = new Map<string, number>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= mostPrepared) return known;
    const count = (uses.get(text) ?? (isUnfit(text) ? Number.NEGATIVE_INFINITY : 0)) + 1;
    if (uses.size >= mostCounted) uses.clear();
    uses.set(text, count);
    if (count < usesBefore) return undefined;
    uses.delete(text);
    const name = statementName(text);
    names.set(text, name);
    return name;
  };
}

/**
 * The pool for kysely, with statements that recur prepared: for most of ours, PostgreSQL takes longer to plan them than
 * to run them. The beginning of a transaction does not wait for an answer.
 */
export function preparingPool(pool: pg.Pool): PostgresPool {
  const nameOf = recurringStatements();
  // Kysely keeps what belongs to a connection by this object.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const preparing = (client: pg.PoolClient): PostgresPoolClient => {
    const plain = client as unknown as PostgresPoolClient; // as kysely takes it, by the documentation of both
    const send = (text: unknown, values?: readonly unknown[]) => {
      const name = typeof text === "string" && values ? nameOf(text) : undefined;
      return name === undefined
        ? plain.query(text as string, values ?? [])
        : client.query({ name, text: text as string, values: [...(values ?? [])] });
    };
    /** Sent together with the first statement of its transaction, which fails if it does. */
    let begin: Promise<unknown> | undefined;
    const query = async (text: unknown, values?: readonly unknown[]) => {
      if (typeof text === "string" && begins.test(text)) {
        begin = send(text, values);
        begin.catch(() => {}); // reported by the next statement
        return { command: "BEGIN", rowCount: 0, rows: [] };
      }
      const begun = begin;
      begin = undefined;
      const [result] = await Promise.all([send(text, values), begun]);
      return result;
    };
    return new Proxy(plain, {
      get: (target, property) => {
        if (property === "query") return query;
        const value: unknown = Reflect.get(target, property);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  };
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect();
      const known = clients.get(client) ?? preparing(client);
      clients.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };
}
