import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";

/** Counts the events that fulfil conditions on their own columns; `key` tells the conditions apart. */
export type CountEvents = (key: string, conditions: readonly RawBuilder<boolean>[]) => Promise<number>;

interface Settled {
  /** How many there are up to and including the event with this id. */
  total: number;
  upTo: number;
  /** Changes when events were taken out. */
  takenOut: number;
  countedAt: number;
}

/** Ids are given before transactions end: what is younger than the newest by so many may still be joined by others. */
const unsettledIds = 1000;
/** However long a transaction may have been, its event is counted after so long. */
const trustedMs = 10 * 60_000;
const mostKeys = 500;

/** What changes when events are taken out of a table: by purges here, there by their age, the first ones first. */
const takenOut = {
  events: sql`(select count(*) from events where purged)`,
  security_events: sql`(select coalesce(min(id), 0) from security_events)`,
};

/**
 * A million events take some 200 ms to count, and every page says how many there are. But events are only added, so the
 * old ones need to be counted once; after that only those that came since.
 */
export function settledCounts(db: Db | Tx, table: keyof typeof takenOut): CountEvents {
  const known = new Map<string, Settled>();
  const name = sql.table(table);

  return async (key, conditions) => {
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
    known.set(key, { total: base + found.settled, upTo: found.upTo, takenOut: found.takenOut, countedAt });
    const [oldest] = known.keys();
    if (known.size > mostKeys && oldest !== undefined) known.delete(oldest);
    return base + found.all;
  };

  async function countAfter(upTo: number, conditions: readonly RawBuilder<boolean>[]) {
    const { rows } = await sql<{ all: number; settled: number; upTo: number; takenOut: number }>`
      select counted.*, bounds.up_to as "upTo", bounds.taken_out as "takenOut"
      from (
        select
          greatest(${upTo}, (select coalesce(max(id), 0) from ${name}) - ${unsettledIds}::integer) as up_to,
          ${takenOut[table]} as taken_out
      ) as bounds
      cross join lateral (
        select count(*) as "all", count(*) filter (where ${name}.id <= bounds.up_to) as settled
        from ${name} where ${name}.id > ${upTo} and ${sql.join(conditions, sql` and `)}
      ) as counted`.execute(db);
    const [row] = rows;
    if (!row) throw new Error("a count has one row");
    return row;
  }
}
