import type { ListQuery } from "@packhouse/contract/list-contract";
import type { candidateList } from "@packhouse/contract/maintainers";
import type { UserRef } from "@packhouse/contract/references";
import { rankOf } from "@packhouse/contract/roles";
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";
import type { Found } from "../../platform/db/found.ts";
import { contains, type FilterConditions, findPage, folded, type SortColumns } from "../../platform/db/page.ts";

const columns: SortColumns<typeof candidateList> = {
  id: sql`users.id`,
  name: sql`users.name`,
  login: sql`users.login`,
  email: sql`users.email`,
};

const filters: FilterConditions<typeof candidateList> = {
  search: (text) => {
    const pattern = contains(text);
    return sql`(${folded("name")} like ${pattern} or ${folded("login")} like ${pattern} or ${folded("email")} like ${pattern})`;
  },
};

/** Active users whose role is high enough to maintain packages. */
export function findCandidates(db: Db, query: ListQuery<typeof candidateList>): Promise<Found<UserRef>> {
  const conditions = [sql<boolean>`active and not deleted and rank >= ${rankOf("packagemaintainer")}`];
  return findPage({
    tables: db.selectFrom("users"),
    filters,
    conditions,
    query,
    columns,
    id: columns.id,
    select: (found) => found.select(["id", "name", "login", "email"]),
  });
}
