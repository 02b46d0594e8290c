import type { ListQuery } from "@packhouse/contract/list-contract";
import type { UserRef } from "@packhouse/contract/references";
import type { sessionList } from "@packhouse/contract/sessions";
import { type SelectQueryBuilder, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { Found } from "../../platform/db/found.ts";
import { type FilterConditions, findPage, type SortColumns } from "../../platform/db/page.ts";
import type { Database, SessionRow } from "../../platform/db/schema.ts";
import { userRef } from "../../platform/db/user-ref.ts";
import type { goesOn } from "./current-session.ts";

export interface Session extends Omit<SessionRow, "key"> {
  user: UserRef;
}

const columns: SortColumns<typeof sessionList> = {
  id: sql`sessions.id`,
  device: sql`sessions.device`,
  address: sql`sessions.address`,
  created: sql`sessions.created_on`,
  lastUsed: sql`sessions.last_used_on`,
  expires: sql`sessions.expires_on`,
};

type Query = SelectQueryBuilder<Database, "sessions" | "users", object>;

const select = (query: Query) =>
  query
    .select(["sessions.id", "sessions.user_id", "sessions.device", "sessions.address"])
    .select(["sessions.created_on", "sessions.last_used_on", "sessions.expires_on"])
    .select(userRef("users").as("user"));

/** Sessions that are still valid; ended ones are never shown. */
export function sessions(db: Db | Tx, whichGoOn: ReturnType<typeof goesOn>) {
  const joined = (): Query =>
    db.selectFrom("sessions").innerJoin("users", "users.id", "sessions.user_id").where(whichGoOn);
  return {
    /** Those of the users that the filter names, or one user's own: then no other user can be asked for. */
    find(query: ListQuery<typeof sessionList>, ownerId: number | undefined): Promise<Found<Session>> {
      const conditions = ownerId === undefined ? [] : [sql<boolean>`sessions.user_id = ${ownerId}`];
      const filters: FilterConditions<typeof sessionList> = {
        userLogin: (logins) => (ownerId === undefined ? sql`users.login = any(${logins})` : undefined),
      };
      return findPage({ tables: joined(), filters, conditions, query, columns, id: columns.id, select });
    },

    byId: (id: number): Promise<Session | undefined> =>
      select(joined()).where("sessions.id", "=", id).executeTakeFirst(),
  };
}
