import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { isLong } from "@packhouse/fixtures/long-form";
import { describe, expect, test } from "vitest";
import { inspectedPackage } from "./testing/inspected-package.ts";

const times = (count: number, text: string) => text.repeat(count);

const slowest = "one function for all";

/** The two kinds of scripts; in the long form, each place in which one is read. */
const places = ["NAMESPACE", "R/a.R", ...(isLong ? ["tests/a.R", "data/a.R"] : [])];

/** None of these may throw, or take time out of proportion to its size. */
const hostile: Readonly<Record<string, string>> = {
  "long replacements": `x <- "${"a".repeat(10_000)}"\n${`get(gsub("a", x, c(${Array(100).fill("x").join(", ")})))("id")\n`.repeat(20)}`,
  "texts that are put together again and again": `a <- "${"ab".repeat(4900)}"\nb <- c(${Array(400).fill("a").join(",")})\nx <- ${"chartr('a','b',".repeat(9)}b${")".repeat(9)}\n${"get(x)\n".repeat(100)}`,
  "calls in calls": `x <- ${times(5000, "f(")}1${times(5000, ")")}`,
  "evaluations in evaluations": `f <- function() ${times(3000, "eval(")}1${times(3000, ")")}`,
  "blocks in blocks": `${times(5000, "{")}1${times(5000, "}")}`,
  "conditions in conditions": times(3000, "if (a) "),
  "pipes after pipes": `f <- function(x) x${times(5000, " |> f()")} |> parse(text = .)`,
  "pasted text in pasted text": `eval(parse(text = ${times(2000, 'paste0("a", ')}"b"${times(2000, ")")}))`,
  "texts that multiply": `eval(parse(text = ${times(300, 'paste0(strsplit("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", ""), ')}"b"${times(300, ")")}))`,
  "names that are assigned in a circle": `${times(2000, "a <- b; b <- a; eval(parse(text = a));")}`,
  "one function for all": `f <- function(x) {\n${times(10_000, "  y <- system(x); eval(parse(text = y))\n")}}`,
  "many functions": Array.from({ length: 5000 }, (_none, index) => `f${index} <- function() f${index + 1}()`).join(
    "\n",
  ),
  "many arguments": `system(${times(50_000, "a, ")}b)`,
  "many hooks": times(5000, ".onLoad <- function(...) { a(); b() }\n"),
  "broken from the beginning": times(20_000, "}) <- function( "),
  "only strings": times(20_000, '"~/.ssh/id_rsa"; '),
  "an endless string": `x <- "${times(500_000, "a")}`,
  "endless escapes": `x <- "${times(100_000, "\\\\x41")}"`,
  "zero bytes": times(10_000, "\0a <- 1\n"),
  nothing: "",
};

describe("the inspection does not fail", () => {
  test.for(Object.entries(hostile).filter(([name]) => isLong || name !== slowest))("with %s", ([, text]) => {
    const started = cpuMs();
    const found = inspectedPackage(Object.fromEntries(places.map((place) => [place, text])));
    expect(found.signals.length).toBeLessThan(5000);
    expect(standardMs(cpuMs() - started)).toBeLessThan(20_000);
  });

  test("with texts that are no scripts, no news and no help pages", () => {
    for (const path of ["configure", "src/Makevars", "NEWS.md", "man/a.Rd", "data/datalist"])
      for (const text of [
        times(200_000, "`$("),
        times(100_000, "\\alias{"),
        times(200_000, ":\n"),
        times(500_000, "#"),
      ])
        expect(() => inspectedPackage({ [path]: text })).not.toThrow();
  });
});
