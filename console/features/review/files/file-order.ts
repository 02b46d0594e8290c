import type { FileChange } from "@packhouse/contract/review/comparison";

/** Files of one folder; those at the top of the archive have none. */
export interface Folder {
  name: string;
  files: FileChange[];
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/** So many entries are drawn together. */
const entriesTogether = 100;

/** Entries of the tree that are drawn together; the first part of a folder has its name. */
export type TreePart = { folder: string; isFirst: boolean; files: FileChange[] }[];

/** The folders in parts of about the same size. */
export function partsOf(folders: readonly Folder[]): TreePart[] {
  const parts: TreePart[] = [];
  let room = 0;
  for (const { name, files } of folders)
    for (let start = 0; start < files.length; ) {
      if (room <= 0) {
        parts.push([]);
        room = entriesTogether;
      }
      const taken = files.slice(start, start + room);
      parts.at(-1)?.push({ folder: name, isFirst: start === 0, files: taken });
      room -= taken.length + 1;
      start += taken.length;
    }
  return parts;
}

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
