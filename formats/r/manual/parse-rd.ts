import { takeConditionalLines } from "./conditionals.ts";
import { blockMacros, labeledLists, type MacroSyntax, type Mode, macroSyntax, plainLists } from "./rd-macros.ts";
import { RdSource } from "./rd-source.ts";
import type { RdMacro, RdNode } from "./rd-tree.ts";
import { type ExpansionBudget, expansionBudget, UserMacros } from "./user-macros.ts";

/**
 * Parses an Rd file ("Parsing Rd files", D. Murdoch; "Writing R Extensions", 2). Any text has a tree: an unknown macro
 * is text, anything unclosed ends with the file, and no R code is run. It knows `macros`, but adds none of its own.
 */
export function parseRd(text: string, macros = new UserMacros(), budget = expansionBudget(text.length)): RdNode[] {
  return new Parser(text, new UserMacros(macros), budget).file();
}

/** Adds the definitions in a file of `man/macros` to `macros`. */
export function readMacros(text: string, macros: UserMacros, budget = expansionBudget(text.length)): void {
  new Parser(text, macros, budget).file();
}

/** Nesting depth of groups: the deepest in R's own manuals is twelve. What is deeper is shown as it is written. */
const deepest = 100;

const isEscapable = (character: string): boolean => /[\\%{}]/.test(character);
const backslashEscapes = /\\[\\%{}]/y;
const comment = /%[^\n]*/y;
/** Bounded; otherwise unclosed brackets would be searched to the end of the file each time. */
// bounded expression: it looks at 200 characters at most
const option = /\[[^\][{}]{0,200}\]/y;

/** How `\item` is read at the parser's position. */
type ItemSyntax = "labeled" | "plain" | "unknown";

class Parser {
  readonly #source: RdSource;
  readonly #macros: UserMacros;
  readonly #budget: ExpansionBudget;
  #depth = 0;
  #items: ItemSyntax = "unknown";

  constructor(text: string, macros: UserMacros, budget: ExpansionBudget) {
    const lines = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
    this.#source = new RdSource(takeConditionalLines(lines));
    this.#macros = macros;
    this.#budget = budget;
  }

  file(): RdNode[] {
    const nodes: RdNode[] = [];
    while (this.#source.peek() !== "") {
      for (const node of this.#latex()) nodes.push(node);
      // An unmatched closing brace.
      this.#source.skip();
    }
    return nodes;
  }

  /** The rest of an argument after its `{`, including its `}`. */
  #argument(mode: Mode): RdNode[] {
    if (this.#depth === deepest) return [{ kind: "verbatim", text: this.#verbatim("verbatim") }];
    this.#depth += 1;
    const nodes = this.#content(mode);
    this.#source.takeIf("}");
    this.#depth -= 1;
    return nodes;
  }

  #content(mode: Mode): RdNode[] {
    if (mode === "latex") return this.#latex();
    if (mode === "r") return this.#rCode();
    return [{ kind: "verbatim", text: this.#verbatim(mode, false) }];
  }

  /** LaTeX-like text up to the brace that closes it. */
  #latex(): RdNode[] {
    const source = this.#source;
    const nodes = new Nodes("text");
    for (let next = source.peek(); next !== "" && next !== "}"; next = source.peek()) {
      if (source.atLineStart && source.take(/[ \t]*\n/y)) nodes.push({ kind: "break" });
      else if (next === "%") this.#comment(nodes);
      else if (next === "{") {
        source.skip();
        const content = this.#argument("latex");
        nodes.push({ kind: "group", content, holdsBlocks: holdBlocks(content) });
      } else if (next !== "\\") nodes.text(source.take(/[^\\%{}\n]*\n?/y));
      else if (isEscapable(source.peekSecond())) nodes.text(this.#escaped());
      else if (/[A-Za-z]/.test(source.peekSecond())) this.#macro(nodes);
      else nodes.text(source.skip());
    }
    return nodes.all();
  }

  /** R code up to the brace that closes it. Strings may have unmatched braces, and no macros but `\l…` and `\v…`. */
  #rCode(): RdNode[] {
    const source = this.#source;
    const nodes = new Nodes("code");
    let quote = "";
    let braces = 0;
    for (let next = source.peek(); next !== ""; next = source.peek()) {
      if (next === "%") this.#comment(nodes);
      else if (next === "\\") {
        const second = source.peekSecond();
        if (quote !== "") this.#backslashInString(nodes, quote);
        else if (isEscapable(second)) nodes.text(this.#escaped());
        else if (/[A-Za-z]/.test(second)) this.#macro(nodes);
        // A quote after a backslash opens no string.
        else nodes.text(source.skip() + source.skip());
      } else if (next === quote) {
        quote = "";
        nodes.text(source.skip());
      } else if (quote !== "") nodes.text(source.take(/[^\\%][^\\%'"`]*/y));
      else if (next === "#") {
        const [text, balance] = this.#rComment(braces);
        nodes.text(text);
        braces = balance;
      } else {
        if (next === "}" && braces === 0) break;
        if (next === "{") braces += 1;
        else if (next === "}") braces -= 1;
        else if ("'\"`".includes(next)) quote = next;
        nodes.text(source.take(/[\s\S][^\\%{}'"`#]*/y));
      }
    }
    return nodes.all();
  }

  /** A backslash in a string is escaped for Rd first, and then escapes something for R: `"\\""` is a quoted quote. */
  #backslashInString(nodes: Nodes, quote: string): void {
    const source = this.#source;
    const second = source.peekSecond();
    if (second === "%") nodes.text(this.#escaped());
    else if (second === "l" || second === "v") this.#macro(nodes);
    else {
      nodes.text(second === "\\" ? this.#escaped() : source.skip());
      if (source.peek() === "\\" && /[\\%]/.test(source.peekSecond())) nodes.text(this.#escaped());
      else if (source.peek() === quote) nodes.text(source.skip());
      else if (source.peek() === "\\" && source.peekSecond() === quote) nodes.text(source.skip());
    }
  }

  /** An R comment: quotes and macros mean nothing in it, but braces count. */
  #rComment(open: number): [text: string, open: number] {
    const source = this.#source;
    const parts: string[] = [];
    let braces = open;
    for (let next = source.peek(); next !== "" && next !== "\n"; next = source.peek()) {
      if (next === "}" && braces === 0) break;
      if (next === "{") braces += 1;
      if (next === "}") braces -= 1;
      const escaped = next === "\\" ? source.take(backslashEscapes) : "";
      parts.push(escaped.slice(1) || source.take(/[\s\S][^\\{}\n]*/y));
    }
    return [parts.join(""), braces];
  }

  /** Verbatim text up to the closing brace, including that brace. Formulas keep their escapes and have no comments. */
  #verbatim(mode: Mode, takesBrace = true): string {
    const source = this.#source;
    const parts: string[] = [];
    let braces = 0;
    for (let next = source.peek(); next !== ""; next = source.peek()) {
      if (next === "}" && braces === 0) break;
      if (next === "{") braces += 1;
      if (next === "}") braces -= 1;
      if (next === "%" && mode !== "equation") source.take(comment);
      else {
        const escaped = next === "\\" ? source.take(backslashEscapes) : "";
        parts.push((mode === "equation" ? escaped : escaped.slice(1)) || source.take(/[\s\S][^\\%{}]*/y));
      }
    }
    if (takesBrace) source.takeIf("}");
    return parts.join("");
  }

  #comment(nodes: Nodes): void {
    nodes.end();
    this.#source.take(comment);
  }

  /** A backslash and the character that it escapes. */
  #escaped(): string {
    this.#source.skip();
    return this.#source.skip();
  }

  #macro(nodes: Nodes): void {
    this.#source.skip();
    const word = this.#source.take(/[A-Za-z][A-Za-z0-9]*/y);
    if (word === "newcommand" || word === "renewcommand") this.#definition();
    else if (this.#macros.argumentCount(word) !== undefined) this.#userMacro(word, nodes);
    else if (word === "item" && this.#items !== "unknown") this.#item(nodes);
    else this.#otherMacro(word, nodes);
  }

  #otherMacro(word: string, nodes: Nodes): void {
    // `\dots1` is `\dots` and a digit.
    const name = macroSyntax.has(word) ? word : withoutTrailingDigits(word);
    const syntax = macroSyntax.get(name);
    const macro = syntax && this.#knownMacro(name, syntax);
    if (macro) nodes.push(macro);
    else this.#unknownMacro(word, nodes);
    if (macro && name !== word) nodes.text(word.slice(name.length));
  }

  #knownMacro(name: string, syntax: MacroSyntax): RdMacro | undefined {
    const source = this.#source;
    const options = syntax.takesOption ? source.take(option) : "";
    const items = this.#items;
    if (labeledLists.has(name)) this.#items = "labeled";
    else if (plainLists.has(name)) this.#items = "plain";

    const args: RdNode[][] = [];
    for (const mode of syntax.args) {
      // R allows no blanks between arguments, but people write them anyway.
      if (args.length > 0 && args.length < syntax.needs) source.takeBlanksBefore("{");
      if (!source.takeIf("{")) break;
      args.push(this.#argument(mode));
    }
    this.#items = items;
    if (args.length === 0 && syntax.needs > 0) return undefined;
    const holdsBlocks = blockMacros.has(name) || args.some(holdBlocks);
    return { kind: "macro", name, ...(options ? { option: options.slice(1, -1) } : {}), args, holdsBlocks };
  }

  #item(nodes: Nodes): void {
    const args: RdNode[][] = [];
    while (this.#items === "labeled" && args.length < 2) {
      this.#source.takeBlanksBefore("{");
      if (!this.#source.takeIf("{")) break;
      args.push(this.#argument("latex"));
    }
    nodes.push({ kind: "macro", name: "item", args, holdsBlocks: true });
  }

  /** Shown as it is written, including its braces. */
  #unknownMacro(word: string, nodes: Nodes): void {
    nodes.text(`\\${word}`);
    if (nodes.kind === "code") return;
    while (this.#source.takeIf("{")) {
      nodes.text("{");
      for (const node of this.#argument("latex")) nodes.push(node);
      nodes.text("}");
    }
  }

  #definition(): void {
    const [name = "", text = ""] = this.#rawArguments(2);
    if (/^\s*\\[A-Za-z][A-Za-z0-9]*\s*$/.test(name)) this.#macros.define(name.trim().slice(1), text);
  }

  #userMacro(name: string, nodes: Nodes): void {
    const args = this.#rawArguments(this.#macros.argumentCount(name) ?? 0);
    const text = this.#macros.expand(name, args, this.#budget);
    nodes.end();
    if (text === undefined) nodes.text(`\\${name}`);
    else this.#source.insert(text);
  }

  #rawArguments(count: number): string[] {
    const args: string[] = [];
    while (args.length < count && this.#source.takeIf("{")) args.push(this.#verbatim("verbatim"));
    return args;
  }
}

function withoutTrailingDigits(word: string): string {
  let end = word.length;
  while (end > 0 && /[0-9]/.test(word[end - 1] ?? "")) end -= 1;
  return word.slice(0, end);
}

const holdBlocks = (nodes: readonly RdNode[]): boolean =>
  nodes.some((node) => (node.kind === "macro" || node.kind === "group") && node.holdsBlocks);

/** Nodes under construction; adjacent pieces of text become one node. */
class Nodes {
  readonly kind: "text" | "code";
  readonly #nodes: RdNode[] = [];
  #pieces: string[] = [];

  constructor(kind: "text" | "code") {
    this.kind = kind;
  }

  text(piece: string): void {
    this.#pieces.push(piece);
  }

  push(node: RdNode): void {
    this.end();
    this.#nodes.push(node);
  }

  /** Separates a text from the next one. */
  end(): void {
    if (this.#pieces.length > 0) this.#nodes.push({ kind: this.kind, text: this.#pieces.join("") });
    this.#pieces = [];
  }

  all(): RdNode[] {
    this.end();
    return this.#nodes;
  }
}
