import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isLong } from "@packhouse/fixtures/long-form";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";

let it: TestPackhouse;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "packhouse-health-"));
  it = await startPackhouse({ dataDir: folder, bytesLieIn: "folder", settings: { "database.waitMs": 60_000 } });
});
afterAll(async () => {
  await it.close();
  await rm(folder, { recursive: true, force: true });
});

const ask = async (path = "") => {
  const answer = await it.anonymous.request(`/actuator/health${path}`);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  return { http: answer.status, body: await answer.json() };
};
// fixed wait: as long as an answer is cached
const afterAWhile = () => sleep(1100);
const ready = (others: Record<string, "DOWN"> = {}) => {
  const components = { server: "UP", db: "UP", storage: "UP", ...others };
  return {
    status: Object.keys(others).length === 0 ? "UP" : "DOWN",
    components: Object.fromEntries(Object.entries(components).map(([name, status]) => [name, { status }])),
  };
};

describe("health", () => {
  test("is public, by component and without further details", async () => {
    expect(await ask()).toEqual({ http: 200, body: { status: "UP" } });
    expect(await ask("/readiness")).toEqual({ http: 200, body: ready() });
    const components = { process: { status: "UP" } };
    expect(await ask("/liveness")).toEqual({ http: 200, body: { status: "UP", components } });
  });

  test("of a server that is not listening, not yet or no longer, is DOWN, but it is live", async () => {
    const replica = await it.replica();
    const of = async (path: string) => {
      const { statusCode, payload } = await replica.app.fastify.inject({ path, headers: { host: "localhost" } });
      return { http: statusCode, body: JSON.parse(payload) };
    };
    expect(await of("/actuator/health")).toEqual({ http: 503, body: { status: "DOWN" } });
    expect(await of("/actuator/health/readiness")).toEqual({ http: 503, body: ready({ server: "DOWN" }) });
    expect((await of("/actuator/health/liveness")).http).toBe(200);
    await replica.close();
  });

  test.runIf(isLong)("is not ready while storage is lost, and recovers when it returns", async () => {
    await afterAWhile();
    await rename(join(folder, "storage"), join(folder, "elsewhere"));
    expect(await ask("/readiness")).toEqual({ http: 503, body: ready({ storage: "DOWN" }) });
    expect((await ask()).http).toBe(200);
    expect((await ask("/liveness")).http).toBe(200);
    await rename(join(folder, "elsewhere"), join(folder, "storage"));
    await afterAWhile();
    expect((await ask("/readiness")).http).toBe(200);
  });

  test("is answered in time although the database hangs, with one query only", async () => {
    await afterAWhile();
    const release = Promise.withResolvers<void>();
    const held = Array.from({ length: 10 }, () => it.deps.db.connection().execute(() => release.promise));
    await vi.waitUntil(() => it.pool.totalCount === 10 && it.pool.idleCount === 0, { timeout: 30_000 });
    it.takeStatements();
    const began = performance.now();
    expect(await ask("/readiness")).toEqual({ http: 503, body: ready({ db: "DOWN" }) });
    expect(performance.now() - began).toBeLessThan(30_000);
    for (let count = 0; count < 20; count += 1) expect((await ask()).http).toBe(503);
    expect((await ask("/liveness")).http).toBe(200);
    release.resolve();
    await Promise.all(held);
    await afterAWhile();
    expect((await ask("/readiness")).http).toBe(200);
    // The one that hung, and the current one.
    expect(it.takeStatements().filter(({ sql }) => sql === "select 1").length).toBe(2);
  });

  test("costs one statement a second, however often it is asked", async () => {
    await afterAWhile();
    it.takeStatements();
    const began = performance.now();
    await Promise.all(Array.from({ length: 50 }, () => ask("/readiness")));
    const seconds = (performance.now() - began) / 1000;
    const asked = it.takeStatements().filter(({ sql }) => sql === "select 1").length;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(1 + Math.floor(seconds));
  });
});
