import { entropyOfText } from "./entropy.ts";
import type { ExaminedText, FileRule } from "./file-rule.ts";
import { isNative, isOfTests, isProgram } from "./places.ts";

/** Long texts of base64, of hexadecimal digits or of escapes in code. */
export const encodedTextRule: FileRule = {
  id: "encoded-text",
  *examine({ path, text }) {
    if (!text || !isProgram(path)) return;
    // Nothing runs the texts of code that is compiled.
    const level = isOfTests(path) || isNative(path) ? ({ level: "notice" } as const) : {};
    for (const { subject, at } of [...longRuns(text.text), ...escapes(text.text), ...encodedLines(text)])
      yield { subject, file: path, ...text.found(at), ...(isImage(text.text, at) ? { level: "notice" } : level) };
  },
};

/** How encoded pictures begin: PNG, GIF, JPEG, WebP. */
const images = ["iVBORw0KGgo", "R0lGODdh", "R0lGODlh", "/9j/4", "UklGR"];
const isImage = (text: string, at: number): boolean => images.some((start) => text.startsWith(start, at));

interface Found {
  subject: "base64" | "hex" | "escapes";
  at: number;
}

const base64 = setOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-");
const hex = setOf("0123456789abcdefABCDEF");

function setOf(characters: string): Uint8Array {
  const set = new Uint8Array(128);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
}

const longestHarmless = { base64: 240, hex: 300 } as const;

function* longRuns(text: string): Generator<Found> {
  for (let start = 0; start + longestHarmless.base64 < text.length; ) {
    // Whether a run is long shows at its end: most of the text is never looked at.
    let at = start + longestHarmless.base64;
    while (at >= start && base64[text.charCodeAt(at)] === 1) at -= 1;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    at = start + longestHarmless.base64 + 1;
    while (base64[text.charCodeAt(at)] === 1) at += 1;
    const run = text.slice(start, at);
    const isHex = [...run.slice(0, 1000)].every((character) => hex[character.charCodeAt(0)] === 1);
    if (isHex && run.length > longestHarmless.hex && entropyOfText(run) > 3) yield { subject: "hex", at: start };
    else if (!isHex && isMixed(run) && !isPicture(text, start)) yield { subject: "base64", at: start };
    start = at + 1;
  }
}

/** As bytes look that were encoded: letters of both cases, digits, and no words. */
const isMixed = (run: string): boolean =>
  /[a-z]/.test(run) && /[A-Z]/.test(run) && /[0-9]/.test(run) && entropyOfText(run) > 4.6;

/** Pictures and fonts in addresses of the form `data:image/png;base64,…`. */
function isPicture(text: string, start: number): boolean {
  const before = text.slice(Math.max(start - 80, 0), start);
  const type = before.slice(before.lastIndexOf("data:") + "data:".length);
  return before.includes("data:") && /^(?:image|font|application\/(?:x-)?font)/.test(type) && !/["'\s]/.test(type);
}

/** More escapes in one text than a name in another script has. */
const mostEscapes = 64;

function* escapes(text: string): Generator<Found> {
  let count = 0;
  let start = 0;
  let end = -1;
  for (let at = text.indexOf("\\x"); at !== -1; at = text.indexOf("\\x", at + 2)) {
    if (at !== end) [count, start] = [0, at];
    count += 1;
    end = at + 4;
    if (count === mostEscapes) yield { subject: "escapes", at: start };
  }
}

/** Lines in a row that consist of nothing else. */
const fewestLines = 6;
const shortestLine = 40;
const aroundTexts = setOf("\"' \t\r,+\\()bru");

function* encodedLines(text: ExaminedText): Generator<Found> {
  let first = 0;
  let joined = "";
  let lines = 0;
  let isCertificate = false;
  for (const { start, line } of text.lines()) {
    const content = line.length < 250 && line.length >= shortestLine ? inner(line) : "";
    if (content.length >= shortestLine && isOf(content, base64)) {
      if (lines === 0) first = start;
      lines += 1;
      if (joined.length < 10_000) joined += content;
      if (lines === fewestLines && isMixed(joined) && !isCertificate) yield { subject: "base64", at: first };
      continue;
    }
    [lines, joined] = [0, ""];
    isCertificate = line.includes("-----BEGIN ");
  }
}

/** A line without quotes and what joins texts. */
function inner(line: string): string {
  let [start, end] = [0, line.length];
  while (start < end && aroundTexts[line.charCodeAt(start)] === 1) start += 1;
  while (end > start && aroundTexts[line.charCodeAt(end - 1)] === 1) end -= 1;
  return line.slice(start, end);
}

function isOf(text: string, set: Uint8Array): boolean {
  for (let at = 0; at < text.length; at += 1) if (set[text.charCodeAt(at)] !== 1) return false;
  return true;
}
