import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { project } from "./stages.ts";

const notSources = /(^|\/)(node_modules|dist|testing)(\/|$)|\.test\.tsx?$/;

/**
 * SHA-256 of what goes into a build: files, the sources in folders, and the versions of packages. With the same one, it
 * need not be built again. Paths are relative to the project.
 */
export async function digestOfSources({
  folders,
  files = [],
}: {
  folders: string[];
  files?: string[];
}): Promise<string> {
  const hash = createHash("sha256");
  const add = (path: string) => hash.update(`${path}\0`).update(readFileSync(join(project, path)));
  for (const path of ["package-lock.json", ...files]) add(path);
  for (const folder of folders) {
    const entries = await readdir(join(project, folder), { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(project, join(entry.parentPath, entry.name)))
      .filter((path) => !notSources.test(path));
    for (const path of paths.sort()) add(path);
  }
  return hash.digest("hex");
}
