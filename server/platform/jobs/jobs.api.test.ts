import { setTimeout as sleep } from "node:timers/promises";
import { isLong } from "@packhouse/fixtures/long-form";
import pg from "pg";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { createJobs, type Jobs } from "./jobs.ts";
import { createListener } from "./listener.ts";

const log = pino({ level: "silent" });

/** The jobs of one replica, with its handler for one kind. */
async function replicaOf(
  packhouse: TestPackhouse,
  work: (packageId: number) => Promise<void>,
  most: Parameters<Jobs["work"]>[2] = {},
) {
  const database = packhouse.openDatabase();
  const listener = createListener(database.pool.options, log);
  const jobs = createJobs(database, listener, log);
  jobs.work(
    "build-manual",
    async (payloads) => {
      for (const { packageId } of payloads) await work(packageId);
    },
    most,
  );
  await jobs.start();
  return {
    jobs,
    async end(withinMs: number) {
      await jobs.stop(withinMs);
      await listener.close();
      await database.close();
    },
  };
}

test.runIf(isLong)(
  "a job that does not end in time when its server stops goes to another server immediately",
  async () => {
    await using packhouse = await startPackhouse();
    await packhouse.packhouse.close(); // its own workers would take the jobs
    const done: string[] = [];
    let began = 0;
    const stopping = await replicaOf(packhouse, async (packageId) => {
      began += 1;
      if (packageId === 1) await new Promise(() => {});
      done.push(`${packageId} by the one that stops`);
    });
    await stopping.jobs.enqueue(packhouse.openDatabase().db, "build-manual", { packageId: 1 });
    await vi.waitUntil(() => began === 1, { timeout: 10_000 });

    const other = await replicaOf(packhouse, async (packageId) => {
      done.push(`${packageId} by the other`);
    });
    const stoppedAt = performance.now();
    await stopping.end(1_000);
    expect(performance.now() - stoppedAt).toBeLessThan(15_000);
    // Long before a missing heartbeat is noticed, which takes half a minute.
    await vi.waitUntil(() => done.length > 0, { timeout: 20_000 });
    await other.end(5_000);
    expect(done).toEqual(["1 by the other"]);
  },
);

test("a start changes the queues that other options made, and no others", async () => {
  await using packhouse = await startPackhouse();
  const { rows: before } = await packhouse.pool.query("select name, updated_on, retry_limit from jobs.queue");
  await packhouse.pool.query("update jobs.queue set retry_limit = 3 where name = 'send-mail'");
  await packhouse.pool.query("update jobs.schedule set cron = '0 0 1 1 *' where name = 'collect-mail'");
  const replica = await replicaOf(packhouse, async () => {});
  const changed = before.map((row) => ({
    ...row,
    updated_on: row.name === "send-mail" ? expect.any(Date) : row.updated_on,
  }));
  const { rows: after } = await packhouse.pool.query("select name, updated_on, retry_limit from jobs.queue");
  expect(after).toHaveLength(before.length);
  expect(after).toEqual(expect.arrayContaining(changed));
  const { rows } = await packhouse.pool.query("select cron from jobs.schedule where name = 'collect-mail'");
  expect(rows).toEqual([{ cron: "2 * * * *" }]);
  await replica.end(5_000);
});

test("a job that is due later is taken soon after that, although another worker of its kind is busy", async () => {
  await using packhouse = await startPackhouse();
  await packhouse.packhouse.close();
  const release = Promise.withResolvers<void>();
  const begun: number[] = [];
  const replica = await replicaOf(
    packhouse,
    async (packageId) => {
      begun.push(packageId);
      if (packageId === 1) await release.promise;
    },
    { batchSize: 1, localConcurrency: 2 },
  );
  const { db } = packhouse.openDatabase();
  await replica.jobs.enqueue(db, "build-manual", { packageId: 1 });
  await replica.jobs.enqueue(db, "build-manual", { packageId: 2 }, 1);
  await replica.jobs.enqueue(db, "build-manual", { packageId: 3 }, 2);
  // A worker by itself asks once a minute.
  await vi.waitUntil(() => begun.length === 3, { timeout: 20_000 });
  expect(begun).toEqual([1, 2, 3]);
  release.resolve();
  await replica.end(5_000);
});

test("an idle server asks for jobs of all kinds together", async () => {
  await using idle = await startPackhouse();
  const jobs = async (which: string) => (await idle.pool.query(`select from jobs.job where ${which}`)).rows.length;
  // What the start has caused.
  await vi.waitUntil(async () => (await jobs("state < 'completed' and start_after < now()")) === 0, {
    timeout: 60_000,
  });
  const before = await jobs("state = 'completed'");
  const sent = vi.spyOn(pg.Client.prototype, "query");
  await sleep(6_000); // fixed wait: what happens in a time is counted
  const texts = sent.mock.calls.map(([query]) =>
    typeof query === "string" ? query : z.object({ text: z.string() }).parse(query).text,
  );
  expect(texts.some((text) => text.includes("select distinct name from jobs.job"))).toBe(true);
  sent.mockRestore();
  // Workers that ask for themselves send some 40 in this time. A scheduled job may have been due.
  const done = (await jobs("state = 'completed'")) - before;
  expect(texts.filter((text) => /\bnext AS \(/.test(text)).length).toBeLessThan(10 + 2 * done);
}, 120_000);

test("jobs that are taken one at a time follow each other immediately", async () => {
  await using packhouse = await startPackhouse();
  await packhouse.packhouse.close();
  const done: number[] = [];
  const replica = await replicaOf(
    packhouse,
    async (packageId) => {
      done.push(packageId);
    },
    { batchSize: 1, localConcurrency: 1 },
  );
  const started = performance.now();
  const { db } = packhouse.openDatabase();
  await db.transaction().execute(async (tx) => {
    for (let packageId = 1; packageId <= 20; packageId += 1)
      await replica.jobs.enqueue(tx, "build-manual", { packageId });
  });
  await vi.waitUntil(() => done.length === 20, { timeout: 90_000 });
  // The queue by itself waits seconds after each.
  expect(performance.now() - started).toBeLessThan(30_000);
  await replica.end(5_000);
});

test.runIf(isLong)(
  "changes share a job that is needed only if the process ends, and it runs after all of them",
  async () => {
    await using packhouse = await startPackhouse();
    await packhouse.packhouse.close();
    const done: number[] = [];
    const replica = await replicaOf(packhouse, async (packageId) => {
      done.push(packageId);
    });
    const { db } = packhouse.openDatabase();
    const seconds = 4; // a busy machine takes as long between two changes
    const ask = (packageId: number) => replica.jobs.enqueueRescue(db, "build-manual", { packageId }, seconds);
    const waiting = async () => {
      const { rows } = await packhouse.pool.query(
        "select from jobs.job where name = 'build-manual' and state = 'created'",
      );
      return rows.length;
    };
    await ask(1);
    await db.transaction().execute(async (tx) => {
      await replica.jobs.enqueueRescue(tx, "build-manual", { packageId: 1 }, seconds);
      await ask(2);
      expect(await waiting()).toBe(2);
      // That of another package runs, this one only when the change has ended.
      await vi.waitUntil(() => done.length > 0, { timeout: 30_000 });
      expect(done).toEqual([2]);
    });
    await vi.waitUntil(() => done.length > 1, { timeout: 30_000 });
    expect(done).toEqual([2, 1]);
    // The next change needs one of its own.
    await ask(1);
    expect(await waiting()).toBe(1);
    await replica.end(5_000);
  },
);
