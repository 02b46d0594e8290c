import type { Db, Tx } from "../../platform/db/database.ts";

/** Digests of the settings of the last start. */
export function settingDigests(db: Db | Tx) {
  return {
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
