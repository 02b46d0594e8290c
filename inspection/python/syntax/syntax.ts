import type { Node } from "web-tree-sitter";
import { storable } from "./storable.ts";

/** More nodes than this in one file are not read: a file that people wrote has a fifth of them. */
export const mostNodes = 400_000;

/** Nodes that are read as one word, without what is below them. */
const leaves = new Set([
  ..."identifier string_start string_content string_end integer float true false none dotted_name".split(" "),
]);

/** Tokens that are in no field of the grammar. Every question about a node is a call into WebAssembly. */
const withoutField = new Set("( ) [ ] { } : . = -> def class import from if else return".split(" "));

const normalizes = new Set(["identifier", "dotted_name"]);

/** The index of a node; 0 is the module. */
export type Place = number;

/**
 * The syntax tree of a file as arrays in the order of the text: a subtree is a range of places, so that no walk needs
 * recursion, however deep the tree. Comments, punctuation and keywords are left out.
 */
export class Syntax {
  readonly count: number;
  /** False for a file with more nodes than are read. */
  readonly complete: boolean;
  readonly hasErrors: boolean;
  readonly #text: string;
  readonly #kinds: readonly string[];
  readonly #kindOf: Uint16Array;
  readonly #fields: readonly (string | null)[];
  readonly #fieldOf: Uint16Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #parents: Uint32Array;
  readonly #subtreeEnds: Uint32Array;
  readonly #hasOtherLetters: boolean;
  #lineStarts: number[] | undefined;

  constructor(text: string, root: Node, most = mostNodes) {
    const { language } = root.tree;
    const typeOf: (TypeOfNode | undefined)[] = [];
    const kinds = new Map<string, number>();
    const numberOf = (kind: string): number => {
      const known = kinds.get(kind) ?? kinds.size;
      kinds.set(kind, known);
      return known;
    };
    const kindNumbers: number[] = [];
    const fieldNumbers: number[] = [];
    const starts: number[] = [];
    const ends: number[] = [];
    const parents: number[] = [];
    const subtreeEnds: number[] = [];
    const open: number[] = [];
    let complete = true;
    const cursor = root.walk();
    try {
      for (;;) {
        const id = cursor.nodeTypeId;
        const type = typeOf[id] ?? typeOfNode(language.types[id] ?? cursor.nodeType, cursor.nodeIsNamed);
        typeOf[id] = type;
        const field = type.hasField ? cursor.currentFieldId : 0;
        // A node without a place of its own is its parent's: what is below it does not exist, as it is one word.
        let entered = false;
        if (type.isRead || field !== 0) {
          if (starts.length === most) {
            complete = false;
            break;
          }
          const place = starts.length;
          type.number ??= numberOf(type.kind);
          kindNumbers.push(type.number);
          fieldNumbers.push(field);
          starts.push(cursor.startIndex);
          ends.push(cursor.endIndex);
          parents.push(open.at(-1) ?? 0);
          subtreeEnds.push(place + 1);
          entered = !type.isLeaf && cursor.gotoFirstChild();
          if (entered) open.push(place);
        }
        if (entered) continue;
        let ended = false;
        while (!cursor.gotoNextSibling()) {
          const place = open.pop();
          if (place === undefined) {
            ended = true;
            break;
          }
          subtreeEnds[place] = starts.length;
          cursor.gotoParent();
        }
        if (ended) break;
      }
    } finally {
      cursor.delete();
    }
    for (const place of open) subtreeEnds[place] = starts.length;

    this.#text = text;
    this.#hasOtherLetters = /[^\0-\x7f]/.test(text);
    this.count = starts.length;
    this.complete = complete;
    this.hasErrors = root.hasError;
    this.#kinds = [...kinds.keys()];
    this.#fields = language.fields;
    this.#kindOf = Uint16Array.from(kindNumbers);
    this.#fieldOf = Uint16Array.from(fieldNumbers);
    this.#starts = Uint32Array.from(starts);
    this.#ends = Uint32Array.from(ends);
    this.#parents = Uint32Array.from(parents);
    this.#subtreeEnds = Uint32Array.from(subtreeEnds);
  }

  kind(place: Place): string {
    return this.#kinds[this.#kindOf[place] ?? 0] ?? "";
  }

  /** The name of the field of its parent that the node is in: `body` of a function. */
  field(place: Place): string | null {
    return this.#fields[this.#fieldOf[place] ?? 0] ?? null;
  }

  parent(place: Place): Place {
    return this.#parents[place] ?? 0;
  }

  /** The place after the node and everything below it. */
  end(place: Place): Place {
    return this.#subtreeEnds[place] ?? place + 1;
  }

  /** Names as Python reads them: `os.ſystem` is `os.system`. */
  text(place: Place): string {
    const text = this.#text.slice(this.#starts[place] ?? 0, this.#ends[place] ?? 0);
    return this.#hasOtherLetters && normalizes.has(this.kind(place)) ? text.normalize("NFKC") : text;
  }

  length(place: Place): number {
    return (this.#ends[place] ?? 0) - (this.#starts[place] ?? 0);
  }

  *children(place: Place): Generator<Place> {
    const end = this.end(place);
    for (let child = place + 1; child < end; child = this.end(child)) yield child;
  }

  child(place: Place, field: string): Place | undefined {
    const end = this.end(place);
    for (let child = place + 1; child < end; child = this.end(child)) if (this.field(child) === field) return child;
    return undefined;
  }

  /** The node itself and all below it. */
  *subtree(place: Place, most = Number.POSITIVE_INFINITY): Generator<Place> {
    const end = Math.min(this.end(place), place + most);
    for (let inner = place; inner < end; inner++) yield inner;
  }

  /** From 1. */
  line(place: Place): number {
    this.#lineStarts ??= lineStarts(this.#text);
    const starts = this.#lineStarts;
    const index = this.#starts[place] ?? 0;
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= index) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** The line that the node begins on, without its indentation, cut after `most` characters. */
  excerpt(place: Place, most = 200): string {
    const line = this.line(place);
    const start = this.#lineStarts?.[line - 1] ?? 0;
    const newline = this.#text.indexOf("\n", start);
    const end = newline === -1 ? this.#text.length : newline;
    // Of a line as long as a file, the part that the node is in.
    const from = end - start > most * 4 ? Math.max(start, (this.#starts[place] ?? 0) - 40) : start;
    return storable(this.#text.slice(from, Math.min(end, from + most * 4)).trim(), most);
  }
}

interface TypeOfNode {
  kind: string;
  /** Its number among the kinds of the file, once it occurs. */
  number: number | undefined;
  /** Whether its nodes have a place of their own wherever they are. */
  isRead: boolean;
  /** Whether its nodes may be in a field. */
  hasField: boolean;
  isLeaf: boolean;
}

const typeOfNode = (kind: string, isNamed: boolean): TypeOfNode => ({
  kind,
  number: undefined,
  isRead: isNamed && kind !== "comment",
  hasField: kind !== "comment" && (isNamed || !withoutField.has(kind)),
  isLeaf: !isNamed || leaves.has(kind),
});

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
