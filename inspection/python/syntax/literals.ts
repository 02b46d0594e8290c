import type { Place, Syntax } from "./syntax.ts";

/** Longer texts are cut: names, addresses and commands are at the beginning. */
const mostCharacters = 20_000;

const simpleEscapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
};

export interface Literal {
  text: string;
  /** Writes letters as escapes, `\x6f\x73`. */
  escaped: boolean;
}

/** The value of a string literal; undefined if it contains expressions. Bytes count as Latin-1. */
export function stringLiteral(syntax: Syntax, place: Place): Literal | undefined {
  let text = "";
  let escaped = false;
  let isRaw = false;
  for (const part of syntax.children(place)) {
    const kind = syntax.kind(part);
    if (kind === "string_start") isRaw = syntax.text(part).toLowerCase().includes("r");
    else if (kind === "interpolation") return undefined;
    else if (kind === "string_content") {
      const content = unescaped(syntax.text(part).slice(0, mostCharacters), isRaw);
      text += content.text;
      escaped ||= content.escaped;
    }
    if (text.length > mostCharacters) break;
  }
  return { text, escaped };
}

function unescaped(written: string, isRaw: boolean): Literal {
  if (isRaw || !written.includes("\\")) return { text: written, escaped: false };
  let text = "";
  let escaped = false;
  for (let at = 0; at < written.length; at++) {
    if (written[at] !== "\\") {
      text += written[at];
      continue;
    }
    const letter = written[++at] ?? "";
    const digits = { x: 2, u: 4, U: 8 }[letter];
    const code =
      digits === undefined ? octal(written, at) : Number.parseInt(written.slice(at + 1, at + 1 + digits), 16);
    if (letter in simpleEscapes) text += simpleEscapes[letter];
    else if (code === undefined || Number.isNaN(code) || code > 0x10ffff) text += `\\${letter}`;
    else {
      const character = String.fromCodePoint(code);
      text += character;
      escaped ||= isLetter(character);
      at += digits ?? octalDigits(written, at) - 1;
    }
  }
  return { text, escaped };
}

const isLetter = (character: string): boolean =>
  (character >= "a" && character <= "z") || (character >= "A" && character <= "Z");

function octalDigits(text: string, at: number): number {
  let count = 0;
  while (count < 3 && (text[at + count] ?? "") >= "0" && (text[at + count] ?? "") <= "7") count++;
  return count;
}

function octal(text: string, at: number): number | undefined {
  const count = octalDigits(text, at);
  return count === 0 ? undefined : Number.parseInt(text.slice(at, at + count), 8);
}

/** Whether a name is one that users call: without a leading underscore. */
export const isPublicName = (name: string): boolean => !name.startsWith("_");

/** The documentation of a module, class or function: a string that is the first statement of its body. */
export function hasDocumentation(syntax: Syntax, body: Place): boolean {
  for (const statement of syntax.children(body)) {
    if (syntax.kind(statement) !== "expression_statement") return false;
    const kind = syntax.kind(statement + 1);
    return kind === "string" || kind === "concatenated_string";
  }
  return false;
}
