import { UnacceptablePackage } from "../unacceptable-package.ts";
import { concatenate } from "./concatenate.ts";

/** Bytes that arrive in chunks of any size and are read in sizes that the reader chooses. */
export class ByteStream {
  readonly #parts: AsyncIterator<Uint8Array>;
  /** Bytes that have arrived but have not been read. */
  #rest: Uint8Array = new Uint8Array();

  constructor(parts: AsyncIterable<Uint8Array>) {
    this.#parts = parts[Symbol.asyncIterator]();
  }

  /** The next bytes, exactly that many; undefined at the end. */
  async take(length: number): Promise<Uint8Array | undefined> {
    const pieces = [];
    for await (const piece of this.#pieces(length)) pieces.push(piece);
    return pieces.length === 0 && length > 0 ? undefined : concatenate(pieces);
  }

  async skip(length: number): Promise<void> {
    let missing = length;
    for await (const piece of this.#pieces(length)) missing -= piece.byteLength;
    if (missing > 0) throw endsTooEarly();
  }

  /** Reads to the end, so that everything that is checked there is checked. */
  async drain(): Promise<void> {
    while (await this.#next());
  }

  /** Releases the source of the bytes. */
  async close(): Promise<void> {
    await this.#parts.return?.();
  }

  async *#pieces(length: number): AsyncGenerator<Uint8Array> {
    for (let missing = length; missing > 0; ) {
      if (this.#rest.byteLength === 0 && !(await this.#next())) {
        if (missing === length) return;
        throw endsTooEarly();
      }
      const piece = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(piece.byteLength);
      missing -= piece.byteLength;
      yield piece;
    }
  }

  async #next(): Promise<boolean> {
    const { done, value } = await this.#parts.next();
    this.#rest = done ? new Uint8Array() : value;
    return !done;
  }
}

const endsTooEarly = () => new UnacceptablePackage(["could.not.extract.file"], "it ends too early");
