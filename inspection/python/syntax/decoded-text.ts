/** What the decoders of the standard library make of a text, those that need no unpacking. */
export function decodedText(decoder: string, text: string, codec: string): string | undefined {
  const name = decoder.slice(decoder.lastIndexOf(".") + 1);
  const format = name === "decode" || name === "encode" ? codec.toLowerCase().replaceAll(/[-_]/g, "") : name;
  if (format === "b64decode" || format === "standardb64decode" || format === "a2bbase64" || format === "base64")
    return fromBase64(text);
  if (format === "urlsafeb64decode") return fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  if (format === "fromhex" || format === "unhexlify" || format === "a2bhex" || format === "hex") return fromHex(text);
  if (format === "rot13") return rotated(text);
  return undefined;
}

function fromBase64(text: string): string | undefined {
  try {
    return atob(text);
  } catch {
    return undefined;
  }
}

function fromHex(text: string): string {
  const digits = text.replaceAll(" ", "");
  const codes: number[] = [];
  for (let at = 0; at + 1 < digits.length; at += 2) codes.push(Number.parseInt(digits.slice(at, at + 2), 16) || 0);
  return ofCodes(codes);
}

const rotated = (text: string): string =>
  text.replace(/[a-zA-Z]/g, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });

/** The text of character codes, without what is none. */
export const ofCodes = (codes: readonly (string | number)[]): string =>
  codes
    .map((code) => (typeof code === "number" && code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ""))
    .join("");
