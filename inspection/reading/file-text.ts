import type { FileKind } from "@packhouse/contract/review/inspection";
import { isReadAsText } from "../rules/places.ts";
import { type DecodedText, decodeCode, decodeText } from "./decode-text.ts";
import { kindOfBytes } from "./file-kind.ts";

export interface FileText {
  /** What the first bytes show; undefined for what may be a text. */
  known: FileKind | undefined;
  /** Null for what is no text. */
  decoded: DecodedText | null;
  /** It is read as code, although some of its bytes have no place in a text. */
  isDamaged: boolean;
}

/**
 * The text of a file, of which `bytes` may be the beginning. Files that programs run are texts whatever they contain: a
 * shell and R pass over bytes that no editor shows.
 */
export function fileText(path: string, bytes: Uint8Array, isWhole = true): FileText {
  const known = kindOfBytes(bytes);
  const decoded = known === undefined ? decodeText(bytes, isWhole) : null;
  const isCode = isReadAsText(path) || (bytes[0] === 0x23 && bytes[1] === 0x21);
  if (!isCode || known === "empty" || (decoded && !decoded.encoding.startsWith("utf-16")))
    return { known, decoded, isDamaged: false };
  return { known, decoded: decodeCode(bytes), isDamaged: decoded === null || !isMostlyAscii(decoded.text) };
}

/** Texts in UTF-16 that are no texts consist of characters that are far apart. */
function isMostlyAscii(text: string): boolean {
  let ascii = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) < 128) ascii += 1;
  return ascii > (text.length * 3) / 4;
}
