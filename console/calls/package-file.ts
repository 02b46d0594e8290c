import type { PackageItem } from "@packhouse/contract/packages";
import { type Technology, technologyPath } from "@packhouse/contract/technology";
import { saveFile } from "./save-file.ts";

interface PackageFile {
  id: number;
  technology: Technology;
  fileName: string;
}

/** The name of a package's file. A server that does not send it still shows where it keeps the file. */
export const fileNameOf = ({ fileName, source }: Pick<PackageItem, "fileName" | "source">): string | undefined =>
  fileName ?? (source.slice(source.lastIndexOf("/") + 1) || undefined);

const separators = { R: "_", Python: "-" } as const satisfies Record<Technology, string>;

/** Saves the file of a package. Servers that do not send its name serve it under the name and version of the package. */
export function savePackageFile(item: PackageItem): Promise<void> {
  const plain = `${item.name}${separators[item.technology]}${item.version}.tar.gz`;
  return save(item, item.fileName ?? plain, fileNameOf(item) ?? plain);
}

/** Saves a file of which the server sent the name. */
export const saveNamedFile = (file: PackageFile): Promise<void> => save(file, file.fileName, file.fileName);

const save = ({ id, technology }: Pick<PackageFile, "id" | "technology">, name: string, savedAs: string) =>
  saveFile(`/${technologyPath[technology]}/packages/${id}/download/${encodeURIComponent(name)}`, savedAs);
