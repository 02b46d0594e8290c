/** A piece of an Rd file ("Parsing Rd files", D. Murdoch). The kind of a text is the mode that it was read in. */
export type RdNode = RdText | RdBreak | RdGroup | RdMacro;

interface RdText {
  kind: "text" | "code" | "verbatim";
  text: string;
}

/** An empty line of LaTeX-like text: the end of a paragraph. */
interface RdBreak {
  kind: "break";
}

/** `{…}` that belongs to no macro and renders no braces. */
interface RdGroup {
  kind: "group";
  content: RdNode[];
  holdsBlocks: boolean;
}

export interface RdMacro {
  kind: "macro";
  /** Without its backslash. */
  name: string;
  /** The content of brackets: `\link[stats]{lm}`. */
  option?: string;
  args: RdNode[][];
  /** Whether this or anything in it cannot be inside a paragraph. */
  holdsBlocks: boolean;
}

/** Macros that R only shows while it checks a package. */
export const hiddenMacros: ReadonlySet<string> = new Set(["dontshow", "testonly"]);

const spelledOut: Readonly<Record<string, string>> = { dots: "...", ldots: "...", R: "R", cr: "\n", tab: " " };

/** The text for macros without an argument. */
export const textOfSymbol = (name: string): string => (Object.hasOwn(spelledOut, name) ? (spelledOut[name] ?? "") : "");

/** The text alone, as required for names, options and file names. */
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
