import { sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";
import { reviewersNeed } from "./named-object-store.ts";

const lock = sql`hashtext('packhouse sweep')`;

/** Prevents removals until the connection ends: a backup reads bytes that rows of its snapshot name. */
export async function holdOffSweep(connection: Db): Promise<void> {
  await sql`select pg_advisory_lock_shared(${lock})`.execute(connection);
}

/** Files of earlier states of an index count as named, except those that were purged. */
const isUnnamed = sql<boolean>`not exists (select from packages where packages.digest = objects.digest)
  and not exists (select from packages where packages.manual_digest = objects.digest)
  and not exists (select from published_files where published_files.digest = objects.digest and not purged)
  and not exists (select from previous_uploads where previous_uploads.digest = objects.digest
    and ${sql.raw(reviewersNeed)})`;

export function sweepStore(db: Db | Tx) {
  return {
    /** Digests that no record names and that were last stored before a given time, in order, after another one. */
    async unnamed(after: string, before: Date, most: number): Promise<string[]> {
      const { rows } = await sql<{ digest: string }>`
        select digest from objects where digest > ${after} and last_put_on <= ${before} and ${isUnnamed}
        order by digest limit ${most}`.execute(db);
      return rows.map(({ digest }) => digest);
    },

    /** Removes the row of an object unless someone uses it; it stays locked until the transaction ends. */
    async removeUnnamed(digest: string, before: Date): Promise<boolean> {
      const locked = await db
        .selectFrom("objects")
        .select("digest")
        .where("digest", "=", digest)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (!locked) return false;
      const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${lock}) as free`.execute(db);
      if (!rows[0]?.free) return false;
      // A separate statement, which sees everything committed before the lock was acquired.
      const { numDeletedRows } = await db
        .deleteFrom("objects")
        .where("digest", "=", digest)
        .where("last_put_on", "<=", before)
        .where(isUnnamed)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
