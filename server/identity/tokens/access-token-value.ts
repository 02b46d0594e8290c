import { createHash, randomBytes } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const prefix = "pkh_";
const length = 32;

/** A new secret: about 190 bits, recognizable by its prefix in logs and scanners. */
export function generateTokenValue(): string {
  let value = "";
  while (value.length < length) {
    for (const byte of randomBytes(length)) {
      // Bytes past the last whole run of the alphabet would make its first letters likelier.
      if (byte < 248 && value.length < length) value += alphabet[byte % alphabet.length];
    }
  }
  return prefix + value;
}

export const looksLikeToken = (text: string): boolean => text.startsWith(prefix);

/** The hash that is stored and looked up. A fast hash is enough, because the value is long and random. */
export const hashOfToken = (value: string): string => createHash("sha256").update(value).digest("hex");
