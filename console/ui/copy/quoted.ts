/**
 * Quoting for commands and files that people copy. Names and addresses in them are other people's, and some were stored
 * before there were rules for them: whatever they contain, it must stay one word and run nothing.
 */

/** One word of a POSIX shell. */
export function shellWord(text: string): string {
  const clean = wellFormed(text);
  return /^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:@%+,=-]*$/.test(clean) ? clean : `'${clean.replaceAll("'", "'\\''")}'`;
}

/**
 * A string of R, which knows every escape that JSON has; there is no NUL in R. Characters without a shape are escaped,
 * too: R refuses those that turn the direction of writing.
 */
export const rString = (text: string): string =>
  JSON.stringify(wellFormed(text)).replace(/\p{C}/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
  });

/** A basic string of TOML. */
export const tomlString = (text: string): string => JSON.stringify(wellFormed(text)).replaceAll("\u007f", "\\u007f");

/** A value in files of lines `name = value`, which have no quotes. */
export const lineValue = (text: string): string => wellFormed(text).replace(/\p{Cc}/gu, " ");

/** A word of a `.netrc`. */
export const netrcWord = (text: string): string => {
  const clean = lineValue(text);
  return /^[^\s"'#\\]+$/.test(clean) ? clean : `"${clean.replace(/["\\]/g, "\\$&")}"`;
};

/** An address with everything percent-encoded that may not stand in one, such as blanks and braces. */
export const safeAddress = (address: string): string =>
  wellFormed(address).replace(/[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/gu, (character) => encodeURIComponent(character));

/** An address with a place for credentials, as pip and R take them; `credentials` are percent-encoded where they have to be. */
export const withCredentials = (address: string, credentials = "LOGIN:TOKEN"): string =>
  address.replace("://", () => `://${credentials}@`);

const wellFormed = (text: string): string => text.toWellFormed().replaceAll("\0", "");
