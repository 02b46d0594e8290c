import type { DiffLine, FileDiff } from "@packhouse/contract/review/comparison";
import { changedWords } from "./comparison/changed-words.ts";
import { lineMatches, linesOf, type Match } from "./comparison/line-matches.ts";

/** One side of a file; null where it does not exist. */
export interface DiffSide {
  path: string;
  /** Null for what is no text. */
  text: string | null;
}

export interface DiffOptions {
  /** Lines that differ only in blanks are the same. */
  ignoresWhitespace?: boolean;
  /** Equal lines around a change. */
  context?: number;
}

/** Longer texts are not compared here. */
const mostLines = 20_000;
const mostCharacters = 2 * 1024 * 1024;

/** The difference of one file, line by line. */
export function fileDiff(
  before: DiffSide | null,
  after: DiffSide | null,
  { ignoresWhitespace = false, context = 3 }: DiffOptions = {},
): FileDiff {
  const path = after?.path ?? before?.path ?? "";
  const previousPath = before && before.path !== path ? before.path : null;
  const [beforeText, afterText] = [textOf(before), textOf(after)];
  const none = { path, previousPath, hunks: [], linesBefore: 0, linesAfter: 0 };
  if (beforeText === null || afterText === null) return { ...none, state: "binary" };
  if (beforeText.length > mostCharacters || afterText.length > mostCharacters) return { ...none, state: "large" };
  const [own, theirs] = [linesOf(beforeText), linesOf(afterText)];
  const lengths = { linesBefore: own.length, linesAfter: theirs.length };
  if (own.length > mostLines || theirs.length > mostLines) return { ...none, ...lengths, state: "large" };
  const compared = ignoresWhitespace ? [own.map(withoutBlanks), theirs.map(withoutBlanks)] : [own, theirs];
  const matches = lineMatches(compared[0] ?? [], compared[1] ?? []);
  return { ...none, ...lengths, state: "compared", hunks: hunksOf(matches, own, theirs, context) };
}

/** What does not exist is an empty text. */
const textOf = (side: DiffSide | null): string | null => (side === null ? "" : side.text);

const withoutBlanks = (line: string): string => line.replace(/\s+/g, "");

function hunksOf(
  matches: readonly Match[],
  before: readonly string[],
  after: readonly string[],
  context: number,
): FileDiff["hunks"] {
  const lines: DiffLine[] = [];
  let [own, theirs] = [0, 0];
  for (const match of [...matches, { before: before.length, after: after.length, length: 0 }]) {
    lines.push(...changed(before.slice(own, match.before), after.slice(theirs, match.after), own, theirs));
    for (let index = 0; index < match.length; index += 1)
      lines.push(sameLine(after[match.after + index] ?? "", match.before + index, match.after + index));
    own = match.before + match.length;
    theirs = match.after + match.length;
  }
  return stretchesAround(lines, context);
}

/** The changed lines, each with so many around it; what touches is one stretch. */
function stretchesAround(lines: readonly DiffLine[], context: number): FileDiff["hunks"] {
  const hunks: { lines: DiffLine[] }[] = [];
  let shownUntil = 0;
  for (const [index, { kind }] of lines.entries()) {
    if (kind === "same") continue;
    const from = Math.max(index - context, shownUntil);
    const last = hunks.at(-1);
    const hunk = last && from === shownUntil ? last : { lines: [] };
    if (hunk !== last) hunks.push(hunk);
    const until = Math.max(Math.min(index + context + 1, lines.length), shownUntil);
    hunk.lines.push(...lines.slice(from, until));
    shownUntil = until;
  }
  return hunks;
}

const sameLine = (text: string, before: number, after: number): DiffLine => ({
  kind: "same",
  before: before + 1,
  after: after + 1,
  parts: [{ text, changed: false }],
});

/** A stretch that was replaced: what was removed, then what was added, with pairs of lines compared word by word. */
function changed(removed: readonly string[], added: readonly string[], before: number, after: number): DiffLine[] {
  const pairs = removed.length <= mostPairs && added.length <= mostPairs ? pairsOf(removed, added) : [];
  const whole = (text: string) => [{ text, changed: false }];
  return [
    ...removed.map(
      (text, index): DiffLine => ({
        kind: "removed",
        before: before + index + 1,
        after: null,
        parts: pairs[index]?.before ?? whole(text),
      }),
    ),
    ...added.map(
      (text, index): DiffLine => ({
        kind: "added",
        before: null,
        after: after + index + 1,
        parts: pairs[index]?.after ?? whole(text),
      }),
    ),
  ];
}

/** Longer stretches were rewritten, so that lines do not correspond. */
const mostPairs = 60;

const pairsOf = (removed: readonly string[], added: readonly string[]) =>
  removed.map((line, index) => {
    const other = added[index];
    return other === undefined ? undefined : changedWords(line, other);
  });
