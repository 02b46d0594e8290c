import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/database.ts";
import { waitingMigrations } from "../../platform/db/migrate.ts";
import { type ObjectStorage, stage } from "../../platform/storage/storage.ts";
import { type Finding, ok, problem, reasonOf, warning } from "./finding.ts";
import { doctorStore } from "./store.ts";

const oldestMajor = 15;
const highPageCost = 2;
const noticedSkewMs = 2000;
const badSkewMs = 60_000;
const probeBytes = 1024 * 1024;

export async function checkDatabase(db: Db, clock: Clock): Promise<Finding[]> {
  try {
    const before = clock().getTime();
    const row = await doctorStore(db).databaseServer();
    if (!row) return [];
    const between = (before + clock().getTime()) / 2;
    const major = Math.floor(row.version / 10_000);
    const waiting = await waitingMigrations(db);
    return [
      major < oldestMajor
        ? problem("database", `PostgreSQL ${major}`, `PostgreSQL ${oldestMajor} is the oldest supported version.`)
        : ok("database", `PostgreSQL ${major} responds`),
      waiting.length > 0
        ? warning("migrations", `${waiting.length} pending`, "`packhouse migrate` or the next start applies them.")
        : ok("migrations", "none pending"),
      row.pageCost > highPageCost
        ? warning(
            "planner",
            `random_page_cost is ${row.pageCost}, the value for spinning disks`,
            "On SSDs, 1.1 makes lists faster (docs/storage.md).",
          )
        : ok("planner", `random_page_cost is ${row.pageCost}`),
      skewOf(Math.round(row.now.getTime() - between)),
    ];
  } catch (error) {
    return [
      problem("database", `it cannot be used: ${reasonOf(error)}`, "Make sure that it runs, and check databaseUrl."),
    ];
  }
}

function skewOf(skewMs: number): Finding {
  const seen = `the database's is ${Math.abs(skewMs)} ms ${skewMs < 0 ? "behind" : "ahead"}`;
  const advice = "Synchronize the clocks of both machines with NTP: sessions, tokens and snapshots depend on them.";
  if (Math.abs(skewMs) > badSkewMs) return problem("clock", seen, advice);
  return Math.abs(skewMs) > noticedSkewMs ? warning("clock", seen, advice) : ok("clock", seen);
}

/** Writes unique bytes, reads them and removes them. */
export async function checkStorage(storage: ObjectStorage): Promise<Finding> {
  const check = "storage";
  try {
    const bytes = randomBytes(probeBytes);
    const started = performance.now();
    const staged = await stage(storage, chunkOf(bytes), probeBytes);
    const digest = staged.digests.sha256;
    try {
      await staged.keep();
      const written = performance.now();
      const same = (await buffer(await storage.read(digest))).equals(bytes);
      const read = performance.now();
      if (!same)
        return problem(check, "the bytes read differ from the bytes written", "Do not use it; check its hardware.");
      const speeds = `1 MiB written in ${Math.round(written - started)} ms, read in ${Math.round(read - written)} ms`;
      return ok(check, speeds);
    } finally {
      await staged.discard();
      await storage.remove(digest);
    }
  } catch (error) {
    return problem(
      check,
      `cannot write, read or remove an object: ${reasonOf(error)}`,
      "Check permissions, free space and address.",
    );
  }
}

async function* chunkOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
