import { packageOf } from "@packhouse/contract/operations/packages";
import type { PackageItem } from "@packhouse/contract/packages";
import type { Technology } from "@packhouse/contract/technology";
import { download } from "../api/client.ts";
import { saveFile } from "./save-file.ts";

interface PackageFile {
  id: number;
  technology: Technology;
  fileName: string;
}

/** The file name of a package. A server that does not send it still sends the file's location. */
export const fileNameOf = ({ fileName, source }: Pick<PackageItem, "fileName" | "source">): string | undefined =>
  fileName ?? (source.slice(source.lastIndexOf("/") + 1) || undefined);

const separators = { R: "_", Python: "-" } as const satisfies Record<Technology, string>;

/** Saves a package's file. Servers that do not send its name serve it under the name and version of the package. */
export function savePackageFile(item: PackageItem): Promise<void> {
  const plain = `${item.name}${separators[item.technology]}${item.version}.tar.gz`;
  return save(item, item.fileName ?? plain, fileNameOf(item) ?? plain);
}

/** Saves a file whose name the server sent. */
export const saveNamedFile = (file: PackageFile): Promise<void> => save(file, file.fileName, file.fileName);

const save = ({ id, technology }: Pick<PackageFile, "id" | "technology">, name: string, savedAs: string) =>
  saveFile(download(packageOf[technology].download, { id, file: name }), savedAs);
