import type { ListQuery } from "@packhouse/contract/list-contract";
import type { candidateList } from "@packhouse/contract/maintainers";
import type { UserRef } from "@packhouse/contract/references";
import { rankOf } from "@packhouse/contract/roles";
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";
import type { Found } from "../../platform/db/pages/found.ts";
import { type FilterConditions, matches, pagedList } from "../../platform/db/pages/page.ts";
import type { SortColumns } from "../../platform/db/pages/sort-columns.ts";

const columns: SortColumns<typeof candidateList> = {
  id: sql`users.id`,
  name: sql`users.name`,
  login: sql`users.login`,
  email: sql`users.email`,
};

const filters: FilterConditions<typeof candidateList> = {
  search: (text) => matches(text, "name", "login", "email"),
};

const page = pagedList<typeof candidateList, "users", UserRef>({
  tables: (db) => db.selectFrom("users"),
  columns,
  id: columns.id,
  select: (found) => found.select(["id", "name", "login", "email"]),
});

/** Active users whose role is high enough to maintain packages. */
export function findCandidates(db: Db, query: ListQuery<typeof candidateList>): Promise<Found<UserRef>> {
  const conditions = [sql<boolean>`active and not deleted and rank >= ${rankOf("packagemaintainer")}`];
  return page({ db, query, filters, conditions });
}
