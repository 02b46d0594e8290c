import { createHash, type Hash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import {
  access,
  chmod,
  constants,
  copyFile,
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  rm,
  stat,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ByteSource } from "@packhouse/formats/byte-source";
import type { DigestName, Digests } from "../db/schema.ts";
import { ObjectMissing, type ObjectStorage, ObjectTooLarge, type StagedObject } from "./storage.ts";

const digestNames = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"] as const satisfies DigestName[];

/** Another process may be staging in the same folder; what is older than this was left by one that died. */
const leftoverHours = 24;

/** Objects in a local folder: `objects/ab/cdef…`; `incoming/` holds what is still being staged. */
export async function openFolderStorage(folder: string): Promise<ObjectStorage> {
  const incoming = join(folder, "incoming");
  const objects = join(folder, "objects");
  await mkdir(incoming, { recursive: true });
  await mkdir(objects, { recursive: true });
  await removeLeftovers(incoming);
  const pathOf = (digest: string) => join(objects, digest.slice(0, 2), digest.slice(2));

  const storage: ObjectStorage = {
    async stage(chunks, maxBytes) {
      const path = join(incoming, randomUUID());
      const file = await open(path, "wx", 0o600);
      try {
        const { digests, size } = await write(file, chunks, maxBytes);
        await file.datasync();
        return staged(path, pathOf(digests.sha256), digests, size);
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      } finally {
        await file.close();
      }
    },
    has: async (digest) => (await storage.size(digest)) !== undefined,
    size: (digest) => sizeOf(pathOf(digest)),
    async read(digest, range) {
      if (!(await storage.has(digest))) throw new ObjectMissing(digest);
      return createReadStream(pathOf(digest), range);
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
          const size = await sizeOf(pathOf(digest)); // undefined when it was removed just now
          if (size !== undefined) yield { digest, size };
        }
      }
    },
    // Where a disk is not mounted its folder is there, but not what lies in it.
    probe: () => access(objects, constants.R_OK | constants.X_OK),
  };
  return storage;
}

/** Another device, a file system without links, or one that allows no more of them for this file. */
const cannotLink = ["EXDEV", "EPERM", "ENOTSUP", "EMLINK"];

async function write(
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ digests: Digests; size: number }> {
  const hashes = digestNames.map((name) => [name, createHash(name)] as const satisfies [DigestName, Hash]);
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new ObjectTooLarge(maxBytes);
    for (const [, hash] of hashes) hash.update(chunk);
    await file.writeFile(chunk);
  }
  const digests = Object.fromEntries(hashes.map(([name, hash]) => [name, hash.digest("hex")])) as Digests; // one for each name
  return { digests, size };
}

function staged(path: string, target: string, digests: Digests, size: number): StagedObject {
  return {
    digests,
    size,
    source: fileSource(path, size),
    async keep() {
      await mkdir(dirname(target), { recursive: true });
      await link(path, target).catch((error: unknown) => {
        if (!hasCode(error, "EEXIST")) throw error; // the same bytes are there already
      });
      await syncFolder(dirname(target));
    },
    discard: () => rm(path, { force: true }),
  };
}

function fileSource(path: string, size: number): ByteSource {
  return {
    size,
    async read(offset, length) {
      const file = await open(path);
      try {
        const wanted = Math.max(0, Math.min(length, size - offset));
        const { buffer, bytesRead } = await file.read(new Uint8Array(wanted), 0, wanted, offset);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
  };
}

/** Without it the name may be lost in a power cut although the bytes are there. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
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

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

async function removeLeftovers(incoming: string): Promise<void> {
  const before = Date.now() - leftoverHours * 3_600_000;
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const info = await stat(path).catch(() => undefined);
    if (info && info.mtimeMs < before) await rm(path, { force: true });
  }
}
