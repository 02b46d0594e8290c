import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { inDatabaseOf, startProduct } from "./product.ts";

const longestMs = 180_000;

/** Builds the demo in a folder, with its waiting releases inspected. */
export async function buildDemoData(dataDir: string): Promise<void> {
  await using product = await startProduct({ demo: true, dataDir, keepsData: true });
  await inDatabaseOf(product, async (db) => {
    const unfinished = sql`
      select from jobs.job_common
      where name like 'inspect%' and state < 'completed' and start_after <= now() limit 1`;
    const deadline = Date.now() + longestMs;
    while ((await unfinished.execute(db)).rows.length > 0) {
      if (Date.now() > deadline) throw new Error("the releases of the demo were not inspected in time");
      await sleep(100);
    }
  });
}
