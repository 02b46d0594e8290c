import type { DiffLine } from "@packhouse/contract/review/comparison";
import { diffArrays } from "diff";

type Parts = DiffLine["parts"];

const longestLine = 1_000;
const mostEdits = 120;
/** Lines that share less than this are two different lines. */
const leastShared = 0.4;

/** A line and what it became, with what differs within them; undefined if they have little in common. */
export function changedWords(before: string, after: string): { before: Parts; after: Parts } | undefined {
  if (before.length > longestLine || after.length > longestLine) return undefined;
  const [own, theirs] = [wordsOf(before), wordsOf(after)];
  const changes: { value: string[]; added: boolean; removed: boolean }[] | undefined = diffArrays(own, theirs, {
    maxEditLength: mostEdits,
  });
  if (!changes) return undefined;
  const parts: { before: Parts; after: Parts } = { before: [], after: [] };
  let shared = 0;
  for (const { value, added, removed } of changes) {
    const text = value.join("");
    const changed = added || removed;
    if (!changed) shared += text.trim().length;
    if (!added) parts.before.push({ text, changed });
    if (!removed) parts.after.push({ text, changed });
  }
  const longest = Math.max(before.trim().length, after.trim().length);
  return shared < leastShared * longest ? undefined : parts;
}

/** Words, runs of blanks, and every other character of its own. */
const wordsOf = (line: string): string[] => line.match(/[\p{L}\p{N}_]+|[ \t]+|[^\p{L}\p{N}_ \t]/gu) ?? [];
