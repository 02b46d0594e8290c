import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ByteSource } from "@packhouse/formats/byte-source";
import type { Digests } from "../db/schema.ts";
import { digestsOfStream } from "./digests.ts";
import { ObjectTooLarge } from "./storage.ts";

/** Another process may be staging in the same folder; files older than this were left by one that died. */
const leftoverHours = 24;

/** Bytes that have arrived, in a private file. */
export interface StagedFile {
  path: string;
  digests: Digests;
  size: number;
  /** Resolves when the bytes are on the disk, which takes place while they are checked. */
  synced: Promise<void>;
}

/**
 * Stages streams, each in a file of this folder; removes leftovers of processes that died. Files that are to stay on
 * this machine are synced as soon as they have arrived.
 */
export async function openStaging(
  folder: string,
  { stays }: { stays: boolean },
): Promise<(chunks: AsyncIterable<Uint8Array>, maxBytes: number) => Promise<StagedFile>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeftovers(folder);
  return async (chunks, maxBytes) => {
    const path = join(folder, randomUUID());
    const file = await open(path, "wx", 0o600);
    try {
      const measured = await digestsOfStream(atMost(maxBytes, chunks), (block) => file.writeFile(block));
      const synced = (stays ? file.sync() : Promise.resolve()).finally(() => file.close());
      synced.catch(() => {}); // reported to the one who waits for it
      return { path, ...measured, synced };
    } catch (error) {
      await file.close();
      await rm(path, { force: true });
      throw error;
    }
  };
}

async function* atMost(maxBytes: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new ObjectTooLarge(maxBytes);
    yield chunk;
  }
}

/** A file on this machine, which another process can open by itself. */
export interface FileSource extends ByteSource {
  readonly path: string;
}

export const isFileSource = (source: ByteSource): source is FileSource =>
  "path" in source && typeof source.path === "string";

/** Reads a file in parts; it is open only while it is read. */
export function fileSource(path: string, size: number): FileSource {
  return {
    path,
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

async function removeLeftovers(folder: string): Promise<void> {
  const before = Date.now() - leftoverHours * 3_600_000;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const info = await stat(path).catch(() => undefined);
    if (info && info.mtimeMs < before) await rm(path, { force: true });
  }
}
