import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { Digests } from "../../platform/db/schema.ts";
import type { Block } from "../../publish/records/index-layout.ts";

/** Rows that repair corrects. */
export function repairStore(db: Db | Tx) {
  return {
    lockPackage: (id: number) =>
      db.selectFrom("packages").select(["active", "deleted"]).where("id", "=", id).forUpdate().executeTakeFirst(),

    async deactivate(id: number): Promise<void> {
      await db.updateTable("packages").set({ active: false }).where("id", "=", id).execute();
    },

    async setFile(id: number, size: number, digests: Digests): Promise<void> {
      await db
        .updateTable("packages")
        .set({ size, digests: JSON.stringify(digests) })
        .where("id", "=", id)
        .execute();
    },

    async setManualSize(id: number, size: number): Promise<void> {
      await db.updateTable("packages").set({ manual_size: size }).where("id", "=", id).execute();
    },

    /** False when the package has another manual by now. */
    async forgetManual(id: number, digest: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable("packages")
        .set({ manual_digest: null, manual_size: null, manual_wanted: true })
        .where("id", "=", id)
        .where("manual_digest", "=", digest)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async setServedSize(repositoryId: number, digest: string, size: number): Promise<void> {
      await db
        .updateTable("published_files")
        .set({ size })
        .where("repository_id", "=", repositoryId)
        .where("digest", "=", digest)
        .execute();
    },

    /** Damaged bytes are replaced; a block never changes otherwise. */
    async putBlock({ digest, bytes }: Block): Promise<void> {
      await db
        .insertInto("index_blocks")
        .values({ digest, bytes: Buffer.from(bytes) })
        .onConflict((conflict) => conflict.column("digest").doUpdateSet({ bytes: Buffer.from(bytes) }))
        .execute();
    },

    /**
     * Closes the files of parts that do not exist, as of the serial to which this change raises: a render looks only at
     * existing parts.
     */
    async closeStrays(repositoryId: number, at: Date): Promise<void> {
      await sql`
        update published_files as file
        set to_serial = (select serial + 1 from repositories where id = ${repositoryId}), withdrawn_on = ${at}
        where repository_id = ${repositoryId} and to_serial is null and not exists (
          select from index_parts where repository_id = ${repositoryId} and key = file.part and to_serial is null)`.execute(
        db,
      );
    },
  };
}
