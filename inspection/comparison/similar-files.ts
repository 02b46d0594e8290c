import { extensionOf } from "../rules/places.ts";
import { linesOf } from "./line-matches.ts";

/** Files on each side that are compared with all of the other side; moving more is a new layout. */
const mostFiles = 150;
/** The part of their lines that two files share if one is the other under a new name. */
const leastShared = 0.6;
const fewestLines = 4;

/** Removed texts that are still there under another name, by the path they have now. */
export function similarFiles(
  removed: ReadonlyMap<string, string>,
  added: ReadonlyMap<string, string>,
): Map<string, string> {
  const old = [...removed].slice(0, mostFiles).map(([path, text]) => ({ path, lines: countedLines(text) }));
  const pairs = [...added].slice(0, mostFiles).flatMap(([path, text]) => {
    const lines = countedLines(text);
    return old
      .filter((candidate) => extensionOf(candidate.path) === extensionOf(path))
      .map((candidate) => ({ path, previousPath: candidate.path, shared: sharedPart(candidate.lines, lines) }))
      .filter(({ shared }) => shared >= leastShared);
  });
  const renamed = new Map<string, string>();
  const taken = new Set<string>();
  for (const { path, previousPath } of pairs.sort((a, b) => b.shared - a.shared))
    if (!renamed.has(path) && !taken.has(previousPath)) {
      renamed.set(path, previousPath);
      taken.add(previousPath);
    }
  return renamed;
}

interface CountedLines {
  counts: ReadonlyMap<string, number>;
  total: number;
}

/** How often each line occurs, without the empty ones. */
function countedLines(text: string): CountedLines {
  const counts = new Map<string, number>();
  let total = 0;
  for (const line of linesOf(text)) {
    const content = line.trim();
    if (content === "") continue;
    counts.set(content, (counts.get(content) ?? 0) + 1);
    total += 1;
  }
  return { counts, total };
}

function sharedPart(a: CountedLines, b: CountedLines): number {
  const [smaller, larger] = a.total < b.total ? [a, b] : [b, a];
  if (larger.total < fewestLines || smaller.total < larger.total * leastShared) return 0;
  let shared = 0;
  for (const [line, count] of smaller.counts) shared += Math.min(count, larger.counts.get(line) ?? 0);
  return shared / larger.total;
}
