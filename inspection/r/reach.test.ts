import { describe, expect, test } from "vitest";
import { inspectedPackage, signalsOf } from "./testing/inspected-package.ts";

describe("processes", () => {
  test.for<[subject: string, code: string]>([
    ["system", 'f <- function() system("id")'],
    ["system2", 'f <- function() system2("nproc", stdout = TRUE)'],
    ["shell", 'f <- function() shell("dir")'],
    ["pipe", 'f <- function() readLines(pipe("id"))'],
    ["system", 'f <- function() base::system("id")'],
    ["system", "f <- function() `system`('id')"],
    ["system", 'f <- function() (system)("id")'],
    ["system", 'f <- function() "id" |> system()'],
    ["system", 'f <- function() baseenv()$system("id")'],
    ["system", 'f <- function() asNamespace("base")$system("id")'],
    ["system", 'f <- function() do.call("system", list("id"))'],
    ["system", "f <- function() do.call(system, list('id'))"],
    ["system", 'f <- function() get("system")("id")'],
    ["system", 'f <- function() match.fun("system")("id")'],
    ["system", 'f <- function() getExportedValue("base", "system")("id")'],
    ["system", "f <- function(x) lapply(x, system)"],
    ["system", "f <- function() get(Reduce(paste0, c('sys', 'tem')))('id')"],
    ["system", "f <- function() match.fun(do.call(paste0, list('sys', 'tem')))('id')"],
    ["system", "f <- function() get(sprintf('%s%s', 'sys', 'tem'))('id')"],
    ["system", "f <- function() get(gsub('_', '', 'sys_tem'))('id')"],
    ["system2", "run <- system2"],
    ["system", "f <- function(x, run = system) run(x)"],
    ["system", "f <- function(x) Map(list(system), x)"],
    ["system", 'f <- function() { name <- "system"; get(name)("id") }'],
    ["cppFunction", "f <- function(x) Rcpp::cppFunction(x)"],
    ["system", "run <- base::system"],
    ["run", 'f <- function() processx::run("id")'],
    ["process", 'f <- function() processx::process$new("id")'],
    ["r", "f <- function() callr::r(function() 1)"],
    ["exec_wait", 'f <- function() sys::exec_wait("id")'],
    [".C", 'f <- function() .C("system", "id")'],
    ["system", 'f <- function() {system}("id")'],
    ["system", 'f <- function() (function(x) x)(system)("id")'],
    ["system", 'f <- function() (function(x) x("id"))(system)'],
    ["system", 'f <- function() hold(system)("id")'],
    ["system", 'f <- function(x, a = "sys", b = "tem") do.call(paste0(a, b), list(x))'],
    ["system", 'f <- function() (if (TRUE) system)("id")'],
    ["system", 'f <- function() (if (a) stop else system)("id")'],
    ["system", 'f <- function() "id" %>% system'],
    ["system", 'f <- function() sapply("id", "system")'],
    ["system", 'f <- function() sapply(FUN = "system", "id")'],
    ["system", 'f <- function() baseenv()[["system"]]("id")'],
    ["system", 'f <- function() baseenv()[[paste0("sys", "tem")]]("id")'],
    ["system", 'f <- function() as.list(baseenv())$system("id")'],
    ["system", 'f <- function() { e <- baseenv(); e$system("id") }'],
    ["system", 'f <- function() getElement(baseenv(), "system")("id")'],
    ["system", 'f <- function() Map(do.call, "system", list(list("id")))'],
    ["system", 'f <- function() "system" |> do.call(list("id"))'],
    ["system", 'f <- function() rlang::exec("system", "id")'],
    ["system", 'f <- function() purrr::map("id", system)'],
    ["system", 'f <- function() list(system)[[1]]("id")'],
    ["system", "h <- list(run = system)"],
    ["system", "h <- function(f, x) f(x)\ng <- function() h(system, 'id')"],
    ["cat", 'f <- function(x) cat(x, file = "|sh")'],
    ["write", 'f <- function(x) write(x, "| sh")'],
    ["pdf", 'f <- function() pdf("|sh")'],
    ["sink", 'f <- function() sink("|sh")'],
    ["untar", 'f <- function(x) untar(x, tar = "id #")'],
    ["fread", 'f <- function() data.table::fread(cmd = "id")'],
    ["fread", 'f <- function(x) data.table::fread(paste0("zcat ", x))'],
  ])("by %s are a warning: %s", ([subject, code]) => {
    expect(signalsOf(code)).toContain(`warning process ${subject}`);
  });

  test("of an imported package are a warning without its name", () => {
    const code = 'f <- function() run("id")';
    expect(signalsOf(code, "R/code.R", "importFrom(processx, run)")).toEqual(["warning process run"]);
    expect(signalsOf(code, "R/code.R", "import(processx)")).toEqual(["warning process run"]);
    expect(signalsOf(code, "R/code.R", "import(stats)")).toEqual([]);
  });

  test("are none where the package has a function of that name, or means a value", () => {
    expect(signalsOf("shell <- function(x) x\nf <- function() shell(1)")).toEqual([]);
    expect(signalsOf("f <- function(system) solve(system)\nx@system <- system\ny <- system.file('a')")).toEqual([]);
    expect(signalsOf("# system('id')\nf <- function() 'system(1)'")).toEqual([]);
    expect(signalsOf("f <- function(d) with(d, table(system, year))")).toEqual([]);
    expect(signalsOf("f <- function(d) dplyr::count(d, system)")).toEqual([]);
    expect(signalsOf("f <- function() (function(x) x)(system)('id')")).toHaveLength(1);
    expect(signalsOf("f <- function(d) sapply(d, '[[', 'system')")).toEqual([]);
    expect(signalsOf("f <- function(d) purrr::map_chr(d, 'system')")).toEqual([]);
    expect(signalsOf("h <- function(d, x) d[x]\nf <- function(d) h(d, system)")).toEqual([]);
    expect(signalsOf("f <- function(x) untar(x, tar = 'internal')")).toEqual([]);
    expect(signalsOf("f <- function(x) data.table::fread(paste0('my files/', x))")).toEqual(["warning process fread"]);
    expect(signalsOf("f <- function(x) cat('|', file = x)")).toEqual([]);
  });

  test("of tests and vignettes are a notice", () => {
    for (const path of ["tests/testthat/test-a.R", "vignettes/a.R", "inst/doc/a.R", "demo/a.R"])
      expect(signalsOf("system('id')", path)).toEqual(["notice process system"]);
  });

  test("show the call, not its line", () => {
    const { signals } = inspectedPackage({ "R/a.R": '\nf <- function()\n  x <- system2(\n    "id"\n  )\n' });
    expect(signals).toEqual([
      { id: "process", level: "warning", subject: "system2", file: "R/a.R", line: 3, excerpt: 'system2( "id" )' },
    ]);
  });
});

describe("the network", () => {
  test.for<[subject: string, code: string]>([
    ["download.file", "f <- function(a, b) download.file(a, b)"],
    ["download.file", "f <- function(a, b) utils::download.file(a, b)"],
    ["url", "f <- function(a) url(a)"],
    ["socketConnection", "f <- function(a) socketConnection(a)"],
    ["readLines", 'f <- function() readLines("https://example.org/a")'],
    ["read.csv", 'f <- function() read.csv(paste0("http://", "example.org"))'],
    ["fromJSON", 'f <- function() jsonlite::fromJSON("https://example.org/a")'],
    ["readRDS", 'host <- "https://example.org/"\nf <- function(id) readRDS(paste0(host, id))'],
    ["GET", "f <- function(a) httr::GET(a)"],
    ["POST", "f <- function(a) httr::POST(a, body = 1)"],
    ["request", "f <- function(a) httr2::request(a)"],
    ["curl_fetch_memory", "f <- function(a) curl::curl_fetch_memory(a)"],
    ["getURL", "f <- function(a) RCurl::getURL(a)"],
    ["install.packages", "f <- function(a) install.packages(a)"],
    ["install_github", "f <- function(a) remotes::install_github(a)"],
  ])("by %s is a warning: %s", ([subject, code]) => {
    expect(signalsOf(code)).toContain(`warning network ${subject}`);
  });

  test("is reached through a pipe, and what comes from there is code", () => {
    const source = `f <- function() "https://a.example/x.R" |> source()`;
    expect(signalsOf(source)).toContain("warning network source");
    expect(signalsOf(source)).toContain("danger decoded-code source");
    expect(signalsOf(source.replace("|> source()", "%>% source"))).toContain("danger decoded-code source");
    const lines = `f <- function() "https://a.example/x.R" |> readLines() |> str2expression() |> eval()`;
    expect(signalsOf(lines)).toContain("warning network readLines");
    expect(signalsOf(lines)).toContain("danger decoded-code eval");
    expect(signalsOf("f <- function(x) x |> trimws() |> strsplit(',')")).toEqual([]);
  });

  test("shows what is suspicious in a long call", () => {
    const code = `f <- function() httr::POST(body = "${"x".repeat(300)}", url = "https://a.example/x")`;
    expect(inspectedPackage({ "R/a.R": code }).signals[0]?.excerpt).toContain('url = "https://a.example/x"');
  });

  test("is seen after many harmless lines, which count as not examined", () => {
    const many = Array.from({ length: 502 }, (_none, index) => `path.expand("a${index}")`).join("\n");
    const found = signalsOf(`f <- function() {\n${many}\nsystem("id")\n}`);
    expect(found).toContain("warning process system");
    expect(found).toContain("warning incomplete size");
  });

  test("is not reached by reading a file", () => {
    expect(signalsOf('f <- function(path) c(readLines(path), read.csv("a.csv"))')).toEqual([]);
  });
});

describe("the environment", () => {
  test("is a notice with the name of the variable", () => {
    expect(signalsOf('f <- function() Sys.getenv("CROPCURVE_WORKERS", unset = NA)')).toEqual([
      "notice environment CROPCURVE_WORKERS",
    ]);
    expect(signalsOf('f <- function() Sys.getenv("R_LIBS_PATH")')).toEqual(["notice environment R_LIBS_PATH"]);
    expect(signalsOf("f <- function(x) Sys.getenv(x)")).toEqual(["notice environment Sys.getenv"]);
    expect(signalsOf("f <- function(x) Sys.setenv(PATH = x)")).toEqual(["notice environment Sys.setenv"]);
  });

  test("is a warning where a change of it decides which code runs", () => {
    expect(signalsOf('f <- function() Sys.setenv(LD_PRELOAD = "a.so")')).toContain("warning environment LD_PRELOAD");
    expect(signalsOf("f <- function(x) Sys.setenv(http_proxy = x)")).toContain("warning environment http_proxy");
  });

  test("is a warning where it holds secrets, or is read as a whole", () => {
    expect(signalsOf('f <- function() Sys.getenv("GITHUB_PAT")')).toEqual(["warning secret-environment GITHUB_PAT"]);
    expect(signalsOf('f <- function() Sys.getenv(c("HOST", "AWS_SECRET_ACCESS_KEY"))')).toEqual([
      "notice environment HOST",
      "warning secret-environment AWS_SECRET_ACCESS_KEY",
    ]);
    for (const nothing of ["NULL", "(NULL)", "c()", "if (TRUE) NULL"])
      expect(signalsOf(`f <- function() Sys.getenv(${nothing})`)).toEqual(["warning secret-environment Sys.getenv()"]);
    expect(signalsOf("f <- function() Sys.getenv()")).toEqual(["warning secret-environment Sys.getenv()"]);
  });
});

describe("the home folder", () => {
  test("is a notice", () => {
    expect(signalsOf('f <- function() path.expand("~")')).toEqual([
      "notice home-folder ~",
      "notice home-folder path.expand",
    ]);
    expect(signalsOf('f <- function() readLines("~/data.csv")')).toEqual(["notice home-folder ~"]);
    expect(signalsOf('f <- function() Sys.getenv("HOME")')).toEqual(["notice home-folder HOME"]);
    expect(signalsOf('f <- function() tools::R_user_dir("a")')).toEqual(["notice home-folder R_user_dir"]);
    expect(signalsOf('f <- function() paste("y", "~", "x")')).toEqual([]);
  });

  test("is a warning where it is deleted", () => {
    expect(signalsOf('f <- function() unlink(path.expand("~"), recursive = TRUE)')).toContain(
      "warning home-folder unlink",
    );
  });

  test("is a warning where keys are, and what runs when a session begins", () => {
    expect(signalsOf('f <- function() readLines("~/.ssh/id_rsa")')).toEqual(["warning home-folder .ssh"]);
    expect(signalsOf('f <- function() cat("x", file = file.path("~", ".Rprofile"))')).toContain(
      "warning home-folder .Rprofile",
    );
    expect(signalsOf('f <- function() stop("Set the key in ~/.Renviron first")')).toEqual([]);
  });
});

test("the clipboard is a warning", () => {
  expect(signalsOf("f <- function() utils::readClipboard()")).toEqual(["warning clipboard readClipboard"]);
  expect(signalsOf("f <- function() clipr::read_clip()")).toEqual(["warning clipboard read_clip"]);
  expect(signalsOf('f <- function() readLines(file("clipboard"))')).toEqual(["warning clipboard file"]);
});

test("a keyring is a warning", () => {
  expect(signalsOf('f <- function() keyring::key_get("a")')).toEqual(["warning keyring key_get"]);
});
