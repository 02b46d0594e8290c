import { describe, expect, test } from "vitest";
import { addressKey } from "./rate-limits.ts";
import { tokenBuckets } from "./token-buckets.ts";

describe("a bucket of tokens", () => {
  test("gives what a minute has, then what comes in", () => {
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

  test("forgets the keys that were not used for the longest time", () => {
    const buckets = tokenBuckets(1, { mostKeys: 100, now: () => 0 });
    buckets.take("kept");
    for (let n = 0; n < 1000; n += 1) {
      buckets.take(n);
      expect(buckets.take("kept").allowed).toBe(false);
      expect(buckets.size).toBeLessThanOrEqual(100);
    }
  });

  test("costs the same with many keys", () => {
    const buckets = tokenBuckets(1000);
    const started = performance.now();
    for (let n = 0; n < 200_000; n += 1) buckets.take(n);
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(buckets.size).toBeLessThanOrEqual(20_000);
  });
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["a".repeat(5000), "unknown"],
  ["", "unknown"],
])("the address %s counts as %s", (address, key) => expect(addressKey(address)).toBe(key));
