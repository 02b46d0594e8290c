import fastify from "fastify";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { suspectOf, watchStalls } from "./stalls.ts";
import { unwatched } from "./watch.ts";
import { watchRequests } from "./watch-requests.ts";

describe("the work that blocked the thread", () => {
  const step = (name: string, at: number) => ({ name, at });

  test("is the last that began before the gap", () => {
    const noted = [step("early", 10), step("a", 110), step("culprit", 120), step("b", 2120), step("c", 2121)];
    expect(suspectOf(noted, 100, 2130)).toEqual({ name: "culprit", recent: ["culprit", "a", "early"] });
  });

  test("is unknown if nothing began, but earlier work is reported", () => {
    const noted = [step("a", 10), step("b", 20), step("a", 30), step("late", 2120)];
    expect(suspectOf(noted, 100, 2130)).toEqual({ name: "unknown", recent: ["a", "b"] });
    expect(suspectOf([], 0, 2000)).toEqual({ name: "unknown", recent: [] });
  });
});

describe("a blocked main thread", () => {
  const started: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of started.splice(0)) await one.close();
  });

  test("is counted and logged with the route that did it, among others that only waited", async () => {
    const stalls: { name: string; seconds: number }[] = [];
    const lines: Record<string, unknown>[] = [];
    const log = pino({ level: "warn" }, { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) });
    const watch = { ...unwatched, mainThreadStalled: (stall: (typeof stalls)[number]) => stalls.push(stall) };
    const app = fastify();
    watchRequests(app, { watch, recorder: undefined, log }, false);
    app.get("/fine/:id", async () => "fine");
    app.get("/slow/:id", async () => {
      const before = process.threadCpuUsage();
      const worked = () => {
        const { user, system } = process.threadCpuUsage(before);
        return user + system;
      };
      while (worked() < 1_500_000); // as much work on a busy machine
      return "slow";
    });
    started.push(app);
    const address = await app.listen({ host: "127.0.0.1", port: 0 });
    started.push(watchStalls({ log, watch }));

    const fine = () => fetch(`${address}/fine/1`);
    await fine();
    await Promise.all([fine(), fetch(`${address}/slow/2`), fine(), fine()]);
    const stall = { name: "GET /slow/:id", seconds: expect.any(Number) };
    await expect.poll(() => stalls, { timeout: 20_000 }).toContainEqual(stall);
    expect(lines[0]).toMatchObject({ msg: "the main thread was blocked", route: "GET /slow/:id" });
    expect(lines[0]?.ms).toBeGreaterThan(1000);
  });

  test("is counted, but no warning, where the machine was busy with something else", async () => {
    const stalls: unknown[] = [];
    const lines: string[] = [];
    const watch = { ...unwatched, mainThreadStalled: (stall: unknown) => stalls.push(stall) };
    started.push(watchStalls({ log: pino({ level: "info" }, { write: (line) => lines.push(line) }), watch }));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    await expect.poll(() => stalls.length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(lines).toEqual([]);
  });
});
