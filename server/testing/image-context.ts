import { readFileSync } from "node:fs";
import { join, matchesGlob, resolve } from "node:path";

const project = resolve(import.meta.dirname, "../..");

/** Patterns of `.dockerignore`; those that begin with `!` bring back what earlier ones left out. */
const patterns = readFileSync(join(project, ".dockerignore"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => ({ leavesOut: !line.startsWith("!"), glob: line.replace(/^!/, "") }));

/** Whether builds of the image see a file or folder of the project, by its path from there: the last match decides. */
export function isInImageContext(path: string): boolean {
  const names = path.split("/");
  const withFolders = names.map((_, index) => names.slice(0, index + 1).join("/"));
  const last = patterns.findLast(({ glob }) => withFolders.some((one) => matchesGlob(one, glob)));
  return last === undefined || !last.leavesOut;
}
