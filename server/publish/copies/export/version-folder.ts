import { link, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";

/** A file of an exported repository. */
export interface ExportedFile {
  /** Path below the repository. */
  path: string;
  /** Equal for equal bytes, from one version to the next. */
  key: string;
  writeTo(path: string): Promise<void>;
}

/** A complete state of a repository in a folder: the location of each content. */
interface Version {
  folder: string;
  paths: ReadonlyMap<string, string>;
}

const manifest = z.array(z.tuple([z.string(), z.string()]));
const manifestOf = (folder: string): string => `${folder}.json`;
const unfinished = (folder: string): string => `${folder}.part`;

/** Contents of an earlier version are not written again but linked. */
export async function writeVersion(
  folder: string,
  files: AsyncIterable<ExportedFile>,
  previous: Version | undefined,
): Promise<void> {
  const part = unfinished(folder);
  const written = new Map<string, string>();
  const folders = new Set<string>();
  await mkdir(part, { recursive: true });
  for await (const { path, key, writeTo } of files) {
    const target = join(part, safePath(path));
    if (!folders.has(dirname(target))) await mkdir(dirname(target), { recursive: true });
    folders.add(dirname(target));
    const known = written.get(key);
    const old = previous?.paths.get(key);
    const source = known ? join(part, known) : previous && old ? join(previous.folder, old) : undefined;
    if (!source || !(await linked(source, target))) await writeTo(target);
    if (!known) written.set(key, path);
  }
  await writeSynced(manifestOf(folder), Buffer.from(JSON.stringify([...written])));
  await rename(part, folder);
}

/** The version of that name, if it can be read; otherwise everything is written again. */
export async function newestVersion(versions: string, name: string): Promise<Version | undefined> {
  const folder = join(versions, name);
  try {
    return { folder, paths: new Map(manifest.parse(JSON.parse(await readFile(manifestOf(folder), "utf8")))) };
  } catch {
    return undefined; // it has been cleaned up
  }
}

/** Including leftovers of interrupted attempts. */
export async function removeVersionsBut(versions: string, kept: string | undefined): Promise<void> {
  const stays = kept === undefined ? [] : [kept, manifestOf(kept)];
  for (const name of await readdir(versions)) {
    const path = join(versions, name);
    if (!stays.includes(path)) await rm(path, { recursive: true, force: true });
  }
}

/** Durable when it returns: later steps depend on it even after a power failure. */
export async function writeSynced(path: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, "wx", 0o644);
  try {
    await file.writeFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** False if the file system allows no further link, or the old file is gone. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch {
    return false; // then it is written
  }
}

/** Nothing is ever written outside of the folder. */
function safePath(path: string): string {
  if (path.split("/").some((segment) => segment === "" || /^\.{1,2}$/.test(segment) || /[\\\0]/.test(segment)))
    throw new Error(`a file cannot be written to ${JSON.stringify(path)}`);
  return path;
}
