import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { disproportion } from "@packhouse/fixtures/growth";
import { describe, expect, test } from "vitest";
import { inspectWith } from "./inspect.ts";
import { pythonInspector } from "./python/inspector.ts";
import { rInspector } from "./r/inspector.ts";
import type { TechnologyInspector } from "./technology-inspector.ts";
import { rPackage, type SamplePackage, sdist } from "./testing/packages.ts";

/** A copy of an inspector has read nothing yet. */
const inspected = <Facts>(inspector: TechnologyInspector<Facts>, { source, ...what }: SamplePackage) =>
  inspectWith({ ...inspector }, { source, ...what }, { now: 0 });

const technologies: Readonly<Record<string, (files: Record<string, string>) => Promise<unknown>>> = {
  R: async (files) => inspected(rInspector, await rPackage(files)),
  Python: async (files) => inspected(pythonInspector, await sdist(files)),
};

/** Pieces of code, each with its number, so that nothing is found twice. */
const pieces: Readonly<Record<string, Readonly<Record<string, (index: number) => string>>>> = {
  R: {
    functions: (index) => `f${index} <- function(x, ...) {\n  y <- system(x)\n  f${index + 1}(y, a = 1)\n}\n`,
    "calls of one function": (index) => `options(a = get("b${index}"))\n`,
    "assignments to one name": (index) => `x <- paste0(x, "${index}"); eval(parse(text = x))\n`,
    classes: (index) => `setClass("C${index}", representation(a = "numeric"))\n`,
    addresses: (index) => `readLines("https://h${index}.test.dev/${index}")\n`,
    "long texts that are put together again and again": (index) =>
      index === 0
        ? `a <- "${"ab".repeat(4900)}"\nb <- c(${Array(400).fill("a").join(",")})\nx <- ${"chartr('a','b',".repeat(9)}b${")".repeat(9)}\n`
        : "get(x)\n",
  },
  Python: {
    functions: (index) => `def f${index}(x, *rest):\n    y = subprocess.run(x)\n    return f${index + 1}(y, a=1)\n`,
    "calls of one function": (index) => `f(os.environ["B${index}"])\n`,
    "assignments to one name": (index) => `x = x + "${index}"; exec(x)\n`,
    "lists of one name": (index) => `a = [${"b, ".repeat(290)}]; exec(a)\n${index}\n`,
    classes: (index) => `class C${index}(C${index - 1}):\n    def __init__(self):\n        self.a = C${index - 1}()\n`,
    addresses: (index) => `urlopen("https://h${index}.test.dev/${index}")\n`,
  },
};

/** After the first piece, which may be longer than the others. */
const ofLength = (piece: (index: number) => string, length: number): string => {
  const parts = [piece(0)];
  for (let size = 0; size < length; ) size += (parts[parts.push(piece(parts.length)) - 1] ?? "").length;
  return parts.join("");
};

const cases = Object.entries(pieces).flatMap(([technology, kinds]) =>
  Object.entries(kinds).map(([name, piece]) => [technology, name, piece] as const),
);
const path = { R: "R/a.R", Python: "tides/__init__.py" } as const;

describe("twice the code takes at most three times as long", { timeout: 300_000 }, () => {
  test.for(cases)("in %s: %s", async ([technology, , piece]) => {
    const run = technologies[technology];
    const file = technology === "R" ? path.R : path.Python;
    const why = await disproportion(
      (length) => ofLength(piece, length),
      (text) => run?.({ [file]: text }),
      "128 KiB",
    );
    expect(why).toBeUndefined();
  });
});

describe("a megabyte of code takes at most three seconds of a usual processor", { timeout: 120_000 }, () => {
  test.for([["R"], ["Python"]] as const)("in %s", async ([technology]) => {
    const piece = pieces[technology]?.functions ?? String;
    const name = (index: number) => (technology === "R" ? `R/f${index}.R` : `tides/f${index}.py`);
    const files = Object.fromEntries(
      Array.from({ length: 16 }, (_, index) => [name(index), ofLength((at) => piece(index * 10_000 + at), 65_536)]),
    );
    const run = technologies[technology];
    await run?.({ [name(0)]: "" });
    const started = cpuMs();
    await run?.(files);
    expect(standardMs(cpuMs() - started)).toBeLessThan(3000);
  });
});
