/**
 * Quoting for commands and files that people copy. Names and addresses in them come from other people, and some predate
 * the rules for them: whatever they contain, the result must stay one word and run nothing.
 */

/** One word of a POSIX shell. */
export function shellWord(text: string): string {
  const clean = wellFormed(text);
  return /^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:@%+,=-]*$/.test(clean) ? clean : `'${clean.replaceAll("'", "'\\''")}'`;
}

/**
 * An R string. R knows every escape of JSON, but has no NUL. Invisible characters are escaped,
 * too: R refuses those that change the direction of writing.
 */
export const rString = (text: string): string =>
  JSON.stringify(wellFormed(text)).replace(/\p{C}/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
  });

/** A basic string of TOML. */
export const tomlString = (text: string): string => JSON.stringify(wellFormed(text)).replaceAll("\u007f", "\\u007f");

/** A value in files with lines `name = value`, which have no quotes. */
export const lineValue = (text: string): string => wellFormed(text).replace(/\p{Cc}/gu, " ");

/** A word of a `.netrc`. */
export const netrcWord = (text: string): string => {
  const clean = lineValue(text);
  return /^[^\s"'#\\]+$/.test(clean) ? clean : `"${clean.replace(/["\\]/g, "\\$&")}"`;
};

/** An address with every invalid character percent-encoded, such as blanks and braces. */
export const safeAddress = (address: string): string =>
  wellFormed(address).replace(/[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/gu, (character) => encodeURIComponent(character));

/** An address with placeholders for credentials, as pip and R expect; `credentials` are percent-encoded as needed. */
export const withCredentials = (address: string, credentials = "LOGIN:TOKEN"): string =>
  address.replace("://", () => `://${credentials}@`);

const wellFormed = (text: string): string => text.toWellFormed().replaceAll("\0", "");
