import { expect, test } from "vitest";
import { inspectedPackage } from "./testing/inspected-package.ts";

function indicatorOf(id: string, files: Record<string, string>) {
  const { indicators } = inspectedPackage(files);
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
