import { describe, expect, test } from "vitest";
import { isDistributionName, isName, normalizeName } from "./name.ts";

describe("names of Python projects", () => {
  test.each([
    ["Foo_Bar", "foo-bar"],
    ["a__b", "a-b"],
    ["A--B", "a-b"],
    ["A-._-B", "a-b"],
    ["zope.interface", "zope-interface"],
    ["simple", "simple"],
  ])("%s is %s", (name, normal) => {
    expect(normalizeName(name)).toBe(normal);
  });

  test.each(["x", "7zip", "A.b_c-d", "a__b"])("may be %s", (name) => {
    expect(isName(name)).toBe(true);
  });

  test.each(["", "-a", "a.", "a b", "a/b", "..", "żółw", "\u212Ait", "a\n", "a".repeat(141)])(
    "may not be %j",
    (name) => {
      expect(isName(name)).toBe(false);
    },
  );

  test("in file names are accepted next to versions and tags only", () => {
    expect(isDistributionName("pierlight-1!2.0+ubuntu.1-py2.py3-none-any.whl")).toBe(true);
    for (const name of ["a-1.0 (1).tar.gz", "a-1.0\n.tar.gz", "../a-1.0.tar.gz", 'a-1.0".tar.gz', "a-1.0%2f.tar.gz"])
      expect(isDistributionName(name)).toBe(false);
  });
});
