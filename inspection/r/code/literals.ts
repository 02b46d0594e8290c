import type { Syntax, SyntaxNode } from "./syntax.ts";

const simpleEscapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "0": "\0",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
};
const longestString = 1024 * 1024;

/** The value of a string as R reads it (`?Quotes`), without what exceeds a megabyte. */
export function stringValue(syntax: Syntax, node: SyntaxNode): string {
  const source = syntax.text.slice(node.start, Math.min(node.end, node.start + longestString));
  const first = source[0] ?? "";
  // Raw strings begin with a letter.
  if (first.toLowerCase() !== first.toUpperCase()) return rawValue(source);
  return unescaped(source.slice(1, source.endsWith(first) ? -1 : undefined));
}

/** `r"--(…)--"` */
function rawValue(source: string): string {
  let open = 2;
  while (source[open] === "-") open += 1;
  const dashes = open - 2;
  return source.slice(open + 1, source.length - dashes - 2);
}

function unescaped(source: string): string {
  let value = "";
  let at = 0;
  for (;;) {
    const slash = source.indexOf("\\", at);
    if (slash === -1) return value + source.slice(at);
    value += source.slice(at, slash);
    const [character, end] = escaped(source, slash + 1);
    value += character;
    at = end;
  }
}

const maximumDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** The character that an escape stands for, and where the rest begins. */
function escaped(source: string, at: number): [character: string, end: number] {
  const kind = source[at] ?? "";
  const most = maximumDigits[kind];
  if (most !== undefined) {
    const braced = source[at + 1] === "{";
    const start = at + (braced ? 2 : 1);
    const digits = /^[0-9A-Fa-f]{1,8}/.exec(source.slice(start, start + most))?.[0] ?? "";
    const end = start + digits.length + (braced ? 1 : 0);
    return [characterOf(Number.parseInt(digits, 16)), end];
  }
  const octal = /^[0-7]{1,3}/.exec(source.slice(at, at + 3))?.[0];
  if (octal) return [characterOf(Number.parseInt(octal, 8)), at + octal.length];
  return [simpleEscapes[kind] ?? kind, at + 1];
}

export const characterOf = (code: number): string =>
  Number.isInteger(code) && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";

/** The name that an identifier or a string in place of one gives; null for anything else. */
export function nameOf(syntax: Syntax, node: SyntaxNode | undefined): string | null {
  if (!node) return null;
  if (node.type === "string") return stringValue(syntax, node);
  if (node.type === "dots" || node.type === "dot_dot_i") return syntax.textOf(node);
  if (node.type !== "identifier") return null;
  const text = syntax.textOf(node);
  return text.startsWith("`") ? unescaped(text.slice(1, -1)) : text;
}

/** What a number is written as; null for anything else. */
export function numberValue(syntax: Syntax, node: SyntaxNode): number | null {
  if (node.type !== "integer" && node.type !== "float") return null;
  const text = syntax.textOf(node);
  const value = Number(text.endsWith("L") ? text.slice(0, -1) : text);
  return Number.isFinite(value) ? value : null;
}
