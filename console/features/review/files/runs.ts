import type { DiffLine, FileDiff } from "@packhouse/contract/review/comparison";

/** Equal lines that are not shown. */
export interface Gap {
  /** Its place among the gaps of the difference, which stays the same while lines of it are shown. */
  index: number;
  from: number;
  to: number;
}

/** Lines that follow each other, or what is left out between them. */
export type Run = { lines: DiffLine[]; gap?: undefined } | { gap: Gap; lines?: undefined };

/** How many lines of a gap are shown after what comes before it, and before what comes after it. */
export interface Opened {
  above: number;
  below: number;
}
export type OpenedGaps = ReadonlyMap<number, Opened>;

/** So many lines are shown at once. */
export const opensAtOnce = 20;

export const linesOf = ({ from, to }: Pick<Gap, "from" | "to">): number => to - from + 1;

type Compared = Pick<FileDiff, "hunks" | "linesAfter">;

/** The difference with the lines that were opened in its gaps; `text` has the lines of the file as it is now. */
export function runsOf({ hunks, linesAfter }: Compared, opened: OpenedGaps = new Map(), text: readonly string[] = []) {
  const runs: Run[] = [];
  const add = (lines: readonly DiffLine[]) => {
    const last = runs.at(-1);
    if (last?.lines) last.lines.push(...lines);
    else if (lines.length > 0) runs.push({ lines: [...lines] });
  };
  /** Lines of the file and, on the other side, so many lines further. */
  const equal = (from: number, to: number, shift: number) =>
    Array.from({ length: Math.max(to - from + 1, 0) }, (_, place): DiffLine => {
      const after = from + place;
      return { kind: "same", before: after + shift, after, parts: [{ text: text[after - 1] ?? "", changed: false }] };
    });
  const addGap = ({ index, from, to }: Gap, shift: number) => {
    if (to < from) return;
    const { above, below } = (text.length > 0 && opened.get(index)) || { above: 0, below: 0 };
    const [first, last] = [from + above, to - below];
    if (last < first) {
      add(equal(from, to, shift));
      return;
    }
    add(equal(from, first - 1, shift));
    runs.push({ gap: { index, from: first, to: last } });
    add(equal(last + 1, to, shift));
  };
  let next = 1;
  let shift = 0;
  for (const [index, { lines }] of hunks.entries()) {
    const first = lines.find(({ after }) => after !== null);
    // Only equal lines stand next to a gap, so the first line of a stretch after one is on both sides.
    shift = first?.before && first.after ? first.before - first.after : shift;
    addGap({ index, from: next, to: (first?.after ?? next) - 1 }, shift);
    add(lines);
    const last = lines.findLast(({ after }) => after !== null);
    shift = last?.before && last.after ? last.before - last.after : shift;
    next = (last?.after ?? next - 1) + 1;
  }
  if (hunks.length > 0) addGap({ index: hunks.length, from: next, to: linesAfter }, shift);
  return runs;
}

/** The lines of a text, numbered as the difference numbers them. */
export function textLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}
