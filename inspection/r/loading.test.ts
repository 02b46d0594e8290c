import { describe, expect, test } from "vitest";
import { inspectedPackage, signalsOf } from "./testing/inspected-package.ts";

describe("code that runs at loading", () => {
  test("is information while it only registers, sets defaults and greets", () => {
    const code = `.onLoad <- function(libname, pkgname) {
      op <- options()
      defaults <- list(tidepool.digits = 3)
      if (any(!(names(defaults) %in% names(op)))) options(defaults)
      library.dynam("tidepool", pkgname, libname)
      registerS3method("print", "pool", print.pool)
      invisible()
    }
    .onAttach <- function(libname, pkgname) packageStartupMessage("Welcome")`;
    expect(signalsOf(code)).toEqual(["info r-on-load .onLoad", "info r-on-load .onAttach"]);
  });

  test.for([
    'system("id")',
    'utils::download.file("a", "b")',
    "Sys.getenv()",
    "eval(x)",
    'source("a.R")',
    'writeLines("x", "y")',
    'file.copy("a", "b")',
    'options(repos = "x")',
    'assign("x", 1, envir = .GlobalEnv)',
    'assignInNamespace("x", 1, "base")',
    "addTaskCallback(f)",
    'do.call(utils::download.file, list("a", "b"))',
    "lapply(x, system)",
    'utils::browseURL("https://a.example")',
  ])("is a warning with %s", (call) => {
    for (const hook of [".onLoad", ".onAttach", ".First.lib"])
      expect(signalsOf(`${hook} <- function(libname, pkgname) { ${call} }`)).toContain(`warning r-on-load ${hook}`);
  });

  test("is a notice with other calls, shown as they are", () => {
    const { signals } = inspectedPackage({ "R/zzz.R": ".onLoad <- function(...) {\n  prepare(cache(1))\n}" });
    expect(signals.map(({ level, line, excerpt }) => [level, line, excerpt])).toEqual([
      ["info", 1, null],
      ["notice", 2, "prepare(cache(1))"],
    ]);
  });

  test("is a warning where a function of another file reaches outside", () => {
    const { signals } = inspectedPackage({
      "R/workers.R": 'default_workers <- function() count()\ncount <- function() system2("nproc")',
      "R/zzz.R": ".onLoad <- function(libname, pkgname) options(workers = default_workers())",
    });
    expect(signals).toContainEqual({
      id: "r-on-load",
      level: "warning",
      subject: ".onLoad",
      file: "R/zzz.R",
      line: 1,
      excerpt: "default_workers()",
    });
  });

  test("is seen behind another name", () => {
    expect(signalsOf(".onLoad <- start\nstart <- function(...) system('id')")).toContain("warning r-on-load .onLoad");
  });
});

describe("code outside of R/ that runs at installation", () => {
  test("is a warning in a condition of NAMESPACE", () => {
    const signalsIn = (namespace: string) => signalsOf("", "R/a.R", namespace);
    expect(signalsIn('if (system("id") == 0) export(a)')).toEqual(["warning r-on-load NAMESPACE"]);
    expect(signalsIn('if (getRversion() >= "4.0.0") export(a)\nimportFrom(utils, download.file)')).toEqual([]);
  });

  test("is a warning in the field of authors", () => {
    const found = (authors: string) =>
      inspectedPackage({}, { authors }).signals.map(({ level, id, subject }) => `${level} ${id} ${subject}`);
    expect(found('c(person("Ida", "Moen", email = "ida@tides.example", role = c("aut", "cre")))')).toEqual([]);
    expect(found('{ system("id"); person("Ida", "Moen") }')).toEqual(["warning r-top-level-call Authors@R"]);
    expect(found('rev(person("Ida", "Moen"))')).toEqual(["notice r-top-level-call Authors@R"]);
  });

  test("is seen in functions that others run later", () => {
    const code = 'makeActiveBinding("version", function() system("id"), environment())';
    expect(signalsOf(code)).toContain("warning r-top-level-call system");
    expect(signalsOf('x <- wrap(function() system("id"))')).toEqual(["warning process system"]);
  });

  test("is seen in the citation", () => {
    expect(signalsOf("system('id')\nbibentry('Manual')", "inst/CITATION")).toEqual([
      "warning process system",
      "warning r-top-level-call system",
    ]);
  });
});

describe("the top level", () => {
  test("of definitions is no signal", () => {
    const code = `
      f <- g <- function(x) UseMethod("f")
      pools <- new.env(parent = emptyenv())
      setClass("Pool", representation(name = "character"))
      setGeneric("drain", function(x, ...) standardGeneric("drain"))
      setMethod("drain", "Pool", function(x, ...) x)
      Tide <- R6::R6Class("Tide", public = list(rise = function() cat("up")))
      Account <- setRefClass("Account", fields = list(a = "numeric"))
      wave <- S7::new_class("wave")
      if (getRversion() >= "2.15.1") utils::globalVariables(c("a", "b"))
      "_PACKAGE"
      NULL`;
    expect(signalsOf(code)).toEqual([]);
  });

  test("is a notice where it calls something", () => {
    expect(signalsOf("f <- function() 1\nprepare(f)")).toEqual(["notice r-top-level-call prepare"]);
  });

  test("is a warning where it reaches outside, also through an assignment or a data file", () => {
    expect(signalsOf("local({ system('id') })")).toContain("warning r-top-level-call system");
    expect(signalsOf("x <- system('id', intern = TRUE)")).toContain("warning r-top-level-call system");
    expect(signalsOf("x <- probe()\nprobe <- function() system('id')")).toContain("warning r-top-level-call probe");
    expect(signalsOf("x <- system('id', intern = TRUE)", "data/x.R")).toContain("warning r-top-level-call system");
    expect(signalsOf("x <- system('id', intern = TRUE)", "inst/app/x.R")).toEqual(["warning process system"]);
  });
});
