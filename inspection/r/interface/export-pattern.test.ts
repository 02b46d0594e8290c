import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { describe, expect, test } from "vitest";
import { exportPattern } from "./export-pattern.ts";

const names = ["fit", "fit_lots", ".hidden", "Fit2", "a.b", "%+%", "x9"];
const selected = (pattern: string) => names.filter((name) => exportPattern(pattern)?.(name));

describe("a pattern of exports", () => {
  test.for<[pattern: string, found: string[]]>([
    ["^[^\\.]", ["fit", "fit_lots", "Fit2", "a.b", "%+%", "x9"]],
    ["^[[:alpha:]]+", ["fit", "fit_lots", "Fit2", "a.b", "x9"]],
    [".", names],
    ["^[A-Z]", ["Fit2"]],
    ["[0-9]$", ["Fit2", "x9"]],
    ["^(fit|a)(_|\\.)?", ["fit", "fit_lots", "a.b"]],
    ["^fit$", ["fit"]],
    ["^\\w+$", ["fit", "fit_lots", "Fit2", "x9"]],
    ["^[^.].{2,3}$", ["fit", "Fit2", "a.b", "%+%"]],
    ["^%.*%$", ["%+%"]],
    ["lot?s?", ["fit_lots"]],
    ["", names],
  ])("%s selects %s", ([pattern, found]) => {
    expect(selected(pattern)).toEqual(found);
  });

  test.for(["(?=a)", "a{1000}", "(", "[a", "\\1", "*a", "a".repeat(501), "((((a{50}){50}){50}){50})"])(
    "is not understood: %s",
    (pattern) => {
      expect(exportPattern(pattern)).toBeUndefined();
    },
  );

  test("cannot be made slow", () => {
    const matches = exportPattern("^(a+)+(a|a)*(a*)*b$");
    const started = cpuMs();
    expect(matches?.("a".repeat(5000))).toBe(false);
    expect(standardMs(cpuMs() - started)).toBeLessThan(5000);
  });
});
