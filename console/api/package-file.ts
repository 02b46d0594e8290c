import { type Technology, technologyPath } from "@packhouse/contract/technology";
import { saveFile } from "./save-file.ts";

interface PackageFile {
  id: number;
  technology: Technology;
  fileName: string;
}

/** Saves a package's file under the name that the server gave it. */
export const savePackageFile = ({ id, technology, fileName }: PackageFile): Promise<void> =>
  saveFile(`/${technologyPath[technology]}/packages/${id}/download/${encodeURIComponent(fileName)}`, fileName);
