import { storable } from "./storable.ts";

/** The encoding that a file of Python declares in a comment, in one of its first two lines. */
export interface Coding {
  coding: string;
  line: number;
  excerpt: string;
}

/** Encodings in which a text of ASCII is what it looks like, without hyphens and underscores. */
const plain = new Set([
  ..."utf8 utf u8 utf8sig cp65001 ascii usascii 646 latin1 latin l1 8859 iso8859 koi8r koi8u koi8t macroman".split(" "),
  ..."eucjp euckr gb2312 euccn tis620 utf8mac utf8unix utf8dos binary".split(" "),
]);
const plainFamilies = ["iso8859", "latin", "cp125", "windows125", "cp437", "cp85", "cp86", "mac"];
/** In these, a character outside of ASCII may swallow a quote's escape. */
const swallowing = new Set(
  "gbk cp936 gb18030 big5 big5hkscs cp950 shiftjis sjis cp932 mskanji johab cp949 uhc".split(" "),
);

const longestLine = 2_000;

/** The encoding, if Python reads other code in the file than who looks at it: `unicode_escape`, `utf-7`. */
export function hidingCoding(text: string): Coding | undefined {
  let start = text.startsWith("\uFEFF") ? 1 : 0;
  for (let line = 1; line <= 2; line++) {
    const end = endOfLine(text, start);
    const written = text.slice(start, Math.min(end, start + longestLine));
    const content = written.trimStart();
    const coding = content.startsWith("#") ? codingIn(content) : undefined;
    if (coding !== undefined)
      return isPlain(coding, text) ? undefined : { coding: storable(coding, 40), line, excerpt: storable(content) };
    // Only after a comment or an empty line, the second one counts.
    if (content !== "" && !content.startsWith("#")) return undefined;
    start = text.startsWith("\r\n", end) ? end + 2 : end + 1;
  }
  return undefined;
}

function endOfLine(text: string, start: number): number {
  for (let at = start; at < text.length; at++) if (text[at] === "\n" || text[at] === "\r") return at;
  return text.length;
}

/** `coding: utf-8`, `coding=utf-8`: the first one in the line. */
function codingIn(comment: string): string | undefined {
  for (let at = comment.indexOf("coding"); at !== -1; at = comment.indexOf("coding", at + 1)) {
    const sign = at + "coding".length;
    if (comment[sign] !== ":" && comment[sign] !== "=") continue;
    let start = sign + 1;
    while (comment[start] === " " || comment[start] === "\t") start++;
    let end = start;
    while (/[-_.a-zA-Z0-9]/.test(comment[end] ?? "")) end++;
    if (end > start) return comment.slice(start, end);
  }
  return undefined;
}

function isPlain(coding: string, text: string): boolean {
  const name = coding.toLowerCase().replace(/[-_.]/g, "");
  if (plain.has(name) || plainFamilies.some((family) => name.startsWith(family))) return true;
  return swallowing.has(name) && !/[^\0-\x7f]/.test(text);
}
