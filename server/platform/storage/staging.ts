import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ByteSource } from "@packhouse/formats/byte-source";
import type { Digests } from "../db/schema.ts";
import { type DigestsInProgress, startDigests } from "./digest-threads.ts";
import { RunningDigests } from "./digests.ts";
import { ObjectTooLarge, type ReceivedObject, type StagedObject } from "./storage.ts";

/** Another process may be staging in the same folder; files older than this were left by one that died. */
const leftoverHours = 24;

/** Bytes that have arrived, in a private file. */
export interface StagedFile {
  path: string;
  size: number;
  /** Computed while the bytes arrive; those of a large file take longer, on another thread. */
  digests: Promise<Digests>;
  /** Resolves when the bytes are on the disk, which takes place while they are checked. */
  synced: Promise<void>;
  discard(): Promise<void>;
}

/** Computing the digests of smaller files takes less than handing them to a thread. */
const blockBytes = 1024 * 1024;

/** Blocks that no upload uses at present, so that they need no memory of their own each time. */
const spareBlocks: Uint8Array[] = [];
const mostSpareBlocks = 8;

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
    const block = spareBlocks.pop() ?? new Uint8Array(blockBytes);
    let filled = 0;
    let size = 0;
    let inProgress: DigestsInProgress | undefined;
    const write = async () => {
      await file.writeFile(block.subarray(0, filled));
      size += filled;
      filled = 0;
    };
    try {
      for await (const chunk of atMost(maxBytes, chunks)) {
        for (let start = 0; start < chunk.byteLength; ) {
          const part = chunk.subarray(start, start + blockBytes - filled);
          block.set(part, filled);
          start += part.byteLength;
          filled += part.byteLength;
          if (filled < blockBytes) continue;
          await write();
          inProgress ??= startDigests(path);
          inProgress.written(size);
        }
      }
      let digests: Promise<Digests>;
      if (inProgress) {
        await write();
        digests = inProgress.end(size);
      } else {
        digests = Promise.resolve(new RunningDigests().add(block.subarray(0, filled)).end());
        await write();
      }
      const synced = (stays ? file.sync() : Promise.resolve()).finally(() => file.close());
      synced.catch(() => {}); // reported to the one who waits for it
      const discard = async () => {
        inProgress?.abandon();
        await rm(path, { force: true });
        await synced.catch(() => {}); // its file is closed then
      };
      return { path, size, digests, synced, discard };
    } catch (error) {
      inProgress?.abandon();
      await file.close();
      await rm(path, { force: true });
      throw error;
    } finally {
      if (spareBlocks.length < mostSpareBlocks) spareBlocks.push(block);
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

/** What a storage received: `keep` makes its bytes readable under the SHA-256 among these digests. */
export function receivedObject(
  { path, size, digests, discard }: StagedFile,
  keep: (digests: Digests) => Promise<void>,
): ReceivedObject {
  const received = { size, source: fileSource(path, size), discard };
  const staged = async (): Promise<StagedObject> => {
    const known = await digests;
    return { ...received, staged, digests: known, keep: () => keep(known) };
  };
  return { ...received, staged };
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
