import { normalizeName } from "@packhouse/formats/python/name";
import { describe, expect, test } from "vitest";
import { lookOf, looksLike, reservedBy } from "./lookalikes.ts";

describe("a name", () => {
  test.for([
    ["whisker", "Whisker", true],
    ["whisker", "whiskeR", true],
    ["pool", "p00l", true],
    ["pool", "poo1", true],
    ["lilly", "11lly", true],
    ["file1", "fi1el", true],
    ["modern", "modem", true],
    ["acme", "аcme", true],
    ["mail", "mall", false],
    ["tide", "tides", false],
    ["so", "s2", false],
    // Merely similar spellings are different names, and so are names with one separator more or less.
    ["cropcurve", "cropcurvc", false],
    ["cropcurve", "crop.curve", false],
  ] as const)("%s looks like %s: %s", ([one, other, alike]) => {
    expect(looksLike(one, other)).toBe(alike);
    expect(looksLike(other, one)).toBe(alike);
    if (alike) expect(lookOf(one)).toBe(lookOf(other));
  });
});

describe("a name is reserved", () => {
  test.for([
    ["acme-utils", "acme*", true],
    ["acme", "acme*", true],
    ["acme", "acme", true],
    ["acme-utils", "acme", false],
    ["Acme.Utils", "acme-*", true],
    ["acme_utils", "ACME.*", true],
    ["acrne-utils", "acme*", true],
    ["а\u0441me-utils", "acme*", true],
    ["1nternal", "internal*", true],
    ["our-acme-x", "*acme*", true],
    ["ourtools", "*tools", true],
    ["lodash", "io*", false],
    ["pacme", "acme*", false],
    ["aba", "ab*ba", false],
  ] as const)("%s by %s: %s", ([name, pattern, reserved]) => {
    expect(reservedBy(name, ["other", pattern], normalizeName)).toBe(reserved ? pattern : undefined);
  });
});
