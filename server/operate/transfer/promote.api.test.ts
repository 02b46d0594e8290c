import { isLong } from "@packhouse/fixtures/long-form";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { sessionOfServer } from "../../platform/jobs/running-servers.ts";
import type { ObjectStorage } from "../../platform/storage/storage.ts";
import { sweepObjects } from "../../platform/storage/sweep-objects.ts";
import { replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { type ObjectStore, startObjectStore } from "../../testing/servers/object-store.ts";
import { type PostgresServer, startPostgresServer } from "../../testing/servers/postgres-server.ts";
import { type EmptyPlace, emptyPlace } from "../../testing/servers/test-backends.ts";
import { smallRPackage, smallWheel } from "../../testing/small-packages.ts";
import { type Connection, connect } from "./connection.ts";
import { measureOf } from "./content.ts";
import { objectsOf } from "./objects.ts";
import { promote } from "./promote.ts";
import { withSnapshot } from "./snapshot.ts";

// Whole installations are copied, read and started.
vi.setConfig({ testTimeout: 120_000 });

const silent = () => {};
let server: PostgresServer;
let store: ObjectStore;
let source: EmptyPlace;

beforeAll(async () => {
  [server, store] = await Promise.all([startPostgresServer(), startObjectStore()]);
  Object.assign(process.env, store.credentials);
});
afterAll(async () => {
  await server?.stop();
  await store?.stop();
});

/** On the oldest supported PostgreSQL, with a role of few rights, and a bucket. */
const emptyTarget = async () => emptyPlace({ database: server.connection, bucket: await store.makeBucket() });

async function inSource(work: (it: TestPackhouse) => Promise<void>): Promise<void> {
  await using it = await startPackhouse({ sharing: { ...source, database: source.name } });
  await work(it);
}

beforeEach(async () => {
  source = await emptyPlace();
  await inSource(async (it) => {
    const admin = await it.as(it.admin);
    await it.given.repository("R", { name: "north" });
    await it.given.repository("Python", { name: "south" });
    for (const version of ["1.0", "2.0"]) {
      await admin.upload("R", await smallRPackage("one", version), { repository: "north" });
      await admin.upload("Python", await smallWheel("two", version), { repository: "south" });
    }
  });
  return () => source[Symbol.asyncDispose]();
});

async function contentOf(place: EmptyPlace): Promise<unknown> {
  return withSnapshot(place, async (content) => {
    const measures: unknown[] = [];
    for (const { name, columns, sequences } of content.tables)
      measures.push({ name, columns, sequences, ...(await measureOf(content.readTable(name))) });
    return { measures, objects: await measureOf(content.readObjectList()), schema: content.schema };
  });
}

async function download(it: TestPackhouse, path: string): Promise<Buffer> {
  const answer = await fetch(it.address + path);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

const tablesIn = async ({ pool }: EmptyPlace) =>
  (await pool.query("select from pg_tables where schemaname = 'public'")).rowCount;

test("bytes move while a server runs, rows when none does; then both places are equal, and the copy serves them", async () => {
  await using target = await emptyTarget();
  const address = "/repo/south/simple/two/two-1.0-py3-none-any.whl";
  let bytes: Buffer | undefined;
  await inSource(async (it) => {
    expect(await promote(source, target, silent)).toBe(false);
    expect(await tablesIn(target)).toBe(0);
    const admin = await it.as(it.admin);
    await admin.upload("R", await smallRPackage("late", "1.0"), { repository: "north" });
    bytes = await download(it, address);
  });
  const before = await contentOf(source);
  expect(await promote(source, target, silent)).toBe(true);
  expect(await contentOf(target)).toEqual(before);
  expect(await contentOf(source)).toEqual(before);
  await using copy = await startPackhouse({ sharing: { ...target, database: target.name } });
  expect(await download(copy, address)).toEqual(bytes);
  expect((await download(copy, "/repo/north/src/contrib/PACKAGES")).toString()).toContain("Package: late");
  await expect(promote(source, target, silent)).rejects.toThrow("The database is not empty");
});

test.runIf(isLong)(
  "an interrupted attempt is continued, and what the source has removed since is not kept",
  async () => {
    await using target = await emptyTarget();
    let left = 3;
    const failing: ObjectStorage = {
      ...target.storage,
      async receive(chunks, most) {
        left -= 1;
        if (left < 0) throw new Error("the line went down");
        return target.storage.receive(chunks, most);
      },
    };
    await expect(promote(source, { ...target, storage: failing }, silent)).rejects.toThrow("the line went down");
    await inSource(async (it) => {
      const admin = await it.as(it.admin);
      for (const { id } of await it.deps.db
        .selectFrom("packages")
        .select("id")
        .where("technology", "=", "R")
        .execute()) {
        await admin.patch(`/r/packages/${id}`, [replace("/deleted", true)]);
        await admin.delete(`/r/packages/${id}`);
      }
      expect(await sweepObjects({ ...it.deps, settings: { ...it.deps.settings, "storage.keepUnnamedHours": 0 } })).toBe(
        2,
      );
    });
    const cut: ObjectStorage = {
      ...target.storage,
      async *list() {
        yield* target.storage.list();
        throw new Error("the line went down again");
      },
    };
    await expect(promote(source, { ...target, storage: cut }, silent)).rejects.toThrow("the line went down again");
    expect(await tablesIn(target)).toBe(0);
    expect(await promote(source, target, silent)).toBe(true);
    expect(await contentOf(target)).toEqual(await contentOf(source));
    const objects = [];
    for await (const { digest } of target.storage.list()) objects.push(digest);
    const named = await withSnapshot(source, async (content) => {
      const digests = [];
      for await (const { digest } of objectsOf(content.readObjectList())) digests.push(digest);
      return digests;
    });
    expect(objects.toSorted()).toEqual(named);
  },
);

test.runIf(isLong)(
  "rows of the source are locked while they are copied, and a server started during that aborts the move",
  async () => {
    await withSnapshot(
      source,
      async () => {
        const change = source.pool.query("set lock_timeout = '200ms'; update users set name = 'Other'");
        await expect(change).rejects.toThrow("lock timeout");
      },
      "are held",
    );
    await using target = await emptyTarget();
    await inSource(async () => {
      expect(await promote(source, target, silent)).toBe(false);
    });
    let started: Connection | undefined;
    const slow: ObjectStorage = {
      ...target.storage,
      async *list() {
        started = await connect(source);
        await started.client.query(`set application_name = '${sessionOfServer}'`);
        yield* target.storage.list();
      },
    };
    await expect(promote(source, { ...target, storage: slow }, silent)).rejects.toThrow(
      "A server was started in the meantime",
    );
    await started?.[Symbol.asyncDispose]();
    expect(await tablesIn(target)).toBe(0);
    expect(await promote(source, target, silent)).toBe(true);
  },
);
