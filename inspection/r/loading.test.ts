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

  test.for([
    ".onLoad <- (function(...) system2('sh'))",
    ".onLoad <- { function(...) system2('sh') }",
    "local(.onLoad <<- function(...) system2('sh'))",
    "e$.onLoad <- function(...) system2('sh')",
    "assign('.onLoad', function(...) system2('sh'))",
    "assign(paste0('.on', 'Load'), start)",
    ".onLoad <- function(...) lapply('a', start)",
    ".onLoad <- function(...) 'a' |> start()",
    ".onLoad <- function(...) 'a' %>% start",
    ".onLoad <- function(...) do.call('start', list())",
    ".onLoad <- function(...) Map(do.call, 'start', list(list()))",
    ".onLoad <- function(...) match.fun('start')()",
    ".onLoad <- function(...) (if (TRUE) start)()",
    ".onLoad <- function(...) setHook('a', start)",
    ".onLoad <- function(...) reg.finalizer(e, start)",
    ".onLoad <- function(...) h$run()",
    ".onLoad <- function(...) wrapped()",
  ])("is a warning however it is written: %s", (hook) => {
    const code = `start <- function(...) system2('sh')
      h <- list(run = function() system2('sh'), stop = function() 1)
      wrapped <- memoise(function() system2('sh'))`;
    expect(signalsOf(`${code}\n${hook}`)).toContain("warning r-on-load .onLoad");
  });

  test("is none where it tidies up, or evaluates what is written there", () => {
    const warnings = (code: string) => signalsOf(code).filter((signal) => signal.includes("warning"));
    expect(warnings(".onUnload <- function(libpath) unlink(file.path(tempdir(), 'x'), recursive = TRUE)")).toEqual([]);
    expect(warnings(".onUnload <- function(libpath) unlink(file.path(tempdir(), '../x'))")).not.toEqual([]);
    expect(warnings(".onLoad <- function(...) eval(quote(x <- 1), ns)")).toEqual([]);
    expect(warnings(".onLoad <- function(...) eval(quote(system('id')), ns)")).not.toEqual([]);
    expect(warnings("h <- list(run = function() 1, stop = function() 2)\n.onLoad <- function(...) h$stop()")).toEqual(
      [],
    );
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

  test.for([
    "x <- (function() system2('sh'))()",
    "x <- (\\() system2('sh'))()",
    "x <- sapply('x', function(i) system2('sh', i))",
    "x <- Map(list(function(i) system2('sh', i))[[1]], 'x')",
    "x <- 'x' |> (\\(i) system2('sh', i))()",
    "x <- vapply('a', start, 1L)",
    "x <- do.call('start', list())",
    "reg.finalizer(environment(), start)",
    "delayedAssign('x', start())",
    "local({ go <- function() system2('sh'); go() })",
    "x <- run(function() system2('sh'))",
    "x <- Tide$new()",
    "x <- (if (TRUE) start else stop)('a')",
  ])("is a warning where functions run that are given to others: %s", (line) => {
    const code = `start <- function(...) system2('sh')
      run <- function(f) f()
      hold <- function(f) environment(f)
      Tide <- R6Class('Tide', public = list(initialize = function() private$go()), private = list(go = start))
      Tide <- R6Class('Tide', public = list(initialize = function() self$go(), go = function() system2('sh')))`;
    expect(signalsOf(`${code}\n${line}`).filter((one) => one.startsWith("warning r-top-level-call"))).toHaveLength(1);
  });

  test("is none in functions that are only defined", () => {
    const code = `hold <- function(f) environment(f)
      Tide <- R6Class('Tide', public = list(initialize = function() 1, go = function() system2('sh')))
      local({ last <- NULL; go <<- function() system2('sh') })
      x <- hold(function() system2('sh'))
      y <- Tide$new()`;
    expect(signalsOf(code).filter((one) => one.includes("warning r-top-level-call"))).toEqual([]);
  });

  test("is seen although a function has the name of another one elsewhere", () => {
    const code = "if (FALSE) system <- function(x) x\nx <- system('id')";
    expect(signalsOf(code)).toContain("warning r-top-level-call system");
    expect(signalsOf(code)).toContain("warning process system");
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
