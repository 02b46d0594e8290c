import { expect, test } from "vitest";
import { inspectedPackage } from "./testing/inspected-package.ts";

function indicatorOf(id: string, files: Record<string, string>, description: Record<string, string> = {}) {
  const { indicators } = inspectedPackage(files, { description });
  return indicators.find((one) => one.id === id)?.value;
}

test("documented objects are those that a help page names", () => {
  const files = {
    NAMESPACE: 'export(rise, fall, "%+%")\nS3method(print, pool)',
    "R/a.R": "rise <- function() 1\nfall <- function() 1\n`%+%` <- function(a, b) a\nprint.pool <- function(x, ...) x",
    "man/rise.Rd": "\\name{rise}\n\\alias{rise}\n\\alias{\\%+\\%}\n\\examples{\nrise()\n}",
    "man/other.Rd": "\\name{other}\n% \\alias{fall} is missing",
  };
  expect(indicatorOf("documented", files)).toBe("2 of 3");
  expect(indicatorOf("examples", files)).toBe("1 of 2");
});

test("vignettes and tests are counted", () => {
  const files = {
    "vignettes/a.Rmd": "",
    "vignettes/b.Rnw": "",
    "vignettes/picture.png": "",
    "tests/testthat.R": 'library(testthat)\ntest_check("tidepool")',
    "tests/testthat/test-a.R": 'test_that("a", { 1 })\ntest_that("b", { 2 })',
  };
  expect(indicatorOf("vignettes", files)).toBe("2");
  expect(indicatorOf("tests", files)).toBe("2");
  expect(indicatorOf("tests", { "tests/a.R": "stopifnot(TRUE)", "tests/b.R": "" })).toBe("2");
  expect(indicatorOf("tests", {})).toBe("0");
});

test.for<[found: string, path: string, text: string]>([
  ["yes", "NEWS.md", "# tidepool 1.2.0\n\n* New."],
  ["yes", "NEWS", "Changes in version 1.2-0:\n"],
  ["yes", "inst/NEWS.Rd", "\\section{Changes in version 1.2.0}{"],
  ["no", "NEWS.md", "# tidepool 1.2.0.1\n# tidepool 11.2.0\n\nFixes what 1.2.0 broke."],
  ["no", "README.md", "# tidepool 1.2.0"],
])("the news of this version are found: %s in %s", ([found, path, text]) => {
  expect(indicatorOf("news-entry", { [path]: text })).toBe(found);
});

test("fields of DESCRIPTION answer where to ask", () => {
  const description = {
    BugReports: "https://example.org/issues",
    URL: "https://tidepool.example.org, https://github.com/example/tidepool",
    Maintainer: "Nell Quillborn <nell@example.org>",
    Depends: "methods, R (>= 4.1)",
  };
  expect(indicatorOf("bug-tracker", {}, description)).toBe("yes");
  expect(indicatorOf("source-repository", {}, description)).toBe("yes");
  expect(indicatorOf("maintainer-reachable", {}, description)).toBe("yes");
  expect(indicatorOf("supported-versions", {}, description)).toBe("R >= 4.1");
  for (const id of ["bug-tracker", "source-repository", "maintainer-reachable"]) expect(indicatorOf(id, {})).toBe("no");
  expect(indicatorOf("maintainer-reachable", {}, { Maintainer: "ORPHANED" })).toBe("no");
  expect(indicatorOf("supported-versions", {}, { Depends: "RcppArmadillo (>= 1)" })).toBe("R");
});

test("lines of code are counted by language", () => {
  const files = { "R/a.R": "a\nb\nc", "src/a.c": "a\nb", "src/a.h": "a", "tests/a.R": "a" };
  expect(indicatorOf("lines-of-code", files)).toBe("R: 3, C: 3");
  expect(indicatorOf("compiled-code", files)).toBe("yes");
  expect(indicatorOf("compiled-code", { "R/a.R": "" })).toBe("no");
});
