import { hash } from "node:crypto";
import { concatenate } from "@packhouse/formats/archive/concatenate";
import type { Digests } from "../db/schema.ts";
import { digestNames, startDigests } from "./digest-threads.ts";

/** Shorter files are a single block, and computing their digests takes less than handing them to a thread. */
const blockBytes = 1024 * 1024;

/**
 * Blocks that no stream uses at present. They are used again, because memory that threads share does not count for the
 * garbage collector: what is left to it stays for as long as it has no other reason to run.
 */
const spareBlocks: Uint8Array<SharedArrayBuffer>[] = [];

/**
 * All digests of streamed bytes, computed in one pass while `take` gets the bytes in blocks. For large files the digests
 * are computed on another thread; a block is used again once `take` is done with it.
 */
export async function digestsOfStream(
  chunks: AsyncIterable<Uint8Array>,
  take: (block: Uint8Array) => Promise<void> = async () => {},
): Promise<{ digests: Digests; size: number }> {
  let size = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let large: LargeStream | undefined;
  try {
    for await (const chunk of chunks) {
      size += chunk.byteLength;
      for (let start = 0; start < chunk.byteLength; ) {
        const part = chunk.subarray(start, start + blockBytes - waitingBytes);
        start += part.byteLength;
        waiting.push(part);
        waitingBytes += part.byteLength;
        if (waitingBytes < blockBytes) continue;
        large ??= new LargeStream(take);
        await large.add(waiting);
        waiting = [];
        waitingBytes = 0;
      }
    }
    if (large) {
      if (waitingBytes > 0) await large.add(waiting);
      return { digests: await large.end(), size };
    }
    const whole = concatenate(waiting);
    if (size > 0) await take(whole);
    return { digests: digestsOf(whole), size };
  } catch (error) {
    large?.abandon();
    throw error;
  }
}

/** A stream whose blocks are taken and hashed at the same time. */
class LargeStream {
  readonly #take: (block: Uint8Array) => Promise<void>;
  readonly #digests = startDigests();
  /** Resolves when the block that was added last has been taken and hashed. */
  #hashed: Promise<void> = Promise.resolve();

  constructor(take: (block: Uint8Array) => Promise<void>) {
    this.#take = take;
  }

  async add(parts: readonly Uint8Array[]): Promise<void> {
    const block = spareBlocks.pop() ?? new Uint8Array(new SharedArrayBuffer(blockBytes));
    let length = 0;
    for (const part of parts) {
      block.set(part, length);
      length += part.byteLength;
    }
    const bytes = block.subarray(0, length);
    const before = this.#hashed;
    const hashed = this.#digests.add(bytes);
    const taken = this.#take(bytes);
    // After a failure, it may still be read by the thread, and is left to the garbage collector.
    this.#hashed = Promise.all([hashed, taken]).then(() => void spareBlocks.push(block));
    this.#hashed.catch(() => {}); // the next call, or the end, fails by it
    await Promise.all([taken, before]);
  }

  async end(): Promise<Digests> {
    await this.#hashed;
    return this.#digests.end();
  }

  abandon(): void {
    this.#digests.abandon();
  }
}

const digestsOf = (bytes: Uint8Array): Digests =>
  Object.fromEntries(digestNames.map((name) => [name, hash(name, bytes, "hex")])) as Digests; // one for each name
