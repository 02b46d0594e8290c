import type { DiffLine } from "@packhouse/contract/review/comparison";
import type { CodeKind, CodeToken } from "../../../ui/prose/color-code.ts";
import type { Gap, Run } from "./runs.ts";

/** A piece of a line that looks the same all along. */
export interface Piece {
  /** Its place in the line. */
  start: number;
  text: string;
  /** Whether the two sides differ here. */
  changed: boolean;
  kind: CodeKind | undefined;
}

/** One line side by side; a missing side is empty. */
interface Row {
  before: DiffLine | undefined;
  after: DiffLine | undefined;
}

export type Entry = { row: Row; gap?: undefined } | { gap: Gap; row?: undefined };

/** The lines of a difference, side by side: removed lines next to the added ones that replace them. */
export const entriesOf = (runs: readonly Run[]): Entry[] =>
  runs.flatMap((run): Entry[] => (run.gap ? [run] : rowsOf(run.lines).map((row) => ({ row }))));

function rowsOf(lines: readonly DiffLine[]): Row[] {
  const rows: Row[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++)
      rows.push({ before: removed[index], after: added[index] });
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === "removed") {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === "added") added.push(line);
    else {
      flush();
      rows.push({ before: line, after: line });
    }
  }
  flush();
  return rows;
}

/** In one column, what was removed comes before what replaces it. */
export function inOneColumn(entries: readonly Entry[]): Entry[] {
  const column: Entry[] = [];
  let added: Row[] = [];
  const flush = () => {
    column.push(...added.map((row) => ({ row })));
    added = [];
  };
  for (const entry of entries) {
    if (entry.gap || entry.row.before === entry.row.after) {
      flush();
      column.push(entry);
      continue;
    }
    const { before, after } = entry.row;
    if (before) column.push({ row: { before, after: undefined } });
    if (after) added.push({ before: undefined, after });
  }
  flush();
  return column;
}

const textOf = ({ parts }: DiffLine): string => parts.map(({ text }) => text).join("");

/** The pieces of each line, when a highlighter has seen the lines of each side as one text. */
export function piecesOf(
  lines: readonly DiffLine[],
  tokensOf: (text: string) => readonly CodeToken[],
): Map<DiffLine, Piece[]> {
  const pieces = new Map<DiffLine, Piece[]>();
  for (const other of ["added", "removed"] as const) {
    const side = lines.filter(({ kind }) => kind !== other);
    const tokens = splitAtLines(tokensOf(side.map(textOf).join("\n")));
    side.forEach((line, index) => {
      pieces.set(line, merged(line.parts, tokens[index] ?? []));
    });
  }
  return pieces;
}

function splitAtLines(tokens: readonly CodeToken[]): CodeToken[][] {
  const lines: CodeToken[][] = [[]];
  for (const { text, kind } of tokens)
    text.split("\n").forEach((part, index) => {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push({ text: part, kind });
    });
  return lines;
}

/** Cuts a line wherever either its marks or its colors change. */
function merged(parts: DiffLine["parts"], tokens: readonly CodeToken[]): Piece[] {
  const pieces: Piece[] = [];
  const rest = tokens.map((token) => ({ ...token }));
  let start = 0;
  for (const { text, changed } of parts) {
    let left = text;
    while (left !== "") {
      const token = rest[0];
      const length = token ? Math.min(token.text.length, left.length) : left.length;
      pieces.push({ start, text: left.slice(0, length), changed, kind: token?.kind });
      start += length;
      left = left.slice(length);
      if (!token) continue;
      token.text = token.text.slice(length);
      if (token.text === "") rest.shift();
    }
  }
  return pieces;
}
