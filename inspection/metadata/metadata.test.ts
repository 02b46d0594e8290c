import type { IndicatorId } from "@packhouse/contract/review/inspection";
import { describe, expect, test } from "vitest";
import { inspectWith } from "../inspect.ts";
import { rPackage, type SamplePackage, sdist, wheel } from "../testing/packages.ts";
import { withoutCode } from "../testing/without-code.ts";
import { spdxOfPython, spdxOfR } from "./spdx.ts";

test.for<[string, string | null]>([
  ["MIT + file LICENSE", "MIT"],
  ["GPL-2 | GPL-3", "GPL-2.0-only OR GPL-3.0-only"],
  ["GPL (>= 2)", "GPL-2.0-or-later"],
  ["Apache License (== 2.0)", "Apache-2.0"],
  ["LGPL-2.1 | file LICENSE", null],
  ["file LICENSE", null],
  ["All rights reserved", null],
  ["", null],
])("the license %j of an R package is %j", ([license, spdx]) => {
  expect(spdxOfR(license)).toBe(spdx);
});

test.for<[Partial<Parameters<typeof spdxOfPython>[0]>, string | null]>([
  [{ expression: "MIT AND BSD-3-Clause", license: "other" }, "MIT AND BSD-3-Clause"],
  [{ license: "The MIT License (MIT)" }, "MIT"],
  [{ license: "Apache License, Version 2.0" }, "Apache-2.0"],
  [{ license: "BSD-like", classifiers: ["License :: OSI Approved :: MIT License"] }, "MIT"],
  [{ classifiers: ["License :: OSI Approved :: BSD License"] }, null],
  [{ classifiers: ["Programming Language :: Python"] }, null],
])("the license of a Python package: %j is %j", ([metadata, spdx]) => {
  expect(spdxOfPython({ expression: null, license: null, classifiers: [], ...metadata })).toBe(spdx);
});

describe("the indicators that both technologies share", () => {
  const valuesOf = async ({ source, ...what }: SamplePackage, ids: readonly IndicatorId[]) => {
    const { indicators } = await inspectWith(withoutCode, { source, ...what });
    return ids.map((id) => indicators.find((one) => one.id === id)?.value);
  };

  test("of an R package", async () => {
    const fields = {
      ...{ Depends: "R (>= 4.1), methods", Imports: "rlang, stats", Suggests: "testthat" },
      ...{ URL: "https://tides.example, https://github.com/harbor/tides", BugReports: "https://tides.example/issues" },
    };
    const files = { "NEWS.md": "# tides 1.0.0\n", "R/a.R": "a\nb\n", "src/a.c": "int x;\n" };
    const ids = ["bug-tracker", "source-repository", "license-recognized", "maintainer-reachable"] as const;
    expect(await valuesOf(await rPackage(files, { fields }), ids)).toEqual(["yes", "yes", "yes", "yes"]);
    const counts = [
      "direct-dependencies",
      "supported-versions",
      "lines-of-code",
      "compiled-code",
      "news-entry",
    ] as const;
    expect(await valuesOf(await rPackage(files, { fields }), counts)).toEqual([
      "1",
      "R >= 4.1",
      "R: 2, C: 1",
      "yes",
      "yes",
    ]);
    const poor = { Maintainer: "ORPHANED", License: "file LICENSE", URL: "https://tides.example" };
    expect(await valuesOf(await rPackage({}, { fields: poor }), ids)).toEqual(["no", "no", "no", "no"]);
  });

  test("of a Python package", async () => {
    const fields = {
      ...{ "Requires-Python": ">=3.10", "Author-email": "Ida Moen <ida@tides.example>" },
      ...{ "Project-URL": "Issues, https://tides.example/issues", "Home-page": "https://gitlab.com/harbor/tides" },
      "Requires-Dist": "rich",
    };
    const ids = [
      "bug-tracker",
      "source-repository",
      "maintainer-reachable",
      "direct-dependencies",
      "supported-versions",
    ] as const;
    expect(await valuesOf(await wheel({}, { fields }), ids)).toEqual(["yes", "yes", "yes", "1", "Python >=3.10"]);
    const optional = { "Requires-Dist": 'rich; extra == "plot"', "Home-page": "https://tides.example" };
    expect(await valuesOf(await wheel({}, { fields: optional }), ids)).toEqual(["no", "no", "no", "0", null]);
  });

  test.for<[string, string | undefined, string]>([
    ["names the version", "# 1.0.0\n", "yes"],
    ["names another one that begins alike", "# 1.0.0.1\n# 11.0.0\n", "no"],
    ["ends a sentence with it", "Released as 1.0.0.\n", "yes"],
    ["is missing", undefined, "no"],
  ])("a changelog that %s", async ([, text, value]) => {
    expect(await valuesOf(await sdist(text === undefined ? {} : { "CHANGES.md": text }), ["news-entry"])).toEqual([
      value,
    ]);
  });

  test("a wheel has no changelog", async () => {
    expect(await valuesOf(await wheel(), ["news-entry"])).toEqual([null]);
  });
});
