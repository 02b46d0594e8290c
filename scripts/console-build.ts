import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { ended, project, tool } from "./stages.ts";

const built = join(project, "console/dist");
const stampFile = join(built, ".built-from");
const sources = ["console", "contract", "formats"];
const notSources = /(^|\/)(node_modules|dist)(\/|$)|\.test\.tsx?$/;

/** Builds the console when anything that goes into it has changed since the last time. */
export async function provideConsole(): Promise<void> {
  const stamp = await digestOfSources();
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  process.stdout.write("Building the console …\n");
  const started = Date.now();
  const code = await ended([...tool("vite", "build", "console", "--logLevel", "warn")]);
  if (code !== 0) throw new Error("The console could not be built.");
  writeFileSync(stampFile, stamp);
  process.stdout.write(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.\n`);
}

async function digestOfSources(): Promise<string> {
  const hash = createHash("sha256").update(readFileSync(join(project, "package-lock.json")));
  for (const folder of sources) {
    const entries = await readdir(join(project, folder), { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(project, join(entry.parentPath, entry.name)))
      .filter((path) => !notSources.test(path))
      .sort();
    for (const path of files) hash.update(`${path}\0`).update(readFileSync(join(project, path)));
  }
  return hash.digest("hex");
}
