import type { FileChange } from "@packhouse/contract/review/comparison";

/** Files of one folder; those at the top of the archive have none. */
export interface Folder {
  name: string;
  files: FileChange[];
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/** The changed files as the tree shows them: folders first, what tools wrote at the end. */
export function foldersOf(files: readonly FileChange[]): { folders: Folder[]; generated: FileChange[] } {
  const byPath = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const groups = Map.groupBy(
    byPath.filter(({ generated }) => !generated),
    ({ path }) => folderOf(path),
  );
  const folders = [...groups].map(([name, own]) => ({ name, files: own }));
  const top = folders.filter(({ name }) => name === "");
  return {
    folders: [...folders.filter(({ name }) => name !== ""), ...top],
    generated: byPath.filter(({ generated }) => generated),
  };
}
