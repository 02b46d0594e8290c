import type { DiffLine } from "@packhouse/contract/review/comparison";
import { describe, expect, test } from "vitest";
import { entriesOf, inOneColumn, piecesOf } from "./lines.ts";
import { runsOf } from "./runs.ts";

const line = (kind: DiffLine["kind"], before: number | null, after: number | null, text: string): DiffLine => ({
  kind,
  before,
  after,
  parts: [{ text, changed: false }],
});
const diff = {
  linesAfter: 9,
  hunks: [
    {
      lines: [
        line("same", 3, 3, "a"),
        line("removed", 4, null, "b"),
        line("removed", 5, null, "c"),
        line("added", null, 4, "d"),
        line("same", 6, 5, "e"),
      ],
    },
  ],
};
const shown = (entries: ReturnType<typeof entriesOf>) =>
  entries.map(({ row, gap }) =>
    gap ? `${gap.from}–${gap.to}` : [row.before, row.after].map((side) => side?.parts[0]?.text ?? "").join("|"),
  );

describe("the lines of a difference", () => {
  test("stand next to what replaces them, with the gaps between", () => {
    expect(shown(entriesOf(runsOf(diff)))).toEqual(["1–2", "a|a", "b|d", "c|", "e|e", "6–9"]);
  });

  test("stand below what they replace in one column", () => {
    expect(shown(inOneColumn(entriesOf(runsOf(diff))))).toEqual(["1–2", "a|a", "b|", "c|", "|d", "e|e", "6–9"]);
  });

  test("lose no character between marks and colors", () => {
    const marked: DiffLine = {
      ...line("added", null, 1, ""),
      parts: [
        { text: "x <- ", changed: false },
        { text: "NULL", changed: true },
        { text: "()", changed: false },
      ],
    };
    const pieces = piecesOf([marked, line("same", 1, 2, "y")], () => [
      { text: "x ", kind: undefined },
      { text: "<- NU", kind: "keyword" },
      { text: "LL()\ny", kind: "literal" },
    ]);
    expect(pieces.get(marked)).toEqual([
      { start: 0, text: "x ", changed: false, kind: undefined },
      { start: 2, text: "<- ", changed: false, kind: "keyword" },
      { start: 5, text: "NU", changed: true, kind: "keyword" },
      { start: 7, text: "LL", changed: true, kind: "literal" },
      { start: 9, text: "()", changed: false, kind: "literal" },
    ]);
  });
});
