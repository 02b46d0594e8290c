import { propertyRuns } from "@packhouse/fixtures/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareVersions, isVersion, versionKey, versionOrder } from "./version.ts";

const digits = fc.oneof(
  fc.nat({ max: 20 }).map(String),
  fc.bigInt({ min: 0n, max: 10n ** 40n }).map(String),
  fc.nat({ max: 99 }).map((number) => `00${number}`),
);
const version = fc
  .tuple(digits, fc.array(fc.tuple(fc.constantFrom(".", "-"), digits), { minLength: 1, maxLength: 4 }))
  .map(([first, rest]) => first + rest.flat().join(""))
  .filter(isVersion);

/** Compares number by number, as R describes it. */
function compareAsR(a: string, b: string): number {
  const [first, second] = [a, b].map((text) => text.split(/[.-]/).map(BigInt));
  for (let index = 0; ; index += 1) {
    const [x, y] = [first?.[index], second?.[index]];
    if (x === undefined || y === undefined) return (x === undefined ? 0 : 1) - (y === undefined ? 0 : 1);
    if (x !== y) return x < y ? -1 : 1;
  }
}

describe("versions of R packages", () => {
  // Verified with `package_version()` of R 4.2.2.
  test("are sorted as R sorts them, number by number", () => {
    const chain = ["0.9.12", "0.10", "1.0", "1.0.0", "1.0.0.9000", "1.0-1", "1.9", "1.10", "2016.8-1.1", "2016.8.1.2"];
    expect([...chain].reverse().sort(compareVersions)).toEqual(chain);
  });

  test.each([
    ["1.0-1", "1.0.1"],
    ["1-0-1", "1.0.1"],
    ["1.01", "1.1"],
    ["0.00", "0.0"],
  ])("%s is %s", (a, b) => {
    expect(versionKey(a)).toBe(versionKey(b));
    expect(compareVersions(a, b)).toBe(0);
  });

  test("differ if one has more zeros", () => {
    expect(versionKey("1.0")).not.toBe(versionKey("1.0.0"));
  });

  test("have a sort key and an identity key, however large their numbers are", () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        const order = compareAsR(a, b);
        expect(Math.sign(compareVersions(a, b))).toBe(order);
        expect(versionOrder(a) === versionOrder(b)).toBe(order === 0);
        expect(versionKey(a) === versionKey(b)).toBe(order === 0);
      }),
      propertyRuns(100),
    );
  });

  test.each(["1.0", "0.0", "1-0", "2016.8-1.1", "1.2.3.4.5.6.7.8.9.10"])("may be %s", (text) => {
    expect(isVersion(text)).toBe(true);
  });

  test.each([
    "",
    "7",
    "1.",
    ".1",
    "1..0",
    "1.0-beta",
    "1.0 ",
    " 1.0",
    "1.0\n",
    "v1.0",
    "1_0",
    "١.٠",
    "1.2.3.4.5.6.7.8.9.10.11",
    `1.${"0".repeat(100)}`,
  ])("may not be %j", (text) => {
    expect(isVersion(text)).toBe(false);
  });
});
