import type { accessTokenList } from "@packhouse/contract/access-tokens";
import type { ListQuery } from "@packhouse/contract/list-contract";
import type { UserRef } from "@packhouse/contract/references";
import { type SelectQueryBuilder, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { Found } from "../../platform/db/pages/found.ts";
import { type FilterConditions, matches, pagedList } from "../../platform/db/pages/page.ts";
import type { SortColumns } from "../../platform/db/pages/sort-columns.ts";
import { userRef, userSorts } from "../../platform/db/pages/user-ref.ts";
import type { AccessTokenRow, Database } from "../../platform/db/schema.ts";
import { beginning } from "../../platform/db/short-texts.ts";
import { isOneOf } from "../../platform/db/statements/is-one-of.ts";

export interface AccessToken extends Omit<AccessTokenRow, "value_hash"> {
  user: UserRef;
}

const columns: SortColumns<typeof accessTokenList> = {
  id: sql`access_tokens.id`,
  name: beginning("access_tokens.name"),
  value: sql`access_tokens.id`,
  creationDate: sql`access_tokens.created_on`,
  expirationDate: sql`access_tokens.expires_on`,
  active: sql`access_tokens.active`,
  // Tokens are never soft-deleted; sorting by a constant would leave the order open.
  deleted: sql`access_tokens.id is null`,
  user: sql`users.name`,
  lastUsed: sql`access_tokens.last_used_on`,
  ...userSorts("users"),
};

/** All tokens, or only one owner's, then without the filter by owner. */
const filtersAt = (now: Date, ownerId: number | undefined): FilterConditions<typeof accessTokenList> => ({
  search: (text) => matches(text, "access_tokens.name"),
  active: (active) => sql`access_tokens.active = ${active}`,
  expired: (expired) => sql`(access_tokens.expires_on < ${now}) = ${expired}`,
  userLogin: (logins) => (ownerId === undefined ? sql`users.login = any(${logins})` : undefined),
});

const longestShownName = 1000;

type Query = SelectQueryBuilder<Database, "access_tokens" | "users", object>;

const joined = (db: Db | Tx): Query =>
  db.selectFrom("access_tokens").innerJoin("users", "users.id", "access_tokens.user_id");

// Earlier versions took names of any length.
const select = (query: Query) =>
  query
    .select(["access_tokens.id", "access_tokens.user_id", "access_tokens.active"])
    .select(sql<string>`left(access_tokens.name, ${sql.lit(longestShownName)})`.as("name"))
    .select(["access_tokens.created_on", "access_tokens.expires_on", "access_tokens.last_used_on"])
    .select(userRef("users").as("user"));

const page = pagedList<typeof accessTokenList, "access_tokens" | "users", AccessToken>({
  tables: joined,
  columns,
  id: columns.id,
  select,
});

export function accessTokens(db: Db | Tx) {
  return {
    /** All tokens, or one owner's. */
    find(
      query: ListQuery<typeof accessTokenList>,
      ownerId: number | undefined,
      now: Date,
    ): Promise<Found<AccessToken>> {
      const conditions = ownerId === undefined ? [] : [sql<boolean>`access_tokens.user_id = ${ownerId}`];
      return page({ db, query, filters: filtersAt(now, ownerId), conditions });
    },

    byId: (id: number): Promise<AccessToken | undefined> =>
      select(joined(db)).where("access_tokens.id", "=", id).executeTakeFirst(),

    /** Run by the caller, alone or within a larger statement. */
    ofIds: (ids: readonly number[]) => select(joined(db)).where(isOneOf("access_tokens.id", ids)),

    async lock(id: number): Promise<AccessToken | undefined> {
      await db.selectFrom("access_tokens").select("id").where("id", "=", id).forUpdate().execute();
      return select(joined(db)).where("access_tokens.id", "=", id).executeTakeFirst();
    },

    async insert(row: {
      user_id: number;
      name: string;
      value_hash: string;
      created_on: Date;
      expires_on: Date;
    }): Promise<number> {
      const { id } = await db.insertInto("access_tokens").values(row).returning("id").executeTakeFirstOrThrow();
      return id;
    },

    async update(id: number, changes: { name: string; active: boolean }): Promise<void> {
      await db.updateTable("access_tokens").set(changes).where("id", "=", id).execute();
    },

    /** Removes the token; its events are from then on for administrators only. */
    async purge(id: number): Promise<void> {
      await db
        .updateTable("events")
        .set({ purged: true })
        .where("resource_type", "=", "ACCESS_TOKEN")
        .where("resource_id", "=", id)
        .execute();
      await db.deleteFrom("access_tokens").where("id", "=", id).execute();
    },
  };
}
