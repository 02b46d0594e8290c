import { describe, expect, test } from "vitest";
import { inspectedPackage, signalsOf } from "./testing/inspected-package.ts";

const levelsOf = (code: string): string[] =>
  signalsOf(code)
    .filter((line) => line.includes(" decoded-code "))
    .map((line) => line.split(" ")[0] ?? "");

describe("code that was hidden", () => {
  test.for([
    'eval(parse(text = rawToChar(base64enc::base64decode("c3lzdGVtKCk="))))',
    'f <- function() { x <- openssl::base64_decode("c3k="); y <- rawToChar(x); eval(parse(text = y)) }',
    'eval(parse(text = chartr("abc", "xyz", code)))',
    "eval(parse(text = intToUtf8(c(115, 121, 115))))",
    "eval(parse(text = intToUtf8(rev(utf8ToInt(x)))))",
    "eval(unserialize(bytes))",
    "unserialize(bytes)()",
    "str2lang(rawToChar(bytes))",
    "base64enc::base64decode(x) |> rawToChar() |> str2lang()",
    "x %>% base64enc::base64decode() %>% rawToChar() %>% parse(text = .) %>% eval()",
    'f <- function() { name <- paste0("sys", "tem"); do.call(name, list("id")) }',
    "rlang::parse_expr(rawToChar(memDecompress(bytes)))",
    'source("https://example.org/a.R")',
    'source(url("https://example.org/a.R"))',
    'source(textConnection(rawToChar(base64enc::base64decode("c3k="))))',
    'eval(parse(text = readLines("https://example.org/a.R")))',
    "f <- function(u) { r <- httr::GET(u); eval(parse(text = httr::content(r, 'text'))) }",
    "f <- function(u) { t <- tempfile(); download.file(u, t); source(t) }",
    'f <- function() { t <- tempfile(); writeLines(rawToChar(base64enc::base64decode("c3k=")), t); source(t) }',
    'eval(parse(text = paste0("sys", "tem(\'id\')")))',
    'do.call(paste0("sys", "tem"), list("id"))',
    'get(paste(c("s", "y", "s", "t", "e", "m"), collapse = ""))("id")',
    'do.call(rawToChar(as.raw(c(0x73, 0x79, 0x73, 0x74, 0x65, 0x6d))), list("id"))',
    'match.fun(paste(rev(strsplit("metsys", "")[[1]]), collapse = ""))("id")',
    'system(rawToChar(base64enc::base64decode("aWQ=")))',
  ])("is a danger: %s", (code) => {
    expect(levelsOf(code)).toContain("danger");
  });

  test("is a danger where another file decodes it", () => {
    const { signals } = inspectedPackage({
      "R/a.R": "f <- function() eval(parse(text = reveal(payload)))",
      "R/b.R": "reveal <- function(x) rawToChar(base64enc::base64decode(x))",
    });
    expect(signals.map(({ id, level, file }) => [id, level, file])).toContainEqual(["decoded-code", "danger", "R/a.R"]);
  });

  test("is a warning in a string that names a program or a download", () => {
    expect(levelsOf("eval(parse(text = \"system('id')\"))")).toEqual(["warning"]);
    expect(levelsOf('f <- function(x) eval(parse(text = paste0("download.file(\'", x, "\')")))')).toEqual(["warning"]);
  });

  test("is a notice where text is put together, and none where it is written out", () => {
    expect(levelsOf("f <- function(x) eval(parse(text = paste0('data$', x)))")).toEqual(["notice"]);
    expect(levelsOf("f <- function() eval(parse(text = 'x + y'))")).toEqual([]);
    expect(levelsOf("f <- function(x) eval(substitute(x), parent.frame())")).toEqual([]);
    expect(levelsOf("f <- function(path) source(path)")).toEqual([]);
    expect(levelsOf("f <- function(n) get(chartr('.', '_', n))")).toEqual(["danger"]);
  });
});
