import { expect, test } from "vitest";
import { inspectedPackage } from "../testing/inspected-package.ts";

const entriesOf = (files: Record<string, string>): string[] =>
  inspectedPackage(files).interface.map(({ kind, name, parameters, file, line }) => {
    const list = parameters?.map((one) => (one.default === null ? one.name : `${one.name} = ${one.default}`));
    return `${kind} ${name}${list ? `(${list.join(", ")})` : ""} ${file}:${line}`;
  });

test("exports have their parameters and defaults as written", () => {
  const entries = entriesOf({
    NAMESPACE: 'export(fit_lots, "%+%")\nexport(limit)\nexport(pools, lines, missing)',
    "R/a.R": `
fit_lots <- function(table, lot = c("a",
    "b"), ..., workers = NULL) 1
\`%+%\` = function(a, b) a
limit <- -3L
pools <- list(1)
(\\(x) x) -> lines
hidden <- function() 1`,
  });
  expect(entries).toEqual([
    "function %+%(a, b) R/a.R:4",
    'function fit_lots(table, lot = c("a", "b"), ..., workers = NULL) R/a.R:2',
    "constant limit R/a.R:5",
    "object lines R/a.R:7",
    "object missing NAMESPACE:3",
    "object pools R/a.R:6",
  ]);
});

test("a rest parameter is not one to be given by position", () => {
  const [entry] = inspectedPackage({ NAMESPACE: "export(f)", "R/a.R": "f <- function(x, ...) 1" }).interface;
  expect(entry?.parameters).toEqual([
    { name: "x", default: null, annotation: null, kind: "any" },
    { name: "...", default: null, annotation: null, kind: "rest" },
  ]);
});

test("methods, classes and generics are entries of their own", () => {
  const entries = entriesOf({
    NAMESPACE: `S3method(print, pool)
S3method(format, pool, format_pool)
exportClasses(Pool)
exportMethods(drain)
export(Tide, Account)
if (.Platform$OS.type == "windows") export(only_windows)`,
    "R/a.R": `
print.pool <- function(x, ...) x
format_pool <- function(x, digits = 3) x
setClass("Pool", representation(a = "numeric"))
setGeneric("drain", function(x, how = 1) standardGeneric("drain"))
setMethod("drain", signature(x = "Pool"), function(x, how = 1) x)
setMethod("show", "Pool", function(object) object)
Tide <- R6::R6Class("Tide")
Account <- setRefClass("Account")
if (TRUE) { only_windows <- function() 1 }`,
  });
  expect(entries).toEqual([
    "object Account R/a.R:9",
    "s4-class Pool R/a.R:4",
    "object Tide R/a.R:8",
    "function drain(x, how = 1) R/a.R:5",
    "s4-method drain,Pool(x, how = 1) R/a.R:6",
    "s3-method format.pool(x, digits = 3) R/a.R:3",
    "function only_windows() R/a.R:10",
    "s3-method print.pool(x, ...) R/a.R:2",
  ]);
});

test("patterns select what the package defines", () => {
  const files = { NAMESPACE: 'exportPattern("^[[:alpha:]]+")', "R/a.R": "a <- 1\n.b <- 2\n" };
  expect(entriesOf(files)).toEqual(["constant a R/a.R:1"]);
});

test("data sets belong to the interface", () => {
  const files = {
    NAMESPACE: "",
    "data/waves.csv": "a",
    "data/two.R": "one <- 1",
    "data/datalist": "two: one other\nwaves",
  };
  expect(entriesOf(files)).toEqual([
    "object one data/two.R:null",
    "object other data/two.R:null",
    "object waves data/waves.csv:null",
  ]);
});

test("of a binary, the names are known", () => {
  const { interface: entries } = inspectedPackage({ NAMESPACE: "export(f)" }, { kind: "binary" });
  expect(entries).toEqual([{ name: "f", kind: "object", parameters: null, file: "NAMESPACE", line: 1 }]);
});
