import type { Db, Tx } from "../../platform/db/database.ts";
import type { PasswordLinkRow } from "../../platform/db/schema.ts";

/** One-time links by which a user sets a password; only hashes of their secrets are kept. */
export function passwordLinks(db: Db | Tx) {
  return {
    /** A user has one link; a new one replaces it. */
    async save({ user_id, ...row }: PasswordLinkRow): Promise<void> {
      await db
        .insertInto("password_links")
        .values({ user_id, ...row })
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
        .execute();
    },

    async ownerOf(hash: string, now: Date): Promise<number | undefined> {
      const row = await db
        .selectFrom("password_links")
        .select("user_id")
        .where("value_hash", "=", hash)
        .where("expires_on", ">", now)
        .executeTakeFirst();
      return row?.user_id;
    },

    /** False when another request has already used it. */
    async use(hash: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom("password_links")
        .where("value_hash", "=", hash)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
