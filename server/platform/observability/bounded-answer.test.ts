import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { boundedAnswer } from "./bounded-answer.ts";

const limits = { patienceMs: 40, keptMs: 60 };

describe("a bounded answer", () => {
  test("is requested once for concurrent callers, and cached", async () => {
    let asked = 0;
    const answer = boundedAnswer(async () => ++asked, undefined, { ...limits, keptMs: 60_000 });
    expect(await Promise.all([answer(), answer(), answer()])).toEqual([1, 1, 1]);
    expect(await answer()).toBe(1);
  });

  test("is requested again after a while", async () => {
    let asked = 0;
    const answer = boundedAnswer(async () => ++asked, undefined, limits);
    expect(await answer()).toBe(1);
    // fixed wait: longer than an answer is cached
    await sleep(80);
    expect(await answer()).toBe(2);
  });

  test("that fails is undefined, and its reason is reported once", async () => {
    const reasons: unknown[] = [];
    const answer = boundedAnswer(
      () => Promise.reject(new Error("no")),
      (error) => reasons.push(error),
      limits,
    );
    expect(await Promise.all([answer(), answer()])).toEqual([undefined, undefined]);
    expect(reasons).toEqual([new Error("no")]);
  });

  test("that does not arrive is undefined in time, is not requested again, and counts when it arrives", async () => {
    const late = Promise.withResolvers<string>();
    let asked = 0;
    const reasons: unknown[] = [];
    const answer = boundedAnswer(
      () => {
        asked += 1;
        return late.promise;
      },
      (error) => reasons.push(error),
      limits,
    );
    expect(await Promise.all([answer(), answer()])).toEqual([undefined, undefined]);
    expect(await answer()).toBeUndefined();
    expect(reasons).toEqual([new Error("no response within 40 ms")]);
    expect(asked).toBe(1);
    late.resolve("at last");
    // fixed wait: none, but resolved promises run first
    await sleep(0);
    expect(await answer()).toBe("at last");
    expect(asked).toBe(1);
  });
});
