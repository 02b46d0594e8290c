import { rankOf } from "@packhouse/contract/roles";
import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";

/** What sign-in and passwords change of accounts; lists and roles are those of `features/users`. */
export function accounts(db: Db | Tx) {
  return {
    byId: (id: number): Promise<{ id: number } | undefined> =>
      db.selectFrom("users").select("id").where("id", "=", id).executeTakeFirst(),

    /**
     * Changes that could take the last administrator away come one after the other.
     * The lock lets others refer to these people meanwhile, as every event does.
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

    /** Tokens of sessions that were signed before are void, also for replicas of earlier versions. */
    async endSessions(id: number): Promise<void> {
      await db.updateTable("users").set({ session_epoch: sql`session_epoch + 1` }).where("id", "=", id).execute();
      await db.deleteFrom("sessions").where("user_id", "=", id).execute();
    },

    /** For good: an inactive access token cannot be activated again. */
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
