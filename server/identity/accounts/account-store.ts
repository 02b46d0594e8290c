import { rankOf } from "@packhouse/contract/roles";
import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { NewUserRow } from "../../platform/db/schema.ts";

/** Account changes made by sign-in and passwords; lists and roles belong to `features/users`. */
export function accounts(db: Db | Tx) {
  return {
    byId: (id: number): Promise<{ id: number } | undefined> =>
      db.selectFrom("users").select("id").where("id", "=", id).executeTakeFirst(),

    /** Undefined when issuer and subject, or the login, have an account. */
    async insert(row: NewUserRow): Promise<number | undefined> {
      const inserted = await db
        .insertInto("users")
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returning("id")
        .executeTakeFirst();
      return inserted?.id;
    },

    async hasLogin(login: string): Promise<boolean> {
      return (await db.selectFrom("users").select("id").where("login", "=", login).executeTakeFirst()) !== undefined;
    },

    async hasSubject(issuer: string, subject: string): Promise<boolean> {
      const row = await db
        .selectFrom("users")
        .select("id")
        .where("issuer", "=", issuer)
        .where("subject", "=", subject)
        .executeTakeFirst();
      return row !== undefined;
    },

    async hasAdministrator(): Promise<boolean> {
      const row = await db
        .selectFrom("users")
        .select("id")
        .where("rank", "=", rankOf("admin"))
        .where("active", "=", true)
        .where("deleted", "=", false)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The active administrator with the lowest id whose account has not expired. */
    async firstAdministrator(now: Date): Promise<number | undefined> {
      const row = await db
        .selectFrom("users")
        .select("id")
        .where("rank", "=", rankOf("admin"))
        .where("active", "=", true)
        .where("deleted", "=", false)
        .where((where) => where.or([where("expires_on", "is", null), where("expires_on", ">", now)]))
        .orderBy("id")
        .limit(1)
        .executeTakeFirst();
      return row?.id;
    },

    async makeAdministrator(id: number, passwordHash: string): Promise<void> {
      await db
        .updateTable("users")
        .set({ rank: rankOf("admin"), active: true, password_hash: passwordHash, password_change_required: false })
        .where("id", "=", id)
        .execute();
    },

    namesOf: (id: number): Promise<{ id: number; login: string; name: string }> =>
      db.selectFrom("users").select(["id", "login", "name"]).where("id", "=", id).executeTakeFirstOrThrow(),

    stateOf: (id: number): Promise<{ session_epoch: number; active: boolean; deleted: boolean }> =>
      db
        .selectFrom("users")
        .select(["session_epoch", "active", "deleted"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow(),

    lockPassword: (id: number): Promise<{ password_hash: string | null; session_epoch: number } | undefined> =>
      db
        .selectFrom("users")
        .select(["password_hash", "session_epoch"])
        .where("id", "=", id)
        .forUpdate()
        .executeTakeFirst(),

    async noteSignIn(
      { id, last_signed_in_on }: { id: number; last_signed_in_on: Date | null },
      now: Date,
    ): Promise<void> {
      await db
        .updateTable("users")
        .set({ previous_signed_in_on: last_signed_in_on, last_signed_in_on: now })
        .where("id", "=", id)
        .execute();
    },

    /**
     * Serializes changes that could remove the last administrator. Other transactions can still refer to the locked
     * users, as every event does.
     */
    async lockAdministrators(): Promise<void> {
      await db
        .selectFrom("users")
        .select("id")
        .where("rank", "=", rankOf("admin"))
        .orderBy("id")
        .forNoKeyUpdate()
        .execute();
    },

    async setPassword(id: number, hash: string, changeRequired: boolean): Promise<void> {
      await db
        .updateTable("users")
        .set({ password_hash: hash, password_change_required: changeRequired })
        .where("id", "=", id)
        .execute();
      await db.deleteFrom("password_links").where("user_id", "=", id).execute();
    },

    /** Session tokens signed before become invalid, also for replicas of earlier versions. */
    async endSessions(id: number): Promise<void> {
      await db.updateTable("users").set({ session_epoch: sql`session_epoch + 1` }).where("id", "=", id).execute();
      await db.deleteFrom("sessions").where("user_id", "=", id).execute();
    },

    /** Permanent: an inactive access token cannot be reactivated. */
    async deactivateAccessTokens(id: number): Promise<void> {
      await db
        .updateTable("access_tokens")
        .set({ active: false })
        .where("user_id", "=", id)
        .where("active", "=", true)
        .execute();
    },
  };
}
