import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { normalizeName } from "@packhouse/formats/python/name";
import { describe, expect, test } from "vitest";
import { boundedErrors, type PackageSelector, selectorsFor } from "./mirror.ts";

const selector = (name: string, version: string | null = null): PackageSelector => ({
  name,
  version,
  generateManuals: false,
});
const same = (name: string) => name;

describe("the selectors that a name matches", () => {
  test.for([
    ["tidepool", "tidepool", true],
    ["tidepool", "tide*", true],
    ["tidepool", "*pool", true],
    ["tidepool", "*d*o*", true],
    ["tidepool", "t*l", true],
    ["tidepool", "*", true],
    ["tide", "tide*", true],
    ["tidepool", "tide", false],
    ["tidepool", "Tide*", false],
    ["tidepool", "*tide", false],
    ["aba", "ab*ba", false],
    ["t.de", "t*.de", true],
    ["tide", "t.de", false],
  ] as const)("%s and %s: %s", ([name, pattern, fits]) => {
    expect(selectorsFor(name, [selector(pattern)], same)).toHaveLength(fits ? 1 : 0);
  });

  test("are those that spell it out, before any pattern", () => {
    const selected = [selector("tide*"), selector("tidepool", "1.0"), selector("tidepool")];
    expect(selectorsFor("tidepool", selected, same)).toEqual(selected.slice(1));
  });

  test("are found by normalized names", () => {
    expect(selectorsFor("harbor-tools", [selector("Harbor_*")], normalizeName)).toHaveLength(1);
    expect(selectorsFor("harbor-tools", [selector("Harbor.Tools")], normalizeName)).toHaveLength(1);
  });

  test("are found quickly, whatever the pattern", () => {
    const began = cpuMs();
    expect(selectorsFor("a".repeat(5000), [selector(`${"a*".repeat(2000)}b`)], same)).toEqual([]);
    expect(standardMs(cpuMs() - began)).toBeLessThan(1000);
  });
});

test("errors are limited in number and length", () => {
  const errors = boundedErrors(Array.from({ length: 250 }, () => "x".repeat(1000)));
  expect(errors).toHaveLength(101);
  expect(errors[0]).toHaveLength(501);
  expect(errors.at(-1)).toBe("and 150 more");
});
