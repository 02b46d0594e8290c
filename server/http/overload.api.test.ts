import { isDeepStrictEqual } from "node:util";
import { isLong } from "@packhouse/fixtures/long-form";
import { describe, expect, test, vi } from "vitest";
import { classOf } from "../platform/limits/pressure.ts";
import { startPackhouse, type TestAnswer } from "../testing/packhouse.ts";
import { smallRPackage } from "../testing/small-packages.ts";

const toldOf = ({ http, messageCode, headers }: TestAnswer) => [http, messageCode, headers.get("retry-after")];
const unavailable = [503, "service.unavailable", "5"];
const mebibyte = 1024 * 1024;
const health = "/actuator/health";

/** Blocks the event loop, as too many requests do. */
function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe("an overloaded server", () => {
  test.runIf(isLong)("refuses calls with 503, and serves again when it has caught up", async () => {
    await using packhouse = await startPackhouse({ settings: { "overload.eventLoopDelayMs": 100 } });
    const admin = await packhouse.as(packhouse.admin);
    let busy = true;
    const work = () => {
      busyFor(300);
      if (busy) setTimeout(work, 1);
    };
    work();
    await vi.waitUntil(async () => (await admin.get("/packages")).http === 503, { timeout: 15_000, interval: 1 });
    expect(toldOf(await admin.get("/packages"))).toEqual(unavailable);
    expect((await admin.request(health)).status).toBe(200);
    busy = false;
    await vi.waitUntil(async () => (await admin.get("/packages")).http === 200, { timeout: 15_000 });
  });

  test.runIf(isLong)(
    "refuses uploads before it refuses anything else",
    async () => {
      await using packhouse = await startPackhouse({ settings: { "overload.eventLoopDelayMs": 300 } });
      const { name } = await packhouse.given.repository("R");
      const admin = await packhouse.as(packhouse.admin);
      const file = await smallRPackage("harbor", "1.0");
      let busy = true;
      const work = () => {
        busyFor(210); // more than half of the limit, and less than all of it
        if (busy) setTimeout(work, 1);
      };
      work();
      const legacy = () => admin.request(`/repo/${name}/legacy/`, { method: "POST" }).then(({ status }) => status);
      const other = () => admin.get("/packages").then(({ http }) => http);
      await vi.waitUntil(
        async () => {
          const statuses = [
            await admin.upload("R", file, { repository: name }).then(({ http }) => http),
            await legacy(),
          ];
          return isDeepStrictEqual([...statuses, await other()], [503, 503, 200]);
        },
        { timeout: 60_000, interval: 1 },
      );
      busy = false;
    },
    90_000,
  );

  test("keeps serving indexes when it refuses everything else", async () => {
    // Between the limit and twice as much.
    const limit = Math.ceil(process.memoryUsage().rss / mebibyte / 1.4);
    await using packhouse = await startPackhouse({ settings: { "overload.memoryMegabytes": limit } });
    await packhouse.given.repository("R", { name: "harbor" });
    const index = () => fetch(`${packhouse.address}/repo/harbor/src/contrib/PACKAGES`).then(({ status }) => status);
    const anonymous = packhouse.anonymous;
    const admin = await packhouse.bySession(packhouse.admin);
    await vi.waitUntil(async () => (await anonymous.get("/packages")).http === 503, { timeout: 15_000 });
    expect(await index()).toBe(200);
    expect((await anonymous.request(health)).status).toBe(200);
    const metrics = await admin.request("/actuator/prometheus");
    expect(await metrics.text()).toMatch(/^packhouse_unavailable_total\{reason="memory"\} [1-9]/m);
  });
});

test.each([
  ["POST", "/api/v2/manager/r/submissions", "upload"],
  ["POST", "/api/v2/manager/python/submissions?repository=reef", "upload"],
  ["POST", "/repo/reef/legacy/", "upload"],
  ["POST", "/repo/reef/simple/legacy", "upload"],
  ["GET", "/repo/reef/src/contrib/PACKAGES", "read"],
  ["HEAD", "/repo/reef/simple/", "read"],
  ["GET", "/api/v2/manager/r/submissions", "other"],
  ["PATCH", "/api/v2/manager/r/submissions/1", "other"],
  ["POST", "/login", "other"],
  ["GET", "/", "other"],
])("%s %s is of the class %s", (method, url, expected) => expect(classOf({ method, url })).toBe(expected));
