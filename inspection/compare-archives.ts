import type { Comparison } from "@packhouse/contract/review/comparison";
import type { InspectedFile, Inspection } from "@packhouse/contract/review/inspection";
import type { ByteSource } from "@packhouse/formats/byte-source";
import { compare } from "./compare.ts";
import { type TextChanges, unpairedTexts } from "./comparison/files.ts";
import { countChanges, linesOf } from "./comparison/line-matches.ts";
import { similarFiles } from "./comparison/similar-files.ts";
import { type InspectionLimits, inspectionLimits } from "./limits.ts";
import { readTexts } from "./member-text.ts";
import { Progress } from "./reading/progress.ts";

/** An archive and what is known about it. */
export interface InspectedArchive {
  source: ByteSource;
  fileName: string;
  inspection: Inspection;
}

/** Texts of both sides together that are compared line by line. */
const mostCharacters = 24 * 1024 * 1024;
const longestText = 2 * 1024 * 1024;

/** Compares two releases with their archives at hand: with the lines that changed, and with files that were renamed. */
export async function compareArchives(
  before: InspectedArchive | null,
  after: InspectedArchive,
  { limits = inspectionLimits, signal }: { limits?: InspectionLimits; signal?: AbortSignal } = {},
): Promise<Comparison> {
  const texts = before ? await textChanges(before, after, new Progress(limits, { signal })) : undefined;
  return compare(before?.inspection ?? null, after.inspection, texts);
}

async function textChanges(
  before: InspectedArchive,
  after: InspectedArchive,
  progress: Progress,
): Promise<TextChanges> {
  const { removed, added } = unpairedTexts(before.inspection, after.inspection);
  const now = new Map(after.inspection.files.map((file) => [file.path, file]));
  const changed = before.inspection.files.filter((file) => {
    const other = now.get(file.path);
    return other !== undefined && other.sha256 !== file.sha256 && file.kind === "text" && other.kind === "text";
  });
  const paths = affordable([...changed, ...removed, ...added]);
  const [own, theirs] = [await readTexts(before, paths, progress), await readTexts(after, paths, progress)];
  const lines = new Map<string, { added: number; removed: number }>();
  const count = (path: string, previousPath: string) => {
    const [old, current] = [own.get(previousPath), theirs.get(path)];
    if (old !== undefined && current !== undefined && !progress.isOver)
      lines.set(path, countChanges(linesOf(old), linesOf(current)));
  };
  for (const { path } of changed) count(path, path);
  const only = (files: readonly InspectedFile[], read: ReadonlyMap<string, string>) =>
    new Map(files.flatMap(({ path }) => (read.has(path) ? [[path, read.get(path) ?? ""] as const] : [])));
  const renamed = similarFiles(only(removed, own), only(added, theirs));
  for (const [path, previousPath] of renamed) count(path, previousPath);
  return { renamed, lines };
}

/** As many files as fit into memory together. */
function affordable(files: readonly InspectedFile[]): ReadonlySet<string> {
  const paths = new Set<string>();
  let left = mostCharacters;
  for (const { path, size } of files) {
    if (size > longestText || size > left) continue;
    left -= size;
    paths.add(path);
  }
  return paths;
}
