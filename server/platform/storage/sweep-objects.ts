import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";
import type { Settings } from "../settings/settings.ts";
import type { ObjectStorage } from "./storage.ts";
import { sweepStore } from "./sweep-store.ts";

interface SweepDeps {
  db: Db;
  storage: ObjectStorage;
  settings: Pick<Settings, "storage.keepUnnamedHours">;
  clock: Clock;
}

/** Objects checked in one statement. */
const batch = 500;

/**
 * Removes the bytes that no record names any more and that no upload has named for a while.
 *
 * An upload writes the object's row, then the bytes, then locks the row while it writes the records that name it.
 * Here the row is locked from the last look at its references until the bytes are gone, so an upload of the same bytes
 * comes either before, and is seen, or after, finds no row and writes the bytes again. A crash in between leaves a row
 * without bytes that nothing names; the next sweep takes it.
 */
export async function sweepObjects(deps: SweepDeps): Promise<number> {
  const before = new Date(deps.clock().getTime() - deps.settings["storage.keepUnnamedHours"] * 3_600_000);
  let removed = 0;
  let after = "";
  for (;;) {
    const digests = await sweepStore(deps.db).unnamed(after, before, batch);
    for (const digest of digests) if (await sweep(deps, digest, before)) removed += 1;
    const last = digests.at(-1);
    if (last === undefined || digests.length < batch) return removed;
    after = last;
  }
}

async function sweep(
  { db, storage }: Pick<SweepDeps, "db" | "storage">,
  digest: string,
  before: Date,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await sweepStore(tx).removeUnnamed(digest, before))) return false;
    await storage.remove(digest);
    return true;
  });
}
