import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { describe, expect, test } from "vitest";
import { tokenBuckets } from "./token-buckets.ts";

describe("a bucket of tokens", () => {
  test("gives a minute's worth, then what is refilled", () => {
    let now = 0;
    const buckets = tokenBuckets(60, { now: () => now });
    for (let n = 59; n >= 0; n -= 1) expect(buckets.take("ada")).toMatchObject({ allowed: true, remaining: n });
    expect(buckets.take("ada")).toEqual({ allowed: false, remaining: 0, waitSeconds: 1, fullSeconds: 60 });
    expect(buckets.take("bea").allowed).toBe(true);
    now = 999;
    expect(buckets.take("ada").allowed).toBe(false);
    now = 1000;
    expect(buckets.take("ada").allowed).toBe(true);
    expect(buckets.take("ada", 10)).toMatchObject({ allowed: false, waitSeconds: 10 });
    now = 10_000_000;
    expect(buckets.take("ada")).toMatchObject({ remaining: 59, fullSeconds: 1 });
  });

  test("takes nothing for what it refuses, and never owes more than it has", () => {
    let now = 0;
    const buckets = tokenBuckets(60, { now: () => now });
    buckets.charge("ada", 1000);
    now = 1000;
    for (let n = 0; n < 5; n += 1) expect(buckets.take("ada", 2).allowed).toBe(false);
    expect(buckets.take("ada").allowed).toBe(true);
  });

  test("forgets the least recently used keys", () => {
    const buckets = tokenBuckets(1, { mostKeys: 100, now: () => 0 });
    buckets.take("kept");
    for (let n = 0; n < 1000; n += 1) {
      buckets.take(n);
      expect(buckets.take("kept").allowed).toBe(false);
      expect(buckets.size).toBeLessThanOrEqual(100);
    }
  });

  test("forgets nothing when a known key is used", () => {
    const buckets = tokenBuckets(1, { mostKeys: 4, now: () => 0 });
    for (const key of ["first", "second", "third", "fourth", "fourth", "fourth"]) buckets.take(key);
    expect(buckets.take("first").allowed).toBe(false);
  });

  test("costs the same with many keys", () => {
    const buckets = tokenBuckets(1000);
    const started = cpuMs();
    for (let n = 0; n < 200_000; n += 1) buckets.take(n);
    expect(standardMs(cpuMs() - started)).toBeLessThan(2_000);
    expect(buckets.size).toBeLessThanOrEqual(20_000);
  });
});
