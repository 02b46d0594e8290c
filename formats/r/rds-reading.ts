/** What R's serialisation (version 2, XDR; "R Internals", 1.8) says, for tests: an independent look at what was written. */
export interface RValue {
  type: "list" | "strings" | "doubles" | "integers" | "logicals";
  values: unknown[];
  attributes: Record<string, RValue>;
}

export function readRds(bytes: Uint8Array): RValue {
  const reader = new Reader(bytes);
  const value = reader.file();
  if (reader.left > 0) throw new Error(`${reader.left} bytes too many`);
  return value;
}

const types = { 10: "logicals", 13: "integers", 14: "doubles", 16: "strings", 19: "list" } as const;
const isType = (code: number): code is keyof typeof types => code in types;

class Reader {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#view.byteLength - this.#at;
  }

  file(): RValue {
    if (this.#bytes(2).join() !== "88,10") throw new Error("not XDR");
    if (this.#integer() !== 2) throw new Error("not version 2");
    this.#bytes(8);
    return this.#value();
  }

  #value(): RValue {
    const flags = this.#integer();
    const code = flags & 0xff;
    if (!isType(code)) throw new Error(`type ${code}`);
    const type = types[code];
    const values = Array.from({ length: this.#integer() }, () => this.#element(type));
    const attributes = flags & 0x200 ? this.#attributes() : {};
    if (Boolean(flags & 0x100) !== "class" in attributes) throw new Error("the class flag and the class disagree");
    return { type, values, attributes };
  }

  #element(type: RValue["type"]): unknown {
    if (type === "list") return this.#value();
    if (type === "strings") return this.#string();
    if (type === "doubles") return this.#double();
    return this.#integer();
  }

  #attributes(): Record<string, RValue> {
    const attributes: Record<string, RValue> = {};
    for (;;) {
      const flags = this.#integer();
      if (flags === 0xfe) return attributes;
      if (flags !== 0x402 || this.#integer() !== 1) throw new Error("no pairlist with a symbol");
      attributes[this.#string() ?? ""] = this.#value();
    }
  }

  #string(): string | null {
    const flags = this.#integer();
    const length = this.#integer();
    if (flags === 9 && length === -1) return null;
    const text = new TextDecoder().decode(this.#bytes(length));
    const isAscii = text.length === length;
    if (flags !== (isAscii ? 0x40009 : 0x8009)) throw new Error(`encoding of ${text}`);
    return text;
  }

  #integer(): number {
    this.#at += 4;
    return this.#view.getInt32(this.#at - 4);
  }

  #double(): number {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8);
  }

  #bytes(length: number): Uint8Array {
    this.#at += length;
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + this.#at - length, length);
  }
}
