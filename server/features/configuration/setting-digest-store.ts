import { randomBytes } from "node:crypto";
import type { Db, Tx } from "../../platform/db/database.ts";

const keyName = "setting-digests";

/** Digests of the settings of the last start. */
export function settingDigests(db: Db | Tx) {
  return {
    /** The key of the digests, created at the first start. */
    async key(now: Date): Promise<string> {
      await db
        .insertInto("secrets")
        .values({ name: keyName, value: randomBytes(32).toString("base64url"), created_on: now })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
      const { value } = await db
        .selectFrom("secrets")
        .select("value")
        .where("name", "=", keyName)
        .executeTakeFirstOrThrow();
      return value;
    },

    async all(): Promise<Map<string, string>> {
      const rows = await db.selectFrom("setting_digests").select(["name", "digest"]).execute();
      return new Map(rows.map(({ name, digest }) => [name, digest]));
    },

    async save(rows: readonly { name: string; digest: string; noted_on: Date }[]): Promise<void> {
      await db
        .insertInto("setting_digests")
        .values([...rows])
        .onConflict((conflict) =>
          conflict.column("name").doUpdateSet((row) => ({
            digest: row.ref("excluded.digest"),
            noted_on: row.ref("excluded.noted_on"),
          })),
        )
        .execute();
    },
  };
}
