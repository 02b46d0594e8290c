import { describe, expect, test } from "vitest";
import { brokenRules } from "./user-settings.ts";

describe("settings of a user", () => {
  test.each([1, 10, 1000])("may show %d rows per page", (pageSize) => {
    expect(brokenRules({ language: "pl-PL", theme: "light", pageSize })).toEqual([]);
  });
  test("report every broken rule in the order of the fields", () => {
    expect(brokenRules({ language: "xx", theme: "blue", pageSize: 0 })).toEqual([
      "language.not.supported",
      "theme.not.supported",
      "page.size.lower.than.one.element",
    ]);
    expect(brokenRules({ language: "en-US", theme: "dark", pageSize: 1001 })).toEqual([
      "page.size.bigger.than.max.limit",
    ]);
  });
});
