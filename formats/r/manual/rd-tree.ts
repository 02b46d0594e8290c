/** A piece of an Rd file ("Parsing Rd files", D. Murdoch). The kind of a text says in which of the three modes it was read. */
export type RdNode = RdText | RdBreak | RdGroup | RdMacro;

interface RdText {
  kind: "text" | "code" | "verbatim";
  text: string;
}

/** An empty line of LaTeX-like text: here a paragraph ends. */
interface RdBreak {
  kind: "break";
}

/** `{…}` that belongs to no macro and prints no braces. */
interface RdGroup {
  kind: "group";
  content: RdNode[];
  holdsBlocks: boolean;
}

export interface RdMacro {
  kind: "macro";
  /** Without its backslash. */
  name: string;
  /** What stood in brackets: `\link[stats]{lm}`. */
  option?: string;
  args: RdNode[][];
  /** Whether this or anything in it cannot stand inside a paragraph. */
  holdsBlocks: boolean;
}

/** Macros that R shows only while it checks a package. */
export const hiddenMacros: ReadonlySet<string> = new Set(["dontshow", "testonly"]);

const spelledOut: Readonly<Record<string, string>> = { dots: "...", ldots: "...", R: "R", cr: "\n", tab: " " };

/** What macros without an argument stand for. */
export const textOfSymbol = (name: string): string => (Object.hasOwn(spelledOut, name) ? (spelledOut[name] ?? "") : "");

/** The text alone, as names, options and file names need it. */
export function plainText(nodes: readonly RdNode[]): string {
  return nodes.map(plainTextOf).join("");
}

function plainTextOf(node: RdNode): string {
  if (node.kind === "break") return "\n\n";
  if (node.kind === "group") return plainText(node.content);
  if (node.kind !== "macro") return node.text;
  if (hiddenMacros.has(node.name)) return "";
  return node.args.length === 0 ? textOfSymbol(node.name) : plainText(node.args.flat());
}
