import { sql } from "kysely";
import { expect, test } from "vitest";
import { startPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage } from "../../testing/small-packages.ts";

test("a render that waits for a change of its repository holds nothing that the change needs", async () => {
  await using packhouse = await startPackhouse();
  const { db, publication } = packhouse.deps;
  const admin = await packhouse.as(packhouse.admin);
  const { id, name } = await packhouse.given.repository("R");
  const { http, data } = await admin.upload("R", await smallRPackage("tidepool", "1.0"), { repository: name });
  expect(http).toBe(201);
  await packhouse.removeJobsOf({ id });
  await db.transaction().execute(async (tx) => {
    await sql`update packages set active = false where id = ${data.packageBag.id}`.execute(tx);
    await publication.note(tx, id, ["tidepool"]);
  });

  const own = packhouse.openDatabase();
  await using _closing = { [Symbol.asyncDispose]: () => own.close() };
  await own.db.transaction().execute(async (change) => {
    await sql`select from repositories where id = ${id} for update`.execute(change);
    await publication.render(db, id);
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting.execute(db)).rows.length, { timeout: 30_000 }).toBe(1);
    await sql`set local lock_timeout = '200ms'`.execute(change);
    const taken = sql`update published_files set taken_down = true where repository_id = ${id} returning path`;
    expect((await taken.execute(change)).rows).toHaveLength(1);
  });

  const listed = async () => (await packhouse.anonymous.request(`/repo/${name}/src/contrib/PACKAGES`)).text();
  await expect.poll(listed, { timeout: 30_000 }).toBe("");
});
