import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLong } from "@packhouse/fixtures/long-form";
import { openDatabase } from "@packhouse/server/platform/db/database";
import { type ApiUser, freePort, type Product, signIn, startProduct } from "@packhouse/server/testing/product";
import { type ObjectStore, startObjectStore } from "@packhouse/server/testing/servers/object-store";
import { type PostgresServer, startPostgresServer } from "@packhouse/server/testing/servers/postgres-server";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";

const password = "administrator's password";
const api = "/api/v2/manager";
/** The manual says ten seconds; a machine of tests is busier. */
const answeredWithinMs = 20_000;

let postgres: PostgresServer;
let databaseUrl: string;
let bucket: ObjectStore;
let product: Product;
let administrator: ApiUser;
let scratch: string;

beforeAll(async () => {
  [postgres, bucket] = await Promise.all([startPostgresServer(), startObjectStore()]);
  databaseUrl = await postgres.makeDatabase();
  scratch = await mkdtemp(join(tmpdir(), "packhouse-lost-"));
  product = await startProduct({
    port: await freePort(),
    dataDir: scratch,
    environment: {
      PACKHOUSE_ADMIN_PASSWORD: password,
      PACKHOUSE_GENERATE_MANUALS: "false",
      PACKHOUSE_DATABASE_URL: databaseUrl,
      PACKHOUSE_STORAGE_URL: await bucket.makeBucket(),
      ...bucket.credentials,
    },
  });
  administrator = await signIn(product, "admin", password);
}, 180_000);
afterAll(async () => {
  await product?.stop();
  await Promise.all([postgres?.stop(), bucket?.stop()]);
  await rm(scratch, { recursive: true, force: true });
});

let repository: string;
let count = 0;
beforeEach(async () => {
  count += 1;
  repository = `kept${count}`;
  await administrator.createRepository("R", repository);
  await upload("before");
});

async function upload(name: string): Promise<void> {
  await administrator.upload("R", repository, await smallRPackage(`${name}${count}`, "1.0"));
}
const indexAddress = () => `${product.address}/repo/${repository}/src/contrib/PACKAGES`;
const index = async () => (await fetch(indexAddress())).text();

const refusal = z.object({ messageCode: z.string(), data: z.object({ traceId: z.string() }) });

/** Status, code and `Retry-After` of an answer that must come soon. */
async function refused(path: string, init: RequestInit = {}): Promise<[number, string, string | null]> {
  const answer = await fetch(product.address + path, {
    ...init,
    headers: { authorization: `Bearer ${administrator.token}`, ...init.headers },
    signal: AbortSignal.timeout(answeredWithinMs),
  });
  const { messageCode } = refusal.parse(await answer.json());
  return [answer.status, messageCode, answer.headers.get("retry-after")];
}
const unavailable = [503, "service.unavailable", "5"];

async function uploadRefused(name: string): Promise<[number, string, string | null]> {
  const { fileName, bytes } = await smallRPackage(`${name}${count}`, "1.0");
  const form = new FormData();
  form.append("repository", repository);
  form.append("file", new Blob([new Uint8Array(bytes)]), fileName);
  return refused(`${api}/r/submissions`, { method: "POST", body: form });
}

const health = async () => (await fetch(`${product.address}/actuator/health`)).status;

/** Everything works again without a restart, and what was confirmed is there. */
async function expectHealed(): Promise<void> {
  await vi.waitUntil(async () => (await health()) === 200, { timeout: 30_000, interval: 50 });
  expect(product.process.exitCode).toBe(null);
  await vi.waitUntil(async () => (await index()).includes(`Package: before${count}\n`), { timeout: 30_000 });
  await upload("after");
  // Jobs run, and their notifications arrive.
  await vi.waitUntil(async () => (await index()).includes(`Package: after${count}\n`), { timeout: 30_000 });
  const file = await fetch(`${product.address}/repo/${repository}/src/contrib/before${count}_1.0.tar.gz`);
  expect([file.status, (await file.arrayBuffer()).byteLength > 100]).toEqual([200, true]);
}

describe("while the database is lost", () => {
  test("because its server has stopped, calls get 503 and may be repeated when it is back", async () => {
    await postgres.goDown();
    try {
      expect(await refused(`${api}/packages`)).toEqual(unavailable);
      expect(await uploadRefused("meanwhile")).toEqual(unavailable);
      const login = { method: "POST", headers: { "content-type": "application/json" } };
      const body = JSON.stringify({ login: "admin", password });
      expect(await refused("/login", { ...login, body })).toEqual(unavailable);
      expect(await refused(`/repo/${repository}/src/contrib/PACKAGES`)).toEqual(unavailable);
      // An answer of before may be kept for a moment.
      await vi.waitUntil(async () => (await health()) === 503, { timeout: 10_000, interval: 50 });
    } finally {
      await postgres.comeBack();
    }
    await expectHealed();
    await upload("meanwhile");
  }, 120_000);

  test("because its server hangs, calls that wait for it get 503, and those that come later", async () => {
    await postgres.pause();
    try {
      const started = performance.now();
      expect(await Promise.all([`${api}/packages`, `${api}/users/me`].map((path) => refused(path)))).toEqual([
        unavailable,
        unavailable,
      ]);
      process.stdout.write(`a hanging database was reported after ${Math.round(performance.now() - started)} ms\n`);
      expect(await refused(`${api}/packages`)).toEqual(unavailable);
    } finally {
      await postgres.resume();
    }
    await expectHealed();
  }, 120_000);

  test.runIf(isLong)(
    "because it has no connection left, calls get 503",
    async () => {
      const operator = openDatabase({ connectionString: databaseUrl, max: 1 });
      const name = new URL(databaseUrl).pathname.slice(1);
      try {
        await operator.pool.query(`alter database ${name} connection limit 1`);
        await operator.pool.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
        );
        expect(await refused(`${api}/packages`)).toEqual(unavailable);
      } finally {
        await operator.pool.query(`alter database ${name} connection limit -1`);
        await operator.close();
      }
      await expectHealed();
    },
    120_000,
  );

  test("in the middle of calls, none of which happens by half", async () => {
    const names = Array.from({ length: 30 }, (_unused, at) => `broken${at}x`);
    const uploads = names.map(async (name) => {
      try {
        await upload(name);
        return name;
      } catch {
        return undefined; // a 503, or a response from before the server was gone
      }
    });
    await Promise.race(uploads);
    await postgres.goDown();
    const confirmed = (await Promise.all(uploads)).filter((name) => name !== undefined);
    await postgres.comeBack();
    await expectHealed();
    const published = await index();
    for (const name of confirmed) expect(published).toContain(`Package: ${name}${count}\n`);
    // Repeating all of them is answered by success or by the warning that it is there.
    for (const name of names) {
      const { fileName, bytes } = await smallRPackage(`${name}${count}`, "1.0");
      const form = new FormData();
      form.append("repository", repository);
      form.append("file", new Blob([new Uint8Array(bytes)]), fileName);
      const { status } = await fetch(`${product.address}${api}/r/submissions`, {
        method: "POST",
        headers: { authorization: `Bearer ${administrator.token}` },
        body: form,
      });
      expect([200, 201]).toContain(status);
    }
    await vi.waitUntil(async () => (await index()).match(/^Package: broken/gm)?.length === names.length, {
      timeout: 30_000,
    });
  }, 180_000);
});

describe("while the bucket is lost", () => {
  for (const [how, lose, find] of [
    ["is down", () => bucket.goDown(), () => bucket.comeBack()],
    ["hangs", async () => bucket.pause(), async () => bucket.resume()],
  ] as const)
    test.runIf(isLong || how === "is down")(
      `because its server ${how}, large files and uploads get 503, and small files, indexes and lists are served`,
      async () => {
        const noise = { "inst/noise": randomBytes(400_000).toString("hex") };
        await administrator.upload("R", repository, await smallRPackage(`large${count}`, "1.0", {}, noise));
        await lose();
        try {
          const folder = `/repo/${repository}/src/contrib`;
          const large = `${folder}/large${count}_1.0.tar.gz`;
          const [download, stored] = await Promise.all([refused(large), uploadRefused("meanwhile")]);
          expect([download, stored]).toEqual([unavailable, unavailable]);
          expect((await fetch(`${product.address}${folder}/before${count}_1.0.tar.gz`)).status).toBe(200);
          expect(await index()).toContain(`Package: before${count}\n`);
          expect((await administrator.call("GET", "/packages")).code).toBe(200);
          expect((await fetch(`${product.address}/actuator/health/readiness`)).status).toBe(503);
        } finally {
          await find();
        }
        await expectHealed();
        await upload("meanwhile");
      },
      120_000,
    );
});
