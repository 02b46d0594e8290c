import type { AnyList, FilterValues } from "@packhouse/contract/list-contract";
import type { Technology } from "@packhouse/contract/technology";
import { type Expression, sql } from "kysely";
import type { Actor } from "../../http/actor.ts";
import { readable } from "../../identity/read-right-store.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { conditionsOf, type FilterConditions } from "../../platform/db/pages/page.ts";

/**
 * Filters as conditions on `package_counts`, the numbers of packages that the database keeps. As each package has one
 * submission, they are those of submissions, too.
 */
export type CountedFilters<L extends AnyList> = Partial<FilterConditions<L>>;

/** What lists of packages and of submissions have in common. */
export const onCounts = {
  repository: (names: readonly string[]) => sql<boolean>`
    repository_id = any(array(select id from repositories where name = any(${names})))`,
  technology: (technologies: readonly string[]) => sql<boolean>`technology = any(${technologies})`,
  state: (states: readonly string[]) => sql<boolean>`state = any(${states})`,
  binary: (binary: boolean) => sql<boolean>`kind = ${binary ? "binary" : "source"}`,
};

interface Counted<L extends AnyList> {
  counted: CountedFilters<L>;
  /** Of the request. */
  values: FilterValues<L>;
  actor: Actor;
  /** The technology of the list, if it has one. */
  only: Technology | undefined;
  /** How many of these the actor does not ask for. */
  without?: Expression<unknown> | undefined;
}

/** How many an actor finds, without looking at the rows; undefined if the request sets a filter that requires them. */
export function keptCount<L extends AnyList>(
  db: Db | Tx,
  { counted, values, actor, only, without = sql`0` }: Counted<L>,
): Expression<unknown> | undefined {
  const isKept = Object.entries(values).every(([name, value]) => value === undefined || name in counted);
  if (!isKept) return undefined;
  const conditions = [...readable(actor, sql`repository_id`), ...conditionsOf(counted, values)];
  if (only) conditions.push(sql<boolean>`technology = ${only}`);
  return db
    .selectFrom("package_counts")
    .select(sql<number>`coalesce(sum(number), 0) - (${without})`.as("count"))
    .where((where) => where.and(conditions));
}
