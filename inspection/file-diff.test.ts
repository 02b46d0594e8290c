import type { FileDiff } from "@packhouse/contract/review/comparison";
import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { expect, test } from "vitest";
import { fileDiff } from "./file-diff.ts";

const side = (text: string | null, path = "R/height.R") => ({ path, text });

/** As people read a diff, with changed words in brackets. */
const shown = ({ hunks }: FileDiff): string[] =>
  hunks.flatMap(({ lines }) => [
    "@@",
    ...lines.map(({ kind, parts }) => {
      const sign = { same: " ", added: "+", removed: "-" }[kind];
      return sign + parts.map(({ text, changed }) => (changed ? `[${text}]` : text)).join("");
    }),
  ]);

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`);

test("shows changed lines with three equal ones around them", () => {
  const before = numbers(20);
  const after = before.with(4, "other\n").with(14, "another\n");
  const found = fileDiff(side(before.join("")), side(after.join("")));
  expect(shown(found)).toEqual([
    ...["@@", " line 2", " line 3", " line 4", "-line 5", "+other", " line 6", " line 7", " line 8"],
    ...["@@", " line 12", " line 13", " line 14", "-line 15", "+another", " line 16", " line 17", " line 18"],
  ]);
  expect(found).toMatchObject({ state: "compared", linesBefore: 20, linesAfter: 20, previousPath: null });
  expect(found.hunks[1]?.lines[3]).toMatchObject({ before: 15, after: null });
  expect(found.hunks[1]?.lines[4]).toMatchObject({ before: null, after: 15 });
});

test("joins changes that are close to each other", () => {
  const before = numbers(10);
  const found = fileDiff(side(before.join("")), side(before.with(2, "a\n").with(6, "b\n").join("")));
  expect(found.hunks).toHaveLength(1);
  expect(shown(found).filter((line) => line.startsWith(" "))).toHaveLength(8);
});

test("marks what changed within a line", () => {
  const found = fileDiff(side("height <- function(x, y = 2) x + y\n"), side("height <- function(x, z = 2) x + z\n"));
  expect(shown(found)).toEqual([
    "@@",
    "-height <- function(x, [y] = 2) x + [y]",
    "+height <- function(x, [z] = 2) x + [z]",
  ]);
});

test("marks nothing within lines that have little in common", () => {
  expect(shown(fileDiff(side("library(stats)\n"), side("x <- compute(all, of, it)\n")))).toEqual([
    "@@",
    "-library(stats)",
    "+x <- compute(all, of, it)",
  ]);
});

test("ignores blanks on demand", () => {
  const [before, after] = [side("if (a) {\n  b\n}\n"), side("if (a)  {\n\tb\n}\nc\n")];
  expect(shown(fileDiff(before, after, { ignoresWhitespace: true }))).toEqual(["@@", " if (a)  {", " \tb", " }", "+c"]);
  expect(shown(fileDiff(before, after)).filter((line) => line.startsWith("-"))).toHaveLength(2);
});

test.for<[string, ReturnType<typeof side> | null, ReturnType<typeof side> | null, string[]]>([
  ["is new", null, side("a\n"), ["@@", "+a"]],
  ["is gone", side("a\n"), null, ["@@", "-a"]],
  ["is the same", side("a\n"), side("a\n"), []],
  ["changed its line ends alone", side("a\r\nb\r\n"), side("a\nb\n"), []],
  ["is empty", side(""), side(""), []],
])("shows a file that %s", ([, before, after, lines]) => {
  expect(shown(fileDiff(before, after))).toEqual(lines);
});

test("names where a renamed file was", () => {
  expect(fileDiff(side("a\n", "R/old.R"), side("a\n", "R/new.R"))).toMatchObject({
    path: "R/new.R",
    previousPath: "R/old.R",
  });
});

test("says that a file is too long to be compared, or no text", () => {
  expect(fileDiff(side("a\n"), side("a\n".repeat(20_001)))).toMatchObject({ state: "large", hunks: [] });
  expect(fileDiff(side("a\n"), side("a".repeat(3_000_000)))).toMatchObject({ state: "large", hunks: [] });
  expect(fileDiff(side(null), side("a\n"))).toMatchObject({ state: "binary", hunks: [] });
});

const random = (count: number, kinds: number, seed: number) => {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return `the line with the number ${state % kinds}\n`;
  });
};

test.for<[string, string[], string[]]>([
  [
    "a tenth of their lines changed",
    random(5_000, 100_000, 1),
    random(5_000, 100_000, 1).map((line, index) => (index % 10 ? line : `x ${line}`)),
  ],
  ["nothing in common", random(5_000, 100_000, 1), random(5_000, 100_000, 2)],
  ["their lines in another order", random(5_000, 100_000, 1), random(5_000, 100_000, 1).sort()],
  ["the same few lines in any order", random(5_000, 4, 1), random(5_000, 4, 2)],
])("compares 5,000 lines in time with %s", ([, before, after]) => {
  const start = cpuMs();
  const found = fileDiff(side(before.join("")), side(after.join("")));
  const spentMs = standardMs(cpuMs() - start);
  expect(found.state).toBe("compared");
  expect(spentMs).toBeLessThan(1_000);
  // What is shown leads from one text to the other.
  const removed = found.hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === "removed"));
  const added = found.hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === "added"));
  expect(before.length - removed.length).toBe(after.length - added.length);
});
