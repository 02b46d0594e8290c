import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/database.ts";

/** Counts the events that fulfil conditions on their own columns; `key` tells the conditions apart. */
export type CountEvents = (key: string, conditions: readonly RawBuilder<boolean>[]) => Promise<number>;

interface Settled {
  /** How many there are up to and including the event with this id. */
  total: number;
  upTo: number;
  /** How many events purges had taken out by then; nothing else takes any out, whatever order they commit in. */
  purged: number;
  countedAt: number;
}

/** Ids are given before transactions end: what is younger than the newest by so many may still be joined by others. */
const unsettledIds = 1000;
/** However long a transaction may have been, its event is counted after so long. */
const trustedMs = 10 * 60_000;
const mostKeys = 500;

/**
 * A million events take some 200 ms to count, and every page says how many there are. But events are only added, so the
 * old ones need to be counted once; after that only those that came since.
 */
export function settledCounts(db: Db): CountEvents {
  const known = new Map<string, Settled>();

  return async (key, conditions) => {
    const before = known.get(key);
    const trusted = before && performance.now() - before.countedAt < trustedMs ? before : undefined;
    let found = await countAfter(trusted?.upTo ?? 0, conditions);
    let base = trusted?.total ?? 0;
    let countedAt = trusted?.countedAt ?? performance.now();
    if (trusted && found.purged !== trusted.purged) {
      found = await countAfter(0, conditions);
      base = 0;
      countedAt = performance.now();
    }
    known.delete(key);
    known.set(key, { total: base + found.settled, upTo: found.upTo, purged: found.purged, countedAt });
    const [oldest] = known.keys();
    if (known.size > mostKeys && oldest !== undefined) known.delete(oldest);
    return base + found.all;
  };

  async function countAfter(upTo: number, conditions: readonly RawBuilder<boolean>[]) {
    const { rows } = await sql<{ all: number; settled: number; upTo: number; purged: number }>`
      select counted.*, bounds.up_to as "upTo", bounds.purged
      from (
        select
          greatest(${upTo}, (select coalesce(max(id), 0) from events) - ${unsettledIds}::integer) as up_to,
          (select count(*) from events where purged) as purged
      ) as bounds
      cross join lateral (
        select count(*) as "all", count(*) filter (where events.id <= bounds.up_to) as settled
        from events where events.id > ${upTo} and ${sql.join(conditions, sql` and `)}
      ) as counted`.execute(db);
    const [row] = rows;
    if (!row) throw new Error("a count has one row");
    return row;
  }
}
