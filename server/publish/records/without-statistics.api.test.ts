import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Tx } from "../../platform/db/database.ts";
import { startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { fillRepository } from "../../testing/records/full-repositories.ts";
import { takeDownPublishedFile } from "./take-down.ts";

let it: TestPackhouse;
beforeAll(async () => {
  it = await startPackhouse();
});
afterAll(() => it.close());

/** How many rows of these tables the transaction has read so far. */
async function rowsRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as read from pg_stat_xact_user_tables
    where relname in ('packages', 'published_files')`.execute(tx);
  return rows[0]?.read ?? Number.NaN;
}

test("a file is taken down without reading those of all packages, by a plan from when there were none", async () => {
  const { id } = await it.given.repository("R");
  await it.deps.db.transaction().execute(async (tx) => {
    await sql`set local plan_cache_mode = force_generic_plan`.execute(tx);
    for (let uses = 0; uses < 10; uses += 1) await takeDownPublishedFile(tx, id, `of no package ${uses}`);
    await fillRepository(tx, { id, technology: "R" }, { names: 1000, versions: 1 });
    await sql`
      insert into published_files (repository_id, part, path, digest, size, from_serial)
      select repository_id, 'p', 'src/contrib/' || file_name, digest, size, 1 from packages
      where repository_id = ${id}`.execute(tx);
    const packaged = await tx.selectFrom("packages").select(["id", "digest"]).limit(1).executeTakeFirstOrThrow();
    await tx.updateTable("packages").set({ active: false }).where("id", "=", packaged.id).execute();

    const before = await rowsRead(tx);
    await takeDownPublishedFile(tx, id, packaged.digest);
    expect((await rowsRead(tx)) - before).toBeLessThan(20);
    const down = await tx.selectFrom("published_files").select("digest").where("taken_down", "=", true).execute();
    expect(down).toEqual([{ digest: packaged.digest }]);
  });
});
