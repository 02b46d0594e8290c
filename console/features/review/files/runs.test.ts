import type { DiffLine } from "@packhouse/contract/review/comparison";
import { describe, expect, test } from "vitest";
import { type OpenedGaps, runsOf, textLines } from "./runs.ts";

const same = (before: number, after: number): DiffLine => ({
  kind: "same",
  before,
  after,
  parts: [{ text: `line ${after}`, changed: false }],
});
const added = (after: number): DiffLine => ({ ...same(0, after), kind: "added", before: null });

/** Two lines were added, the 11th and the 31st of forty. */
const diff = {
  linesAfter: 40,
  hunks: [{ lines: [same(10, 10), added(11), same(11, 12)] }, { lines: [same(29, 30), added(31), same(30, 32)] }],
};
const text = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);

const shown = (opened: OpenedGaps) =>
  runsOf(diff, opened, text).map(({ gap, lines }) =>
    gap ? `${gap.index}: ${gap.from}–${gap.to}` : [lines.at(0)?.after, lines.at(-1)?.after],
  );

describe("the gaps of a difference", () => {
  test("are closed at first", () => {
    expect(shown(new Map())).toEqual(["0: 1–9", [10, 12], "1: 13–29", [30, 32], "2: 33–40"]);
  });

  test("open from above and from below", () => {
    expect(shown(new Map([[1, { above: 3, below: 2 }]]))).toEqual([
      "0: 1–9",
      [10, 15],
      "1: 16–27",
      [28, 32],
      "2: 33–40",
    ]);
  });

  test("are gone once all their lines are shown", () => {
    const all = { above: 20, below: 20 };
    expect(shown(new Map([[1, all]]))).toEqual(["0: 1–9", [10, 32], "2: 33–40"]);
    const whole = runsOf(diff, new Map([0, 1, 2].map((index) => [index, all])), text);
    expect(whole).toHaveLength(1);
    expect(whole[0]?.lines?.map((line) => line.parts[0]?.text)).toEqual(text);
  });

  test("number the lines of both sides", () => {
    const [run] = runsOf(diff, new Map([0, 1, 2].map((index) => [index, { above: 20, below: 20 }])), text);
    const numbers = run?.lines?.filter(({ kind }) => kind === "same").map(({ before }) => before);
    expect(numbers).toEqual(Array.from({ length: 38 }, (_, index) => index + 1));
  });

  test("stay closed until the text is there", () => {
    expect(runsOf(diff, new Map([[0, { above: 9, below: 0 }]]), [])).toEqual(runsOf(diff));
  });
});

describe("the lines of a text", () => {
  test("are those that the difference counts", () => {
    expect(textLines("a\r\nb\n\nc\n")).toEqual(["a", "b", "", "c"]);
    expect(textLines("a")).toEqual(["a"]);
    expect(textLines("")).toEqual([]);
  });
});
