import { propertyRuns } from "@packhouse/fixtures/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareVersions, isPreRelease, isVersion, versionForms, versionKey, versionOrder } from "./version.ts";

const number = fc.oneof(fc.bigInt({ min: 0n, max: 12n }), fc.bigInt({ min: 0n, max: 10n ** 25n }));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const parts = fc.record({
  epoch: fc.bigInt({ min: 0n, max: 2n }),
  release: fc.array(number, { minLength: 1, maxLength: 4 }),
  pre: optional(fc.record({ phase: fc.constantFrom("a", "b", "rc"), number })),
  post: optional(number),
  dev: optional(number),
  local: fc.array(fc.oneof(number, fc.stringMatching(/^[0-9a-z]{0,4}[a-z][0-9a-z]{0,4}$/)), { maxLength: 3 }),
});
type Parts = typeof parts extends fc.Arbitrary<infer T> ? T : never;

const written = ({ epoch, release, pre, post, dev, local }: Parts): string =>
  (epoch > 0n ? `${epoch}!` : "") +
  release.join(".") +
  (pre ? `${pre.phase}${pre.number}` : "") +
  (post === undefined ? "" : `.post${post}`) +
  (dev === undefined ? "" : `.dev${dev}`) +
  (local.length > 0 ? `+${local.join(".")}` : "");

type Key = number | bigint | string | readonly Key[];

/** The sort key of the `packaging` library, with -1 and 9 for its "before all" and "after all". */
function keyAsPackaging({ epoch, release, pre, post, dev, local }: Parts): Key {
  const last = release.findLastIndex((part) => part !== 0n);
  const phase = pre
    ? [{ a: 1, b: 2, rc: 3 }[pre.phase] ?? 0, pre.number]
    : [post === undefined && dev !== undefined ? -1 : 9];
  return [
    epoch,
    release.slice(0, last + 1),
    phase,
    post === undefined ? [-1] : [0, post],
    dev === undefined ? [9] : [0, dev],
    local.map((part) => (typeof part === "string" ? [-1, part] : [0, part])),
  ];
}

/** Compares like Python tuples. */
function compareKeys(a: Key, b: Key): number {
  if (typeof a !== "object" || typeof b !== "object") return a < b ? -1 : a > b ? 1 : 0;
  for (let index = 0; ; index += 1) {
    const [x, y] = [a[index], b[index]];
    if (x === undefined || y === undefined) return (x === undefined ? 0 : 1) - (y === undefined ? 0 : 1);
    const order = compareKeys(x, y);
    if (order !== 0) return order;
  }
}

describe("versions of Python packages", () => {
  test("are sorted as PEP 440 sorts them", () => {
    const chain = [
      "1.0.dev456",
      "1.0a1",
      "1.0a2.dev456",
      "1.0a12.dev456",
      "1.0a12",
      "1.0b1.dev456",
      "1.0b2",
      "1.0b2.post345.dev456",
      "1.0b2.post345",
      "1.0rc1.dev456",
      "1.0rc1",
      "1.0",
      "1.0+abc.5",
      "1.0+abc.7",
      "1.0+5",
      "1.0.post456.dev34",
      "1.0.post456",
      "1.0.15",
      "1.1.dev1",
      "2.0",
      "2.0+ubuntu.1",
      "1!0.1",
    ];
    expect([...chain].reverse().sort(compareVersions)).toEqual(chain);
  });

  test("have a sort key and an identity key that match the packaging library", () => {
    const near = fc.tuple(parts, parts).chain(([a, b]) =>
      // Versions that share most of their parts reveal more than two that share none.
      fc.subarray(["epoch", "release", "pre", "post", "dev", "local"] as const).map((keys) => {
        const other = { ...a };
        for (const key of keys) Object.assign(other, { [key]: b[key] });
        return [a, other] as const;
      }),
    );
    fc.assert(
      fc.property(near, ([a, b]) => {
        fc.pre(isVersion(written(a)) && isVersion(written(b)));
        const order = compareKeys(keyAsPackaging(a), keyAsPackaging(b));
        expect(compareVersions(written(a), written(b))).toBe(order);
        expect(versionOrder(written(a)) === versionOrder(written(b))).toBe(order === 0);
        expect(versionKey(written(a)) === versionKey(written(b))).toBe(order === 0);
      }),
      propertyRuns(1000),
    );
  });

  test("in their normal form stay as they are", () => {
    fc.assert(
      fc.property(parts, (it) => {
        fc.pre(isVersion(written(it)));
        expect(versionForms(written(it))).toEqual({ order: versionOrder(written(it)), normalized: written(it) });
      }),
      propertyRuns(100),
    );
  });

  test.each([
    ["v1.0", "1.0"],
    [" 1.0 ", "1.0"],
    ["01.002", "1.2"],
    ["0!1.0", "1.0"],
    ["1.0-ALPHA", "1.0a0"],
    ["1.0-beta.2", "1.0b2"],
    ["1.0c1", "1.0rc1"],
    ["1.0_preview_3", "1.0rc3"],
    ["1.0pre", "1.0rc0"],
    ["1.0-1", "1.0.post1"],
    ["1.0rev2", "1.0.post2"],
    ["1.0-r", "1.0.post0"],
    ["1.0post.3", "1.0.post3"],
    ["1.0dev", "1.0.dev0"],
    ["1.0-DEV-4", "1.0.dev4"],
    ["1.0+Ubuntu-1_007", "1.0+ubuntu.1.7"],
  ])("%j is written %s", (text, normal) => {
    expect(isVersion(text)).toBe(true);
    expect(versionForms(text).normalized).toBe(normal);
    expect(versionKey(text)).toBe(versionKey(normal));
  });

  test.each([
    ["1.0", "1.0.0"],
    ["1", "1.0.0.0"],
    ["0", "0.0"],
    ["1.0a1", "1.0.0-alpha.1"],
    ["1!2.0+x", "1!2+X"],
  ])("%s is %s", (a, b) => {
    expect(versionKey(a)).toBe(versionKey(b));
    expect(compareVersions(a, b)).toBe(0);
  });

  test.each([
    "",
    "french toast",
    "1.0-",
    "1..0",
    "1.0+",
    "1.0+a+b",
    "1.0+a..b",
    "1.0x",
    "1.0a1b1",
    "1.0dev1post1",
    "١.٠",
    "1".repeat(101),
  ])("may not be %j", (text) => {
    expect(isVersion(text)).toBe(false);
  });
});

test.for([
  ["1.0a1", true],
  ["1.0-beta.2", true],
  ["1.0rc1.post2", true],
  ["1.0.dev3", true],
  ["1.0", false],
  ["1.0.post1", false],
  ["1!2.0+local.dev1", false],
  ["no version", false],
] as const)("%s is a pre-release: %s", ([version, expected]) => {
  expect(isPreRelease(version)).toBe(expected);
});
