import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rm, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { type ByteSource, bytesOf, type MemorySource } from "@packhouse/formats/byte-source";
import type { Digests } from "../db/schema.ts";
import { hasCode } from "../errors/has-code.ts";
import { type DigestsInProgress, startDigests } from "./digest-threads.ts";
import { digestsOf } from "./digests.ts";
import { ObjectTooLarge, type ReceivedObject, type StagedObject } from "./storage.ts";

/** Another process may be staging in the same folder; files older than this were left by one that died. */
const leftoverHours = 24;

/** Bytes that have arrived. */
interface Staged<Source extends ByteSource> {
  source: Source;
  /** Computed while the bytes arrive; those of a large file take longer, on other threads. */
  digests: Promise<Digests>;
  discard(): Promise<void>;
}

/** In a private file. */
export interface StagedFile extends Staged<FileSource> {
  /** Resolves when the bytes are on the disk, which takes place while they are checked. */
  synced: Promise<void>;
}

type Stage<Result> = (chunks: AsyncIterable<Uint8Array>, maxBytes: number, expectedBytes?: number) => Promise<Result>;

/** Computing the digests of smaller files takes less than handing them to a thread. */
const blockBytes = 1024 * 1024;

/**
 * The chunks of an upload are not in V8's heap, so it does not notice that young objects hold much: they would stay until
 * 64 MiB have come in, after which the whole heap is searched.
 */
const collectedBytes = 16 * blockBytes;
let uncollected = 0;
function collectChunks(bytes: number): void {
  uncollected += bytes;
  if (uncollected < collectedBytes) return;
  uncollected = 0;
  globalThis.gc?.({ type: "minor", execution: "sync" });
}

/** Blocks that no upload uses at present, so that they need no memory of their own each time. */
const spareBlocks: Uint8Array[] = [];
const mostSpareBlocks = 8;
const takeBlock = (): Uint8Array => spareBlocks.pop() ?? new Uint8Array(blockBytes);

/**
 * Stages streams, each in a file of this folder; removes leftovers of processes that died. Files that are to stay on
 * this machine are synced as soon as they have arrived.
 */
export async function openStaging(folder: string, { stays }: { stays: boolean }): Promise<Stage<StagedFile>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeftovers(folder);
  return async (chunks, maxBytes, expectedBytes = 0) => {
    const path = join(folder, randomUUID());
    const file = await open(path, "wx", 0o600);
    const writer = new HashedWriter(path, file, expectedBytes);
    try {
      for await (const chunk of atMost(maxBytes, chunks)) await writer.add(chunk);
      const { size, digests } = await writer.end();
      const synced = (stays ? file.sync() : Promise.resolve()).finally(() => file.close());
      synced.catch(() => {}); // reported to the one who waits for it
      const discard = async () => {
        // Synced or not, its file is closed then.
        await Promise.all([writer.abandonDigests(), removeFile(path), synced.catch(() => {})]);
      };
      return { source: fileSource(path, size), digests, synced, discard };
    } catch (error) {
      await Promise.all([writer.abandonDigests(), file.close(), removeFile(path)]);
      throw error;
    } finally {
      await writer.release();
    }
  };
}

/** Larger files than this are staged on the disk; as many are held as uploads are received at once. */
const mostHeldBytes = 64 * 1024;

/** The same for bytes that do not stay on this machine: small ones are held in memory, without a file. */
export const holdingSmall =
  (stage: Stage<StagedFile>): Stage<StagedFile | Staged<MemorySource>> =>
  async (chunks, maxBytes, expectedBytes) => {
    const arriving = atMost(maxBytes, chunks);
    // Copied, because each of many small chunks takes more memory than its bytes.
    const held = new Uint8Array(mostHeldBytes);
    let filled = 0;
    for (let next = await arriving.next(); !next.done; next = await arriving.next()) {
      if (filled + next.value.byteLength > mostHeldBytes)
        return stage(joined([held.subarray(0, filled), next.value], arriving), maxBytes, expectedBytes);
      held.set(next.value, filled);
      filled += next.value.byteLength;
    }
    const bytes = held.slice(0, filled);
    return { source: bytesOf(bytes), digests: Promise.resolve(digestsOf(bytes)), discard: async () => {} };
  };

async function* joined(first: readonly Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    yield* rest;
  } finally {
    await rest.return(undefined); // also if the first ones could not be written
  }
}

/** As `rm` with `force`, which looks at the file first. */
const removeFile = (path: string): Promise<void> =>
  unlink(path).catch((error: unknown) => {
    if (!hasCode(error, "ENOENT")) throw error;
  });

/** Writes a file and has its digests computed. One block is written while the next one is filled. */
class HashedWriter {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #expectedBytes: number;
  #block = takeBlock();
  /** The other one, which a file that fits into one does not need. */
  #other: Uint8Array | undefined;
  #filled = 0;
  #written = 0;
  #writing: Promise<void> = Promise.resolve();
  #inProgress: DigestsInProgress | undefined;

  constructor(path: string, file: FileHandle, expectedBytes: number) {
    this.#path = path;
    this.#file = file;
    this.#expectedBytes = expectedBytes;
  }

  async add(chunk: Uint8Array): Promise<void> {
    for (let start = 0; start < chunk.byteLength; ) {
      const part = chunk.subarray(start, start + blockBytes - this.#filled);
      this.#block.set(part, this.#filled);
      start += part.byteLength;
      this.#filled += part.byteLength;
      if (this.#filled < blockBytes) continue;
      this.#inProgress ??= startDigests(this.#path, this.#expectedBytes);
      await this.#writing;
      this.#write();
      [this.#block, this.#other] = [this.#other ?? takeBlock(), this.#block];
      this.#filled = 0;
      collectChunks(blockBytes);
    }
  }

  /** When everything is written, but not yet on the disk. */
  async end(): Promise<{ size: number; digests: Promise<Digests> }> {
    await this.#writing;
    this.#write();
    if (this.#inProgress) {
      await this.#writing;
      return { size: this.#written, digests: this.#inProgress.end(this.#written) };
    }
    const digests = digestsOf(this.#block.subarray(0, this.#filled));
    await this.#writing;
    return { size: this.#written, digests: Promise.resolve(digests) };
  }

  async abandonDigests(): Promise<void> {
    await this.#inProgress?.abandon();
  }

  /** Gives its memory to the next upload. */
  async release(): Promise<void> {
    await this.#writing.catch(() => {});
    for (const block of [this.#block, this.#other])
      if (block && spareBlocks.length < mostSpareBlocks) spareBlocks.push(block);
  }

  #write(): void {
    const part = this.#block.subarray(0, this.#filled);
    this.#writing = this.#file.writeFile(part).then(() => {
      this.#written += part.byteLength;
      this.#inProgress?.written(this.#written);
    });
    this.#writing.catch(() => {}); // reported to the one who waits for it
  }
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
  { source, digests, discard }: Staged<ByteSource>,
  keep: (digests: Digests) => Promise<void>,
): ReceivedObject {
  const received = { size: source.size, source, discard };
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
