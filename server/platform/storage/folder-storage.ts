import { createReadStream } from "node:fs";
import { access, chmod, constants, copyFile, link, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasCode } from "../errors/has-code.ts";
import { PipedFile } from "./piped-file.ts";
import { fileSource, openStaging, receivedObject, type StagedFile } from "./staging.ts";
import { ObjectMissing, type ObjectStorage } from "./storage.ts";

/** Objects in a local folder: `objects/ab/cdef…`; `incoming/` holds what is still being staged. */
export async function openFolderStorage(folder: string): Promise<ObjectStorage> {
  const objects = join(folder, "objects");
  await mkdir(objects, { recursive: true });
  const stage = await openStaging(join(folder, "incoming"), { stays: true });
  const pathOf = (digest: string) => join(objects, digest.slice(0, 2), digest.slice(2));

  const storage: ObjectStorage = {
    async receive(chunks, maxBytes, expectedBytes) {
      const file = await stage(chunks, maxBytes, expectedBytes);
      return receivedObject(file, ({ sha256 }) => keep(file, pathOf(sha256)));
    },
    has: async (digest) => (await storage.size(digest)) !== undefined,
    size: (digest) => sizeOf(pathOf(digest)),
    async read(digest, range) {
      if (!(await storage.has(digest))) throw new ObjectMissing(digest);
      return createReadStream(pathOf(digest), range);
    },
    async readToSend(digest, range) {
      const size = await storage.size(digest);
      if (size === undefined) throw new ObjectMissing(digest);
      return new PipedFile(await open(pathOf(digest)), range ?? { start: 0, end: size - 1 });
    },
    async source(digest) {
      const size = await storage.size(digest);
      if (size === undefined) throw new ObjectMissing(digest);
      return fileSource(pathOf(digest), size);
    },
    async placeAt(digest, path) {
      if (!(await storage.has(digest))) throw new ObjectMissing(digest);
      await link(pathOf(digest), path).catch(async (error: unknown) => {
        if (!cannotLink.some((code) => hasCode(error, code))) throw error;
        await copyFile(pathOf(digest), path);
      });
      await chmod(path, 0o644);
    },
    remove: (digest) => rm(pathOf(digest), { force: true }),
    async *list() {
      for (const beginning of await readdir(objects)) {
        for (const rest of await readdir(join(objects, beginning))) {
          const digest = beginning + rest;
          const size = await sizeOf(pathOf(digest)); // undefined if it was just removed
          if (size !== undefined) yield { digest, size };
        }
      }
    },
    // If a disk is not mounted, its folder exists, but not its content.
    probe: () => access(objects, constants.R_OK | constants.X_OK),
  };
  return storage;
}

/** Another device, a file system without links, or one that allows no more of them for this file. */
const cannotLink = ["EXDEV", "EPERM", "ENOTSUP", "EMLINK"];

async function keep({ source: { path }, synced }: StagedFile, target: string): Promise<void> {
  await synced;
  const linked = () =>
    link(path, target).catch((error: unknown) => {
      if (!hasCode(error, "EEXIST")) throw error; // the same bytes already exist
    });
  await linked().catch(async (error: unknown) => {
    if (!hasCode(error, "ENOENT")) throw error;
    await mkdir(dirname(target), { recursive: true });
    await linked();
  });
  // Without it the name may be lost in a power failure although the bytes are written.
  await sync(dirname(target));
}

/** Syncs the bytes of a file, or the names in a folder. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
