import { AsciiReader, BinaryReader, type ByteReader, NotSerialized } from "./byte-reader.ts";

/** What R data contains besides data. */
export type CodeInData = "function" | "promise" | "environment" | "call" | "bytecode";

export interface SerializedCode {
  kind: CodeInData;
  /** The object of the file that it is in; empty where objects have no names, as in `.rds`. */
  object: string;
}

export interface SerializedContent {
  code: SerializedCode[];
  /** Objects of the file, by the names under which `load` creates them. */
  objects: string[];
  /** Names that occur in code or as names of elements. */
  symbols: ReadonlySet<string>;
  /** False where the rest could not be read. */
  isComplete: boolean;
}

/** Kinds of items ("R Internals", 1.1 and 1.8). */
const items = {
  symbol: 1,
  pairlist: 2,
  closure: 3,
  environment: 4,
  promise: 5,
  language: 6,
  special: 7,
  builtin: 8,
  characters: 9,
  logical: 10,
  integer: 13,
  double: 14,
  complex: 15,
  strings: 16,
  dots: 17,
  list: 19,
  expression: 20,
  bytecode: 21,
  pointer: 22,
  weakReference: 23,
  raw: 24,
  object: 25,
  compact: 238,
  attributedLanguage: 240,
  persistent: 247,
  package: 250,
  namespace: 249,
  persistentName: 248,
  reference: 255,
} as const;

const hasAttributes = 0x200;
const hasTag = 0x400;
const mostSymbols = 20_000;
const mostFindings = 200;

const pairs = new Set<number>([items.pairlist, items.closure, items.promise, items.language, items.dots]);
const withoutContent = new Set([254, 253, 252, 251, 242, 241, 247]);
const found: ReadonlyMap<number, CodeInData> = new Map<number, CodeInData>([
  [items.closure, "function"],
  [items.promise, "promise"],
  [items.environment, "environment"],
  [items.language, "call"],
  [items.expression, "call"],
  [items.attributedLanguage, "call"],
  [items.bytecode, "bytecode"],
]);

/**
 * Reads R's serialization formats without creating any of the objects; null if the bytes are in none of them. Items
 * follow each other, each with its parts after it, so a count of the items that are still to come is all the state:
 * deep nesting costs nothing, and a file takes time in proportion to its length.
 */
export function readSerialized(bytes: Uint8Array): SerializedContent | null {
  const reader = readerOf(bytes);
  return reader && new Scan(reader).run();
}

function readerOf(bytes: Uint8Array): ByteReader | null {
  const head = String.fromCharCode(...bytes.subarray(0, 8));
  // `save` writes a line of its own in front.
  const start = /^RD[XAB][23]\n/.test(head) ? 5 : 0;
  switch (head.slice(start, start + 2)) {
    case "X\n":
      return new BinaryReader(bytes, start + 2, false);
    case "B\n":
      return new BinaryReader(bytes, start + 2, true);
    case "A\n":
      return new AsciiReader(bytes, start + 2);
    default:
      return null;
  }
}

class Scan {
  readonly #reader: ByteReader;
  readonly #code = new Map<string, SerializedCode>();
  readonly #objects: string[] = [];
  readonly #symbols = new Set<string>();
  /** What items refer to by number; null where that has no name. */
  readonly #references: (string | null)[] = [];
  /** Items that are still to come. */
  #pending = 1;
  /** The next symbol is the name of an object of the file. */
  #nameFollows = false;

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  run(): SerializedContent {
    let isComplete = false;
    try {
      this.#readHeader();
      while (this.#pending > 0 && this.#item());
      isComplete = this.#pending === 0;
    } catch (error) {
      if (!(error instanceof NotSerialized)) throw error;
    }
    return { code: [...this.#code.values()], objects: this.#objects, symbols: this.#symbols, isComplete };
  }

  #readHeader(): void {
    const version = this.#reader.integer();
    this.#reader.integer();
    this.#reader.integer();
    if (version === 3) this.#reader.text(this.#reader.integer());
    else if (version !== 2) throw new NotSerialized();
  }

  /** False at bytecode: its own items are not read. */
  #item(): boolean {
    const reader = this.#reader;
    if (this.#pending > reader.mostItems + 1) throw new NotSerialized();
    const flags = reader.integer();
    const type = flags & 0xff;
    this.#pending -= 1;
    const attributes = (flags & hasAttributes) === 0 ? 0 : 1;
    const kind = found.get(type);
    if (kind) this.#report(kind);
    if (kind === "bytecode") return false;
    if (withoutContent.has(type)) return true;
    if (pairs.has(type)) this.#pair(type, flags, attributes);
    else if (type === items.symbol) this.#symbol(this.#name());
    else if (type === items.reference) this.#reference(flags);
    else if (type === items.environment) this.#environment();
    else if (type === items.pointer) this.#referable(2 + attributes);
    else if (type === items.weakReference) this.#referable(attributes);
    else if (type === items.compact) this.#pending += 3;
    else if (type >= items.persistentName && type <= items.package) this.#persistent();
    else {
      this.#vector(type);
      this.#pending += attributes;
    }
    return true;
  }

  #report(kind: CodeInData): void {
    const object = this.#objects.at(-1) ?? "";
    const key = `${kind} ${object}`;
    if (this.#code.size < mostFindings && !this.#code.has(key)) this.#code.set(key, { kind, object });
  }

  #pair(type: number, flags: number, attributes: number): void {
    const tag = (flags & hasTag) === 0 ? 0 : 1;
    // Nothing else is to come: it is one of the objects that `load` creates.
    if (type === items.pairlist && this.#pending === 0 && tag === 1 && attributes === 0) this.#nameFollows = true;
    this.#pending += attributes + tag + 2;
  }

  /** The text of a symbol, which is an item of its own. */
  #name(): string {
    const flags = this.#reader.integer();
    if ((flags & 0xff) !== items.characters) throw new NotSerialized();
    const length = this.#reader.integer();
    return length === -1 ? "NA" : this.#reader.text(length);
  }

  #symbol(name: string): void {
    this.#references.push(name);
    this.#use(name);
  }

  #use(name: string): void {
    if (this.#nameFollows) this.#objects.push(name);
    else if (this.#symbols.size < mostSymbols) this.#symbols.add(name);
    this.#nameFollows = false;
  }

  #reference(flags: number): void {
    const number = flags >> 8 || this.#reader.integer();
    this.#use(this.#references[number - 1] ?? "");
  }

  #environment(): void {
    this.#reader.integer();
    this.#referable(4);
  }

  #referable(parts: number): void {
    this.#references.push(null);
    this.#pending += parts;
  }

  /** The name of a namespace or of another thing outside of the file. */
  #persistent(): void {
    this.#reader.integer();
    const length = this.#reader.integer();
    if (length < 0) throw new NotSerialized();
    this.#referable(length);
  }

  #vector(type: number): void {
    const reader = this.#reader;
    switch (type) {
      case items.characters: {
        const length = reader.integer();
        if (length !== -1) reader.text(length);
        break;
      }
      case items.special:
      case items.builtin:
        reader.text(reader.integer());
        break;
      case items.logical:
      case items.integer:
        reader.skip("integer", this.#length());
        break;
      case items.double:
        reader.skip("double", this.#length());
        break;
      case items.complex:
        reader.skip("double", 2 * this.#length());
        break;
      case items.raw:
        reader.skip("byte", this.#length());
        break;
      case items.strings:
      case items.list:
      case items.expression:
        this.#pending += this.#length();
        break;
      case items.object:
        break;
      default:
        throw new NotSerialized();
    }
  }

  /** Of long vectors, two numbers. */
  #length(): number {
    const length = this.#reader.integer();
    const whole = length === -1 ? this.#reader.integer() * 2 ** 32 + (this.#reader.integer() >>> 0) : length;
    if (whole < 0) throw new NotSerialized();
    return whole;
  }
}
