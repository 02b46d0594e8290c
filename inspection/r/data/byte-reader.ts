/** Reads what one of R's serialization formats consists of; throws `NotSerialized` where there is nothing to read. */
export interface ByteReader {
  integer(): number;
  /** Skips this many numbers of a vector. */
  skip(kind: "integer" | "double" | "byte", count: number): void;
  /** A text of this many bytes. */
  text(length: number): string;
  /** At most as many items can follow. */
  readonly mostItems: number;
}

export class NotSerialized extends Error {}

/** Longer names than these are no names. */
const longestText = 200;

/** XDR, and the bytes of the machine in the other order. */
export class BinaryReader implements ByteReader {
  readonly #view: DataView;
  readonly #isLittleEndian: boolean;
  #at: number;

  constructor(bytes: Uint8Array, start: number, isLittleEndian: boolean) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = start;
    this.#isLittleEndian = isLittleEndian;
  }

  get mostItems(): number {
    return (this.#view.byteLength - this.#at) / 4;
  }

  integer(): number {
    const at = this.#advance(4);
    return this.#view.getInt32(at, this.#isLittleEndian);
  }

  skip(kind: "integer" | "double" | "byte", count: number): void {
    this.#advance(count * { integer: 4, double: 8, byte: 1 }[kind]);
  }

  text(length: number): string {
    const at = this.#advance(length);
    const bytes = new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, Math.min(length, longestText));
    return new TextDecoder().decode(bytes);
  }

  #advance(count: number): number {
    const at = this.#at;
    if (count < 0 || count > this.#view.byteLength - at) throw new NotSerialized();
    this.#at += count;
    return at;
  }
}

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || (byte !== undefined && byte >= 9 && byte <= 13);
const backslash = 0x5c;

/** The format of `ascii = TRUE`: numbers and escaped texts, one to a line. */
export class AsciiReader implements ByteReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  get mostItems(): number {
    return (this.#bytes.byteLength - this.#at) / 2;
  }

  integer(): number {
    const word = this.#word();
    if (word === "NA") return -(2 ** 31);
    if (!/^-?[0-9]{1,10}$/.test(word)) throw new NotSerialized();
    return Number(word);
  }

  skip(_kind: "integer" | "double" | "byte", count: number): void {
    if (count > this.mostItems + 1) throw new NotSerialized();
    for (let index = 0; index < count; index++) this.#word();
  }

  text(length: number): string {
    while (isBlank(this.#bytes[this.#at])) this.#at += 1;
    let text = "";
    for (let index = 0; index < length; index++) {
      const start = this.#at;
      if (start >= this.#bytes.byteLength) throw new NotSerialized();
      this.#at += this.#bytes[start] === backslash ? this.#escapeLength(start) : 1;
      if (text.length < longestText) text += String.fromCharCode(...this.#bytes.subarray(start, this.#at));
    }
    return text;
  }

  /** `\n`, or a backslash and up to three octal digits. */
  #escapeLength(start: number): number {
    let digits = 0;
    while (digits < 3 && isOctal(this.#bytes[start + 1 + digits])) digits += 1;
    return 1 + Math.max(1, digits);
  }

  #word(): string {
    while (isBlank(this.#bytes[this.#at])) this.#at += 1;
    const start = this.#at;
    while (this.#at < this.#bytes.byteLength && !isBlank(this.#bytes[this.#at])) this.#at += 1;
    if (this.#at === start || this.#at - start > longestText) throw new NotSerialized();
    return String.fromCharCode(...this.#bytes.subarray(start, this.#at));
  }
}

const isOctal = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x37;
