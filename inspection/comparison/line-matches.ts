import { diffArrays } from "diff";

/** A stretch of lines that both sides have. */
export interface Match {
  before: number;
  after: number;
  length: number;
}

/** After so many edits or so long, what differs counts as replaced as a whole. */
const mostEdits = 4_000;
const mostMilliseconds = 150;

/** Numbers for the lines of both sides, equal for equal lines. */
function numbered(before: readonly string[], after: readonly string[]): [number[], number[]] {
  const numbers = new Map<string, number>();
  const numberOf = (line: string): number => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  };
  return [before.map(numberOf), after.map(numberOf)];
}

/**
 * The lines that two texts share, in order. Time is bounded: equal beginnings and ends, and lines that only one side
 * has, need no comparison, and a comparison that takes too long finds nothing between them.
 */
export function lineMatches(beforeLines: readonly string[], afterLines: readonly string[]): Match[] {
  const [before, after] = numbered(beforeLines, afterLines);
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  const own = sharedWith(before, new Set(after.slice(start, after.length - end)), start, before.length - end);
  const theirs = sharedWith(after, new Set(before.slice(start, before.length - end)), start, after.length - end);
  const matches: Match[] = start > 0 ? [{ before: 0, after: 0, length: start }] : [];
  for (const [ownIndex, theirIndex] of pairsOf(
    own.map((index) => before[index] ?? -1),
    theirs.map((index) => after[index] ?? -1),
  ))
    extend(matches, own[ownIndex] ?? 0, theirs[theirIndex] ?? 0);
  if (end > 0) matches.push({ before: before.length - end, after: after.length - end, length: end });
  return matches;
}

/** The indexes of the lines between two places that the other side has, too. */
function sharedWith(lines: readonly number[], others: ReadonlySet<number>, from: number, to: number): number[] {
  const shared: number[] = [];
  for (let index = from; index < to; index += 1) if (others.has(lines[index] ?? -1)) shared.push(index);
  return shared;
}

function* pairsOf(before: number[], after: number[]): Generator<[number, number]> {
  const options = { maxEditLength: mostEdits, timeout: mostMilliseconds };
  const changes: { count: number; added: boolean; removed: boolean }[] | undefined = diffArrays(before, after, options);
  let [own, theirs] = [0, 0];
  for (const { count, added, removed } of changes ?? []) {
    if (!added && !removed) for (let index = 0; index < count; index += 1) yield [own + index, theirs + index];
    own += added ? 0 : count;
    theirs += removed ? 0 : count;
  }
}

function extend(matches: Match[], before: number, after: number): void {
  const last = matches.at(-1);
  if (last && last.before + last.length === before && last.after + last.length === after) last.length += 1;
  else matches.push({ before, after, length: 1 });
}

/** How many lines were added and removed. */
export function countChanges(before: readonly string[], after: readonly string[]): { added: number; removed: number } {
  const same = lineMatches(before, after).reduce((sum, { length }) => sum + length, 0);
  return { added: after.length - same, removed: before.length - same };
}

/** The lines of a text, without their ends; a last line without one counts, too. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}
