import type { ListQuery } from "@packhouse/contract/list-contract";
import type { UserRef } from "@packhouse/contract/references";
import type { sessionList } from "@packhouse/contract/sessions";
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { Found } from "../../platform/db/pages/found.ts";
import { type FilterConditions, pagedList } from "../../platform/db/pages/page.ts";
import type { SortColumns } from "../../platform/db/pages/sort-columns.ts";
import { userRef } from "../../platform/db/pages/user-ref.ts";
import type { Database, NewSessionRow, SessionRow } from "../../platform/db/schema.ts";
import type { SessionLimits } from "./current-session.ts";

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

/** Whether a session is still valid: neither too old nor unused for too long. */
export const goesOn = ({ now, idleSince }: { [Limit in keyof SessionLimits]: Date | RawBuilder<Date> }) =>
  sql<boolean>`(sessions.expires_on > ${now} and sessions.last_used_on > ${idleSince})`;

const joined = (db: Db | Tx): Query => db.selectFrom("sessions").innerJoin("users", "users.id", "sessions.user_id");

const page = pagedList<typeof sessionList, "sessions" | "users", Session>({
  tables: joined,
  columns,
  id: columns.id,
  select,
});

/** Sessions that are still valid; ended ones are never shown. */
export function sessions(db: Db | Tx, limits: SessionLimits) {
  return {
    /** Sessions of the users in the filter, or of one user only, regardless of the filter. */
    find(query: ListQuery<typeof sessionList>, ownerId: number | undefined): Promise<Found<Session>> {
      const conditions = [goesOn(limits)];
      if (ownerId !== undefined) conditions.push(sql<boolean>`sessions.user_id = ${ownerId}`);
      const filters: FilterConditions<typeof sessionList> = {
        userLogin: (logins) => (ownerId === undefined ? sql`users.login = any(${logins})` : undefined),
      };
      return page({ db, query, filters, conditions });
    },

    byId: (id: number): Promise<Session | undefined> =>
      select(joined(db).where(goesOn(limits)))
        .where("sessions.id", "=", id)
        .executeTakeFirst(),

    /** Removes sessions that have ended; returns their users. */
    async removeEnded(): Promise<number[]> {
      const ended = await db
        .deleteFrom("sessions")
        .where(sql<boolean>`not ${goesOn(limits)}`)
        .returning("user_id")
        .execute();
      return ended.map((row) => row.user_id);
    },
  };
}

/** Sessions, whether they have ended or not. */
export function anySessions(db: Db | Tx) {
  return {
    /** Adds a session; the user's oldest ones beyond `most` end. */
    async add(row: NewSessionRow, most: number): Promise<void> {
      await db.insertInto("sessions").values(row).execute();
      await db
        .deleteFrom("sessions")
        .where("id", "in", (query) =>
          query
            .selectFrom("sessions as latest")
            .select("latest.id")
            .where("latest.user_id", "=", row.user_id)
            .orderBy("latest.last_used_on", "desc")
            .orderBy("latest.id", "desc")
            .offset(most),
        )
        .execute();
    },

    async noteUse(id: number, now: Date, address: string): Promise<void> {
      await db.updateTable("sessions").set({ last_used_on: now, address }).where("id", "=", id).execute();
    },

    /** False if it had already ended. */
    async end(id: number): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom("sessions").where("id", "=", id).executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** Ends all sessions of a user but one; returns how many. */
    async endOthers(userId: number, except: number): Promise<number> {
      const ended = await db
        .deleteFrom("sessions")
        .where("user_id", "=", userId)
        .where("id", "<>", except)
        .returning("id")
        .execute();
      return ended.length;
    },
  };
}
