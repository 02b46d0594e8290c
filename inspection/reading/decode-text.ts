/** A decoded text; null for bytes that are no text. */
export interface DecodedText {
  text: string;
  encoding: "ascii" | "utf-8" | "utf-16le" | "utf-16be" | "latin1";
}

/**
 * Decodes by its byte order mark, as UTF-8 if that is valid, or else as latin1 if it looks like a text. The beginning of
 * a text may end within a character.
 */
export function decodeText(bytes: Uint8Array, isWhole = true): DecodedText | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return utf16(bytes, "utf-16le");
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16(bytes, "utf-16be");
  if (bytes.includes(0)) return null;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !isWhole });
    if (hasManyControls(bytes)) return null;
    return { text, encoding: text.length === bytes.byteLength ? "ascii" : "utf-8" };
  } catch {
    return hasManyControls(bytes) || isMostlyHigh(bytes)
      ? null
      : { text: new TextDecoder("latin1").decode(bytes), encoding: "latin1" };
  }
}

/** As what reads code does: it skips zero bytes, and takes bytes that are not UTF-8 as they are. */
export function decodeCode(bytes: Uint8Array): DecodedText {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const content = (isUtf16 ? bytes.subarray(2) : bytes).filter((byte) => byte !== 0);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(content), encoding: "utf-8" };
  } catch {
    return { text: new TextDecoder("latin1").decode(content), encoding: "latin1" };
  }
}

function utf16(bytes: Uint8Array, encoding: "utf-16le" | "utf-16be"): DecodedText | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : { text, encoding };
  } catch {
    return null;
  }
}

/** By byte, the control characters other than tab, line breaks, form feed and escape. */
const isControl = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27),
);

function hasManyControls(bytes: Uint8Array): boolean {
  const looked = bytes.subarray(0, 65_536);
  let controls = 0;
  for (let at = 0; at < looked.byteLength; at += 1) if (isControl[looked[at] ?? 0] === 1) controls += 1;
  return controls > looked.byteLength / 100;
}

function isMostlyHigh(bytes: Uint8Array): boolean {
  const looked = bytes.subarray(0, 65_536);
  let high = 0;
  for (const byte of looked) if (byte >= 128) high += 1;
  return high > (looked.byteLength * 2) / 5;
}

/** Lines as editors count them: one that is not ended counts, too. */
export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return text === "" || text.endsWith("\n") ? lines : lines + 1;
}
