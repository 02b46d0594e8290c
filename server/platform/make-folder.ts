import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { hasCode } from "./errors/has-code.ts";

/**
 * Creates a folder that an operator has named, and those above it that are missing. The recursive `mkdir` of Node never
 * ends where a file system refuses new folders as if the one above them were missing, as `/proc` does.
 */
export async function makeFolder(folder: string, mode: number): Promise<void> {
  const path = resolve(folder);
  try {
    await makeOne(path, mode);
  } catch (error) {
    if (!hasCode(error, "ENOENT") || dirname(path) === path) throw error;
    await makeFolder(dirname(path), mode);
    await makeOne(path, mode);
  }
}

async function makeOne(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (!hasCode(error, "EEXIST") || !(await stat(path)).isDirectory()) throw error;
  }
}
