import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";

/** More than any writer buffers: it asks for the next chunk only after it has sent this one. */
const chunkBytes = 256 * 1024;
/** A third faster, as handing over a chunk takes time of its own, but twice the memory: only while few files are sent. */
const largeChunkBytes = 512 * 1024;
const fewFiles = 8;

/** How many are being sent. */
let sending = 0;

/**
 * The bytes of a file from one place to another, both included, for `pipe` only: two buffers take turns, however large the
 * file is, so a chunk is overwritten as soon as the one after it is sent. New buffers for each chunk would cost more than
 * reading into them.
 */
export class PipedFile extends Readable {
  readonly #file: FileHandle;
  readonly #buffers: [Buffer, Buffer];
  readonly #end: number;
  #at: number;

  constructor(file: FileHandle, { start, end }: { start: number; end: number }) {
    super({ highWaterMark: 1 });
    sending += 1;
    const bytes = Math.min(sending <= fewFiles ? largeChunkBytes : chunkBytes, Math.max(end - start + 1, 1));
    this.#file = file;
    this.#buffers = [Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes)];
    this.#at = start;
    this.#end = end;
  }

  override _read(): void {
    this.#next().then(
      (chunk) => this.push(chunk),
      (error: Error) => this.destroy(error),
    );
  }

  /** Always a full chunk, except for the last one. */
  async #next(): Promise<Buffer | null> {
    const [buffer] = this.#buffers;
    this.#buffers.reverse();
    const wanted = Math.min(buffer.length, this.#end - this.#at + 1);
    let filled = 0;
    while (filled < wanted) {
      const { bytesRead } = await this.#file.read(buffer, filled, wanted - filled, this.#at + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    this.#at += filled;
    if (filled === 0) return null;
    return filled === buffer.length ? buffer : buffer.subarray(0, filled);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    sending -= 1;
    this.#file.close().then(
      () => done(error),
      (failure: Error) => done(error ?? failure),
    );
  }
}
