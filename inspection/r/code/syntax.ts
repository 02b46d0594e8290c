import type { Node } from "web-tree-sitter";

/** More nodes than this in one file are not read: a file that people wrote has a fifth of them. */
const mostNodes = 200_000;
const longestExcerpt = 200;

/** A named node, or an operator. Comments, brackets and the parts of strings are left out. */
export interface SyntaxNode {
  readonly index: number;
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** -1 for the file. */
  readonly parent: number;
  /** Index of its last descendant, or its own. */
  last: number;
  /** Of the parts of arguments and parameters: `name`, `value`, `default`. */
  readonly field: string | null;
}

/** Nodes that are read as one word: what is below them is not wanted. */
const leaves = new Set([..."string comment comma identifier integer float true false null".split(" ")]);
const withFields = new Set(["argument", "parameter"]);
const operators = new Set(["binary_operator", "unary_operator", "extract_operator", "namespace_operator"]);

/**
 * The syntax of a file as a list in the order of the text: the descendants of a node follow it up to `last`. All
 * questions about it are loops, so deep nesting cannot overflow the stack.
 */
export class Syntax {
  readonly nodes: SyntaxNode[] = [];
  readonly text: string;
  /** False if the file was too large. */
  readonly complete: boolean;
  readonly #lineStarts: number[] = [0];
  /** Of each type of node, by its number: every question about a node is a call into WebAssembly. */
  readonly #types: ({ type: string; isNamed: boolean } | undefined)[] = [];

  constructor(root: Node, text: string) {
    this.text = text;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.#lineStarts.push(at + 1);
    this.complete = this.#read(root);
  }

  #read(root: Node): boolean {
    const cursor = root.walk();
    const path: number[] = [];
    try {
      for (;;) {
        const entered = this.#enter(cursor, path);
        if (entered === "full") return false;
        if (entered !== "skipped") {
          const isLeaf = leaves.has(this.nodes[entered]?.type ?? "");
          if (!isLeaf && cursor.gotoFirstChild()) {
            path.push(entered);
            continue;
          }
        }
        while (!cursor.gotoNextSibling()) {
          if (!cursor.gotoParent()) return true;
          this.#leave(path);
        }
      }
    } finally {
      while (path.length > 0) this.#leave(path);
      cursor.delete();
    }
  }

  #enter(cursor: ReturnType<Node["walk"]>, path: readonly number[]): number | "skipped" | "full" {
    const parent = path.at(-1) ?? -1;
    const { type, isNamed } = this.#typeAt(cursor);
    const above = this.nodes[parent];
    const isWanted = isNamed ? type !== "comment" && type !== "comma" : operators.has(above?.type ?? "");
    if (!isWanted) return "skipped";
    if (this.nodes.length === mostNodes) return "full";
    const index = this.nodes.length;
    const field = withFields.has(above?.type ?? "") ? cursor.currentFieldName : null;
    this.nodes.push({ index, type, start: cursor.startIndex, end: cursor.endIndex, parent, last: index, field });
    return index;
  }

  #typeAt(cursor: ReturnType<Node["walk"]>): { type: string; isNamed: boolean } {
    const number = cursor.nodeTypeId;
    const type = this.#types[number] ?? { type: cursor.nodeType, isNamed: cursor.nodeIsNamed };
    this.#types[number] = type;
    return type;
  }

  #leave(path: number[]): void {
    const node = this.nodes[path.pop() ?? -1];
    if (node) node.last = this.nodes.length - 1;
  }

  firstChild(node: SyntaxNode): SyntaxNode | undefined {
    return node.last === node.index ? undefined : this.nodes[node.index + 1];
  }

  nextSibling(node: SyntaxNode): SyntaxNode | undefined {
    const next = this.nodes[node.last + 1];
    return next?.parent === node.parent ? next : undefined;
  }

  *children(node: SyntaxNode): Generator<SyntaxNode> {
    for (let child = this.firstChild(node); child; child = this.nextSibling(child)) yield child;
  }

  /** The node and what is in it; at most `most` nodes. */
  *within(node: SyntaxNode, most = Number.POSITIVE_INFINITY): Generator<SyntaxNode> {
    for (let index = node.index; index <= node.last && index - node.index < most; index++) {
      const one = this.nodes[index];
      if (one) yield one;
    }
  }

  parent(node: SyntaxNode): SyntaxNode | undefined {
    return this.nodes[node.parent];
  }

  textOf(node: SyntaxNode): string {
    return this.text.slice(node.start, node.end);
  }

  /** Its text on one line, shortened. */
  excerptOf(node: SyntaxNode): string {
    const text = this.text.slice(node.start, Math.min(node.end, node.start + 4 * longestExcerpt));
    const line = text.replace(/[\s\p{Cc}]+/gu, " ");
    return (line.length > longestExcerpt ? `${line.slice(0, longestExcerpt - 1)}…` : line).toWellFormed();
  }

  /** From 1. */
  lineOf(node: SyntaxNode): number {
    let low = 0;
    let high = this.#lineStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= node.start) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}
