import { describe, expect, test } from "vitest";
import { pythonRequirements } from "./python/requirements.ts";
import { rDependencies } from "./r/dependencies.ts";

describe("dependencies of R packages", () => {
  test("are read from all five fields, with their version constraints", () => {
    const found = rDependencies.read({
      depends: "R (>= 4.1.0), methods",
      imports: "Rcpp (>=1.0.7),\n  data.table",
      suggests: "testthat (>= 3.0.0)",
      linkingTo: null,
    });
    expect(found.map(({ kind, name, constraint }) => `${kind} ${name} ${constraint}`.trim())).toEqual([
      "depends R >= 4.1.0",
      "depends methods",
      "imports Rcpp >= 1.0.7",
      "imports data.table",
      "suggests testthat >= 3.0.0",
    ]);
  });

  test("compare versions in R's order", () => {
    expect(rDependencies.satisfies("1.10-2", ">= 1.9")).toBe(true);
    expect(rDependencies.satisfies("1.0.6", ">= 1.0.7")).toBe(false);
    expect(rDependencies.satisfies("2.0", "")).toBe(true);
    expect(rDependencies.isBuiltIn("utils")).toBe(true);
    expect(rDependencies.isBuiltIn("Matrix")).toBe(false);
  });
});

describe("requirements of Python packages", () => {
  test("are split although commas separate them and also appear within them", () => {
    const requiresDist =
      "numpy>=1.20,<3, requests[security,socks] (>=2.0, <3) ; python_version < '3.12', Typing_Extensions, tomli; extra == \"toml\"";
    expect(pythonRequirements.read({ requiresDist })).toEqual([
      { kind: "requires", name: "numpy", constraint: ">=1.20,<3", condition: "" },
      { kind: "requires", name: "requests", constraint: ">=2.0, <3", condition: "python_version < '3.12'" },
      { kind: "requires", name: "Typing_Extensions", constraint: "", condition: "" },
      { kind: "requires", name: "tomli", constraint: "", condition: 'extra == "toml"' },
    ]);
    expect(pythonRequirements.read({ requiresDist: null })).toEqual([]);
  });

  test.for([
    ["1.4.5", "~=1.4.2", true],
    ["1.5.0", "~=1.4.2", false],
    ["2.3", "==2.*", true],
    ["3.0", "!=3.*", false],
    ["1.0rc1", ">=1.0", false],
    ["2.9", ">=1.20,<3", true],
    ["3.1", ">=1.20,<3", false],
    ["1.0", "===1.0.0", false],
    ["1.2rc1", ">=1.0", true],
    ["2.0a1", "<2", false],
    ["2.0.0.dev1", "<2", false],
    ["2.0a1", "<2.0a2", true],
    ["1.9rc1", "<2", true],
    ["1.0.post1", ">1.0", false],
    ["1.0.post2", ">1.0.post1", true],
    ["1.1.post1", ">1.0", true],
    ["1.0.post1", "==1.0", false],
    ["1.0.post1", "~=1.0", true],
    ["2.2.post4", "~=2.2.post3", true],
    ["2.9", "~=2.2.post3", true],
    ["3.0", "~=2.2.post3", false],
    ["2.0+south.1", "==2.0", true],
    ["2.0+south.1", "!=2.0", false],
    ["2.0+south.1", "<=2.0", true],
    ["2.0+south.1", ">2.0", false],
    ["2.0+south.1", "==2.0+south.1", true],
    ["2.0", "==2.0+south.1", false],
    ["1!1.0", "==1.*", false],
    ["1!1.0", "~=1.0", false],
    ["1!1.2", "~=1!1.0", true],
    ["1!1.0", "<2!1", true],
  ] as const)("%s against %s", ([version, constraint, expected]) => {
    expect(pythonRequirements.satisfies(version, constraint)).toBe(expected);
  });
});
