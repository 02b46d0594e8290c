import { read } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ByteRange } from "./storage.ts";

/** More than any writer buffers: it asks for the next chunk only after it has sent this one. */
const chunkBytes = 512 * 1024;
/** Up to so many files at a time are read ahead, which takes twice the memory; more keep the disk busy by themselves. */
const readAhead = 8;

/** How many are being sent. */
let sending = 0;

/**
 * A range of a file's bytes, for `pipe` only: each chunk is read into the same buffer, or into two in turn, once the one
 * before it is sent. New buffers for each chunk would cost more than reading into them.
 */
export class PipedFile extends Readable {
  readonly #file: FileHandle;
  readonly #buffers: Buffer[];
  readonly #end: number;
  #at: number;
  #isReading = false;
  /** What to do after reading: the stream was destroyed. */
  #close: (() => void) | undefined;

  constructor(file: FileHandle, { start, end }: ByteRange) {
    const isAhead = sending < readAhead;
    super({ highWaterMark: isAhead ? 1 : 0 });
    sending += 1;
    const bytes = Math.min(chunkBytes, Math.max(end - start + 1, 1));
    this.#file = file;
    this.#buffers = Array.from({ length: isAhead ? 2 : 1 }, () => Buffer.allocUnsafeSlow(bytes));
    this.#at = start;
    this.#end = end;
  }

  override _read(): void {
    const [buffer] = this.#buffers.reverse();
    if (!buffer) throw new Error("a file that is sent has a buffer");
    const wanted = Math.min(buffer.length, this.#end - this.#at + 1);
    this.#fill(buffer.subarray(0, wanted), 0);
  }

  /** Always a full chunk, except for the last one. A promise for each chunk would cost a tenth of the time. */
  #fill(chunk: Buffer, filled: number): void {
    this.#isReading = true;
    read(this.#file.fd, chunk, filled, chunk.length - filled, this.#at, (error, bytes) => {
      this.#isReading = false;
      if (this.#close) return this.#close();
      if (error) return void this.destroy(error);
      this.#at += bytes;
      const all = filled + bytes;
      if (bytes > 0 && all < chunk.length) return this.#fill(chunk, all);
      this.push(all === 0 ? null : chunk.subarray(0, all));
    });
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    sending -= 1;
    const close = () => {
      this.#file.close().then(
        () => done(error),
        (failure: Error) => done(error ?? failure),
      );
    };
    // Another file may get its number as soon as it is closed.
    if (this.#isReading) this.#close = close;
    else close();
  }
}
