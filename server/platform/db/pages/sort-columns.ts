import type { AnyList, SortOf } from "@packhouse/contract/list-contract";
import { type RawBuilder, sql } from "kysely";

/** The SQL of each sort field of a list; the compiler requires every one in the contract. */
export type SortColumns<L extends AnyList> = Record<SortOf<L>, RawBuilder<unknown>>;

/** The rows of a list by a sort column, in parts that each have an order of their own. */
interface Parts {
  /** Exactly one of them is true of each row. */
  conditions: readonly RawBuilder<boolean>[];
  /** Whether all rows of a part have the same value, so that its order is that of the ids. */
  constant: boolean;
}

/** What the search for a page may assume about a sort column. */
interface Known {
  /** Every row of the list has a value. */
  inEveryRow?: true;
  /** Its order is that of these columns, one after the other. */
  consists?: readonly RawBuilder<unknown>[];
  parts?: Parts;
}

const known = new WeakMap<RawBuilder<unknown>, Known>();

export const knownOf = (column: RawBuilder<unknown>): Known => known.get(column) ?? {};

function knowing<Column extends RawBuilder<unknown>>(column: Column, it: Known): Column {
  known.set(column, it);
  return column;
}

/**
 * A sort column of a joined table that has a row, with a value, for each row of the list: PostgreSQL may then read that
 * table in its order and look up the list's rows, instead of sorting all of them. Without this, a left join has to start
 * from the list's own table.
 */
export const always = <Column extends RawBuilder<unknown>>(column: Column): Column =>
  knowing(column, { inEveryRow: true });

/** A sort by one text whose order is that of several columns, one after the other, for which there are indexes. */
export const concatenated = (...columns: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  knowing(sql.join([...columns], sql` || `), { consists: columns });

/**
 * A sort column with few values, all of which are given: the rows with each are found in the order of their ids, and no
 * more of them than the page may show. An index could do the same in one direction only.
 */
export function ofFew(column: RawBuilder<unknown>, values: readonly unknown[]): RawBuilder<unknown> {
  const conditions = values.map((value) => sql<boolean>`${column} = ${value}`);
  // A new object: the same column may be sorted by as it is elsewhere.
  return knowing(sql`${column}`, { parts: { conditions, constant: true } });
}

/** A sort column of a joined table that some rows of the list, those with `missing`, have no row in. */
export function sometimes(column: RawBuilder<unknown>, missing: RawBuilder<boolean>): RawBuilder<unknown> {
  const conditions = [sql<boolean>`${column} is not null`, missing];
  return knowing(sql`${column}`, { parts: { conditions, constant: false } });
}
