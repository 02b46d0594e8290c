import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { describe, expect, test } from "vitest";
import { nameKey, skeleton, skeletons } from "./confusables.ts";

describe("the key of a name", () => {
  test.for([
    ["Admin", "admin"],
    ["admin ", "admin"],
    ["\u00a0admin\t", "admin"],
    ["ａｄｍｉｎ", "admin"],
    ["𝐚𝐝𝐦𝐢𝐧", "admin"],
    ["mary  ann", "mary ann"],
    ["STRASSE", "straße"],
    ["ΟΔΥΣΣΕΥΣ", "οδυσσευς"],
    ["Ångström", "A\u030angstro\u0308m"],
  ] as const)("of %j is that of %j", ([one, other]) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  test.for([
    ["admin", "adm1n"],
    ["admin", "аdmin"],
    ["neil", "nell"],
    ["jose", "josé"],
  ] as const)("of %j is not that of %j", ([one, other]) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });
});

describe("the skeleton of a name", () => {
  test.for([
    ["Cyrillic а", "аdmin"],
    ["Cyrillic capitals", "АDМІN"],
    ["Greek capital iota", "ADMΙN"],
    ["Greek alpha", "αdmin"],
    ["Latin alpha", "ɑdmin"],
    ["a dotless i", "admın"],
    ["Cyrillic і", "admіn"],
    ["rn in place of m", "adrnin"],
    ["full width", "ａｄｍｉｎ"],
    ["a zero-width joiner", "ad\u200dmin"],
    ["a zero-width space", "\u200badmin"],
    ["a soft hyphen", "ad\u00admin"],
    ["a variation selector", "admin\ufe0f"],
    ["mathematical letters", "𝒶𝒹𝓂𝒾𝓃"],
    ["capitals", "ADMIN"],
    ["the digit 1", "adm1n"],
  ])("sees through %s", ([, disguised]) => {
    expect(skeletons(disguised ?? "").some((one) => skeletons("admin").includes(one))).toBe(true);
  });

  test.for([
    ["root", "r00t"],
    ["root", "rοοt"],
    ["bill", "bi11"],
    ["lan", "Ian"],
    ["pandas", "раndаs"],
    ["scope", "ѕсоре"],
    ["a-b", "a‐b"],
    ["a-b", "a–b"],
  ] as const)("of %j is that of %j", ([one, other]) => {
    expect(skeleton(one)).toBe(skeleton(other));
  });

  test.for([
    ["neil", "nell"],
    ["ian", "lan"],
    ["ali", "all"],
    ["jose", "josé"],
    ["ivan", "иван"],
    ["a.b", "a-b"],
    ["data.table", "datatable"],
    ["日本", "日木"],
  ] as const)("of %j is not that of %j", ([one, other]) => {
    expect(skeletons(one).filter((reading) => skeletons(other).includes(reading))).toEqual([]);
  });

  test("is idempotent", () => {
    for (const name of ["АDМІN", "Straße", "x_1.y-2", "ﬁle", "Ω", "İstanbul"])
      expect(skeleton(skeleton(name))).toBe(skeleton(name));
  });

  test("of a long text is computed quickly", () => {
    const begun = cpuMs();
    skeleton("Іа".repeat(50_000));
    expect(standardMs(cpuMs() - begun)).toBeLessThan(1000);
  });
});
