import { createHash, randomBytes } from "node:crypto";

/** Crockford's base 32: no letter that looks like a digit. 32 letters, so every byte's rest is equally likely. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeLength = 16;
export const codesPerUser = 10;

/** Ten codes of 80 bits, such as `7K2M-…`. */
export const newRecoveryCodes = (): string[] => Array.from({ length: codesPerUser }, newCode);

function newCode(): string {
  const letters = Array.from(randomBytes(codeLength), (byte) => alphabet[byte % alphabet.length]).join("");
  return letters.replace(/(.{4})(?!$)/g, "$1-");
}

/**
 * The hash that is stored and looked up, in any spelling. A fast hash is enough, because the codes are long and random.
 */
export function hashOfRecoveryCode(code: string): string {
  const letters = code.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  return createHash("sha256").update(letters).digest("hex");
}
