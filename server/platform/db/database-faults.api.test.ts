import { chownSync, statSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { replace, startPackhouse, type TestAnswer, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallDisk } from "../../testing/small-disk.ts";
import { smallRPackage } from "../../testing/small-packages.ts";

const mebibyte = 1024 * 1024;

const refusalOf = ({ http, messageCode, headers }: TestAnswer) => [http, messageCode, headers.get("retry-after")];
const unavailable = [503, "service.unavailable", "5"];

/** The database administrator, with a connection that the product never ends. */
async function operator(packhouse: TestPackhouse) {
  const database = packhouse.openDatabaseAsAdministrator();
  return {
    run: (statement: string) => database.pool.query(statement),
    connection: () => database.pool.connect(),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

async function waitingForLock(dba: Awaited<ReturnType<typeof operator>>): Promise<number> {
  const { rows } = await dba.run(
    "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length;
}

test("requests that wait too long for a connection get 503, and are served when one is free", async () => {
  await using packhouse = await startPackhouse({ settings: { "database.poolSize": 2, "database.waitMs": 3000 } });
  await using dba = await operator(packhouse);
  const admin = await packhouse.as(packhouse.admin);
  const list = () => admin.get("/packages");
  // Both connections are open after that.
  for (const { http } of await Promise.all([list(), list()])) expect(http).toBe(200);
  const holder = await dba.connection();
  await holder.query("begin; lock table packages, package_counts in access exclusive mode");
  // Its page and its count are asked for at the same time.
  const connected = list();
  await vi.waitUntil(async () => (await waitingForLock(dba)) === 2, { timeout: 30_000 });
  const started = performance.now();
  const calls = await Promise.all(Array.from({ length: 6 }, list));
  for (const call of calls) expect(refusalOf(call)).toEqual(unavailable);
  expect(performance.now() - started).toBeLessThan(20_000);
  await holder.query("rollback");
  holder.release();
  expect((await connected).http).toBe(200);
  expect((await list()).http).toBe(200);
  const metrics = await (await packhouse.bySession(packhouse.admin)).request("/actuator/prometheus");
  expect(await metrics.text()).toContain('packhouse_unavailable_total{reason="database"} 6\n');
});

test("a read-only database fails writes and serves reads", async () => {
  await using packhouse = await startPackhouse();
  await using dba = await operator(packhouse);
  // The last use of an access token would be recorded.
  const admin = await packhouse.bySession(packhouse.admin);
  const { id } = await packhouse.given.repository("R");
  const edit = () => admin.patch(`/r/repositories/${id}`, [replace("/redirectToSource", true)]);
  const everyConnection = async (mode: "on" | "off") => {
    await dba.run(`alter database ${packhouse.database} set default_transaction_read_only = ${mode}`);
    // As in a failover: existing connections are ended, even while in use.
    await dba.run(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
  };
  await everyConnection("on");
  // The first call may still meet a connection that has just been ended.
  await vi.waitUntil(async () => (await admin.get("/packages")).http === 200, { timeout: 10_000 });
  expect(refusalOf(await edit())).toEqual(unavailable);
  // The connection of this one is read-only, too, unless it says otherwise.
  await dba.run("set default_transaction_read_only = off");
  await everyConnection("off");
  await vi.waitUntil(async () => (await edit()).http === 200, { timeout: 10_000 });
});

test("a call whose connection is ended midway gets 503, and has changed nothing", async () => {
  await using packhouse = await startPackhouse();
  await using dba = await operator(packhouse);
  const admin = await packhouse.as(packhouse.admin);
  const repository = await packhouse.given.repository("R");
  const holder = await dba.connection();
  await holder.query(`begin; select from repositories where id = ${repository.id} for update`);
  const upload = smallRPackage("tidepool", "1.0").then((file) =>
    admin.upload("R", file, { repository: repository.name }),
  );
  await vi.waitUntil(
    async () => {
      const { rowCount } = await dba.run(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rowCount !== 0;
    },
    { timeout: 20_000 },
  );
  expect(refusalOf(await upload)).toEqual(unavailable);
  await holder.query("rollback");
  holder.release();
  expect((await admin.get("/r/packages")).data.page.totalElements).toBe(0);
  const again = await admin.upload("R", await smallRPackage("tidepool", "1.0"), { repository: repository.name });
  expect(again.http).toBe(201);
});

const { folder: disk, mounted } = smallDisk(16, "The test of a full disk of the database");

test.runIf(mounted)(
  "an upload when the disk of the database is full gets 507, loses nothing, and others go on",
  async () => {
    await using packhouse = await startPackhouse();
    await using dba = await operator(packhouse);
    const admin = await packhouse.as(packhouse.admin);
    const repository = await packhouse.given.repository("R");
    const upload = async (name: string) =>
      admin.upload("R", await smallRPackage(name, "1.0"), { repository: repository.name });
    expect((await upload("before")).http).toBe(201);

    const { rows } = await dba.run("show data_directory");
    const { uid, gid } = statSync(z.object({ data_directory: z.string() }).parse(rows[0]).data_directory);
    chownSync(disk, uid, gid);
    const space = `small_${packhouse.database}`;
    await dba.run(`create tablespace ${space} location '${disk}'`);
    try {
      await dba.run(`alter table packages set tablespace ${space}`);
      await dba.run(`create table ballast (filling text) tablespace ${space}`);
      await dba.run("alter table ballast alter filling set storage external"); // not compressed
      const fill = (bytes: number) =>
        dba.run(`insert into ballast select repeat(md5(random()::text), 240) from generate_series(1, ${bytes / 8192})`);
      // Until not even a page fits.
      for (let bytes = 8 * mebibyte; bytes >= 8192; ) await fill(bytes).catch(() => (bytes /= 2));
      const statuses = new Set<number>();
      for (let count = 0; count < 25 && !statuses.has(507); count += 1) {
        const answer = await upload(`filling${count}`);
        statuses.add(answer.http);
        if (answer.http === 507) expect(answer.messageCode).toBe("storage.full");
      }
      expect([...statuses].filter((status) => status !== 201)).toEqual([507]);
      expect((await admin.get("/packages")).http).toBe(200);
      const kept = await packhouse.deps.db.selectFrom("packages").select("name").execute();
      const submissions = await packhouse.deps.db.selectFrom("submissions").select("id").execute();
      expect(submissions.length).toBe(kept.length);

      await dba.run("drop table ballast");
      await dba.run("checkpoint"); // which frees the space
      expect((await upload("after")).http).toBe(201);
    } finally {
      await dba.run("drop table if exists ballast");
      await dba.run("alter table packages set tablespace pg_default");
      await dba.run(`drop tablespace ${space}`);
    }
  },
  120_000,
);
