import type { FileChange } from "@packhouse/contract/review/comparison";
import type { InspectedFile, Inspection } from "@packhouse/contract/review/inspection";

/** What only the texts of both archives show. */
export interface TextChanges {
  /** Where a file was, by where it is now: its lines are similar. */
  renamed: ReadonlyMap<string, string>;
  /** Lines added and removed, by the path of the file now. */
  lines: ReadonlyMap<string, { added: number; removed: number }>;
}

/** The files that differ, in the order of their paths. */
export function compareFiles(
  before: Inspection | null,
  after: Inspection,
  texts: TextChanges | undefined,
): FileChange[] {
  const old = byPath(before?.files ?? []);
  const now = byPath(after.files);
  const renamed = new Map([...renamedFiles(old, now), ...(texts?.renamed ?? [])]);
  const moved = new Set(renamed.values());
  const changes: FileChange[] = [];
  for (const file of now.values()) {
    const previousPath = renamed.get(file.path);
    const previous = old.get(previousPath ?? file.path);
    if (!previous)
      changes.push({
        ...changeOf(file),
        change: "added",
        previousPath: null,
        sizeBefore: null,
        added: file.lines,
        removed: file.lines === null ? null : 0,
      });
    else if (
      previousPath !== undefined ||
      previous.sha256 !== file.sha256 ||
      (previous.mode !== file.mode && isExecutable(previous) !== isExecutable(file))
    )
      changes.push({
        ...changeOf(file),
        change: previousPath === undefined ? "changed" : "renamed",
        previousPath: previousPath ?? null,
        sizeBefore: previous.size,
        ...linesChanged(previous, file, texts),
      });
  }
  for (const file of old.values())
    if (!now.has(file.path) && !moved.has(file.path))
      changes.push({
        ...changeOf(file),
        change: "removed",
        previousPath: null,
        sizeBefore: file.size,
        sizeAfter: null,
        sha256: null,
        added: file.lines === null ? null : 0,
        removed: file.lines,
      });
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const byPath = (files: readonly InspectedFile[]): Map<string, InspectedFile> =>
  new Map(files.map((file) => [file.path, file]));

const changeOf = ({ path, kind, size, sha256, generated }: InspectedFile) => ({
  path,
  kind,
  sizeAfter: size,
  sha256,
  generated,
});

/** Whether everyone may execute it, whatever the other permissions are. */
const isExecutable = ({ mode }: InspectedFile): boolean => mode !== null && (mode & 0o111) !== 0;

function linesChanged(before: InspectedFile, after: InspectedFile, texts: TextChanges | undefined) {
  if (before.sha256 === after.sha256 && after.lines !== null) return { added: 0, removed: 0 };
  return texts?.lines.get(after.path) ?? { added: null, removed: null };
}

/** Files that have the bytes of a removed file under another path. Empty files have no content to recognize. */
function renamedFiles(
  before: ReadonlyMap<string, InspectedFile>,
  after: ReadonlyMap<string, InspectedFile>,
): Map<string, string> {
  const removed = new Map<string, string[]>();
  for (const { path, sha256, size } of before.values())
    if (!after.has(path) && size > 0) removed.set(sha256, [...(removed.get(sha256) ?? []), path]);
  const renamed = new Map<string, string>();
  for (const { path, sha256 } of after.values()) {
    const previousPath = before.has(path) ? undefined : removed.get(sha256)?.shift();
    if (previousPath !== undefined) renamed.set(path, previousPath);
  }
  return renamed;
}

/** The paths that only one side has, of texts: these may be similar. */
export function unpairedTexts(
  before: Inspection,
  after: Inspection,
): { removed: InspectedFile[]; added: InspectedFile[] } {
  const [old, now] = [byPath(before.files), byPath(after.files)];
  const renamed = renamedFiles(old, now);
  const moved = new Set(renamed.values());
  const isText = ({ kind, size }: InspectedFile) => kind === "text" && size > 0;
  return {
    removed: [...old.values()].filter((file) => isText(file) && !now.has(file.path) && !moved.has(file.path)),
    added: [...now.values()].filter((file) => isText(file) && !old.has(file.path) && !renamed.has(file.path)),
  };
}
