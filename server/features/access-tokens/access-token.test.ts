import { longestName } from "@packhouse/contract/limits";
import { describe, expect, test } from "vitest";
import { brokenRules, readLifetime } from "./access-token.ts";

describe("the lifetime of an access token", () => {
  test.each([
    ["14", 14],
    [14.7, 14],
    ["14.7", 14],
    [" 30 ", 30],
    ["-1", -1],
  ])("is read from %j", (given, days) => {
    expect(readLifetime(given)).toBe(days);
  });
  test.each(["", " ", "soon", "0x10", "1e2", "Infinity"])("is not a number in %j", (given) => {
    expect(readLifetime(given)).toBeNaN();
  });
});

describe("a new access token", () => {
  const tooShort = "token.number.of.days.must.be.greater.than.0";
  const tooLong = "token.number.of.days.must.be.less.than.366";
  test.each([
    ["ci", 1, []],
    ["ci", 365, []],
    ["ci", 0, [tooShort]],
    ["ci", 366, [tooLong]],
    ["x".repeat(longestName), 1, []],
    ["x".repeat(longestName + 1), 1, ["token.name.too.long"]],
    ["ci", Number.NaN, [tooShort, tooLong]],
    ["  ", 0, ["token.name.must.be.not.blank", tooShort]],
  ])("named %j for %d days breaks %j", (name, days, codes) => {
    expect(brokenRules(name, days)).toEqual(codes);
  });

  test("expires no later than the settings allow", () => {
    expect(brokenRules("ci", 30, 30)).toEqual([]);
    expect(brokenRules("ci", 31, 30)).toEqual(["token.lifetime.too.long"]);
    expect(brokenRules("ci", 366, 30)).toEqual([tooLong]);
  });
});
