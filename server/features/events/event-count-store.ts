import { hash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";

/** Counts the events that fulfill conditions on their own columns; `key` identifies the conditions. */
export type CountEvents = (key: string, conditions: readonly RawBuilder<boolean>[]) => Promise<number>;

interface StableCount {
  /** How many there are up to and including the event with this id. */
  total: number;
  upTo: number;
  /** Changes when events were removed. */
  takenOut: number;
  countedAt: number;
}

/** Ids are assigned before transactions commit: events within this distance of the newest may still gain neighbors. */
const recentIds = 1000;
/** How long a count is reused; counting again then finds events of transactions that took very long. */
const trustedMs = 10 * 60_000;
const mostKeys = 500;

/** Changes when events are removed from a table: from this one by purges, from the other by age, oldest first. */
const takenOut = {
  events: sql`(select count(*) from events where purged)`,
  security_events: sql`(select coalesce(min(id), 0) from security_events)`,
};

/**
 * Counting a million events takes some 200 ms, and every page shows the total. But events are only added, so the old
 * ones need to be counted once; after that only those that came since.
 */
export function stableCounts(db: Db | Tx, table: keyof typeof takenOut): CountEvents {
  const known = new Map<string, StableCount>();
  const name = sql.table(table);

  return async (longKey, conditions) => {
    // It may have everything that an address has.
    const key = hash("sha256", longKey);
    const before = known.get(key);
    const trusted = before && performance.now() - before.countedAt < trustedMs ? before : undefined;
    let found = await countAfter(trusted?.upTo ?? 0, conditions);
    let base = trusted?.total ?? 0;
    let countedAt = trusted?.countedAt ?? performance.now();
    if (trusted && found.takenOut !== trusted.takenOut) {
      found = await countAfter(0, conditions);
      base = 0;
      countedAt = performance.now();
    }
    known.delete(key);
    known.set(key, { total: base + found.stable, upTo: found.upTo, takenOut: found.takenOut, countedAt });
    const [oldest] = known.keys();
    if (known.size > mostKeys && oldest !== undefined) known.delete(oldest);
    return base + found.all;
  };

  async function countAfter(upTo: number, conditions: readonly RawBuilder<boolean>[]) {
    const { rows } = await sql<{ all: number; stable: number; upTo: number; takenOut: number }>`
      select counted.*, bounds.up_to as "upTo", bounds.taken_out as "takenOut"
      from (
        select
          greatest(${upTo}, (select coalesce(max(id), 0) from ${name}) - ${recentIds}::integer) as up_to,
          ${takenOut[table]} as taken_out
      ) as bounds
      cross join lateral (
        select count(*) as "all", count(*) filter (where ${name}.id <= bounds.up_to) as stable
        from ${name} where ${name}.id > ${upTo} and ${sql.join(conditions, sql` and `)}
      ) as counted`.execute(db);
    const [row] = rows;
    if (!row) throw new Error("a count has one row");
    return row;
  }
}
