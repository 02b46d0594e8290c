import type { FileRule } from "./file-rule.ts";
import { isProgram } from "./places.ts";

const bidirectional = /[\u202A-\u202E\u2066-\u2069]/gu;
/** Characters of no width, tags, fillers, and the second set of variation selectors. */
const invisible =
  /[\u200B-\u200F\u2060-\u2064\uFEFF\u115F\u1160\u3164\uFFA0\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]/gu;

/** Code that is not what it looks like (CVE-2021-42574). */
export const invisibleCharactersRule: FileRule = {
  id: "invisible-characters",
  *examine({ path, text }) {
    if (!text || !isProgram(path)) return;
    for (const { 0: character, index } of text.text.matchAll(bidirectional))
      yield { file: path, ...text.found(index), subject: codePoint(character) };
    for (const { 0: character, index } of text.text.matchAll(invisible))
      if (index > 0 && !joinsLetters(text.text, index) && !text.isInComment(index))
        yield {
          file: path,
          ...text.found(index),
          subject: codePoint(character),
          ...(isAlone(text.text, index) ? ({ level: "notice" } as const) : {}),
        };
  },
};

const widthless = /[\u200B-\u200D\u2060\uFEFF-]/;
/** A few may be in a literal: `[\u200B-\u200D]`; many are a text that nobody sees. */
const mostAlone = 6;

/** Whether a character is all that a literal or a set of characters has, so that it hides nothing. */
function isAlone(text: string, index: number): boolean {
  let [start, end] = [index, index];
  while (index - start <= mostAlone && widthless.test(text[start - 1] ?? "")) start -= 1;
  while (end - index <= mostAlone && widthless.test(text[end + 1] ?? "")) end += 1;
  const [before = "", after = ""] = [text[start - 1], text[end + 1]];
  return end - start < mostAlone && ((/["']/.test(before) && before === after) || (before === "[" && after === "]"));
}

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** Within emoji and in scripts that need joiners or run from right to left, these characters are part of the text. */
function joinsLetters(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  const [before, after] = [text.charCodeAt(index - 1), text.charCodeAt(index + 1)];
  // A mark of direction keeps punctuation on its side; it turns no text around.
  if (code === 0x200e || code === 0x200f)
    return isFromRight(before) || isFromRight(after) || (before > 0x2ff && after > 0x2ff);
  return (code === 0x200d || code === 0x200c) && before > 0x2ff && after > 0x2ff;
}

/** Hebrew, Arabic and others, with their punctuation. */
const isFromRight = (code: number): boolean => code >= 0x590 && code <= 0x8ff;

const word = /[\p{L}\p{N}_]+/gu;
const latin = /[A-Za-z]/;
/** Letters of other scripts that look like Latin ones, and letters that Python reads as Latin ones. */
const lookalikes =
  /[\u0391\u0392\u0395-\u0397\u0399\u039A\u039C\u039D\u039F\u03A1\u03A4\u03A5\u03A7\u03BF\u0405\u0406\u0408\u0410\u0412\u0415\u0417\u041A\u041C-\u041E\u0420-\u0423\u0425\u0430\u0435\u043E\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04BB\u0501\u051B\u051D\u0561\u0570\u0578\u057D\u0585\u13A0-\u13F4\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D6A3}]/u;

/** Names that mix letters of several scripts, so that they look like other names. */
export const mixedScriptsRule: FileRule = {
  id: "mixed-scripts",
  *examine({ path, text }) {
    if (!text || !isProgram(path) || !lookalikes.test(text.text)) return;
    for (const { 0: name, index } of text.text.matchAll(word))
      if (lookalikes.test(name) && (latin.test(name) || isWide(name)) && !text.isInComment(index))
        yield { file: path, ...text.found(index), subject: name };
  },
};

/** Of letters for mathematics or of full width alone. */
const isWide = (name: string): boolean =>
  name.length > 3 && name.normalize("NFKC") !== name && latin.test(name.normalize("NFKC"));
