import type { Db, Tx } from "../../platform/db/database.ts";
import type { PackageRow } from "../../platform/db/schema.ts";

/** What packages record about their PDF manuals. */
export function manualStore(db: Db | Tx) {
  return {
    /** Accepted packages that wait for one. */
    async wanted(): Promise<number[]> {
      const rows = await db
        .selectFrom("packages")
        .select("id")
        .where("manual_wanted", "=", true)
        .where("active", "=", true)
        .where("deleted", "=", false)
        .execute();
      return rows.map(({ id }) => id);
    },

    package: (id: number): Promise<PackageRow | undefined> =>
      db.selectFrom("packages").selectAll().where("id", "=", id).executeTakeFirst(),

    async finish(
      packageId: number,
      result: { manual_failure: string } | { manual_digest: string; manual_size: number },
    ): Promise<void> {
      await db
        .updateTable("packages")
        .set({ ...result, manual_wanted: false })
        .where("id", "=", packageId)
        .execute();
    },
  };
}
