import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";
import type { Settings } from "../settings/settings.ts";
import type { ObjectStorage } from "./storage.ts";

interface Place {
  db: Db;
  storage: ObjectStorage;
  settings: Pick<Settings, "storage.keepUnnamedHours">;
  clock: Clock;
}

/** Objects looked at in one statement. */
const batch = 500;

/**
 * Removes the bytes that no record names any more and that no upload has named for a while.
 *
 * An upload writes the object's row, then the bytes, then locks the row while it writes the records that name it.
 * Here the row is locked from the last look at its references until the bytes are gone, so an upload of the same bytes
 * comes either before, and is seen, or after, finds no row and writes the bytes again. A crash in between leaves a row
 * without bytes that nothing names; the next sweep takes it.
 */
export async function sweepObjects(deps: Place): Promise<number> {
  const before = new Date(deps.clock().getTime() - deps.settings["storage.keepUnnamedHours"] * 3_600_000);
  let removed = 0;
  let after = "";
  for (;;) {
    const { rows } = await unnamed(after, before).execute(deps.db);
    for (const { digest } of rows) if (await sweep(deps, digest, before)) removed += 1;
    const last = rows.at(-1);
    if (!last || rows.length < batch) return removed;
    after = last.digest;
  }
}

const lock = sql`hashtext('packhouse sweep')`;

/** Lets nothing be removed until the connection ends: a backup reads bytes that rows of its snapshot name. */
export async function holdOffSweep(connection: Db): Promise<void> {
  await sql`select pg_advisory_lock_shared(${lock})`.execute(connection);
}

async function sweep({ db, storage }: Pick<Place, "db" | "storage">, digest: string, before: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const locked = await tx
      .selectFrom("objects")
      .select("digest")
      .where("digest", "=", digest)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!locked) return false;
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${lock}) as free`.execute(tx);
    if (!rows[0]?.free) return false;
    // A statement of its own: it sees what was committed before the lock was had.
    const { numDeletedRows } = await tx
      .deleteFrom("objects")
      .where("digest", "=", digest)
      .where("last_put_on", "<=", before)
      .where(isUnnamed)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    await storage.remove(digest);
    return true;
  });
}

/** Files of earlier states of an index count as named, except those that were purged. */
const isUnnamed = sql<boolean>`not exists (select from packages where packages.digest = objects.digest)
  and not exists (select from packages where packages.manual_digest = objects.digest)
  and not exists (select from published_files where published_files.digest = objects.digest and not purged)`;

const unnamed = (after: string, before: Date) => sql<{ digest: string }>`
  select digest from objects where digest > ${after} and last_put_on <= ${before} and ${isUnnamed}
  order by digest limit ${batch}`;
