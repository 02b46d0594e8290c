import { longestAddress } from "./limits.ts";

/**
 * Addresses end up in commands that people copy into a shell, in configuration files and in links. So only characters
 * without a special meaning there are accepted; anything else an address needs can be percent-encoded.
 */
const harmless = /^https?:\/\/[A-Za-z0-9\-._~:/?#[\]@+,=%]+$/i;
const brokenEscape = /%(?![0-9A-Fa-f]{2})/;
const controlEscape = /%[01][0-9A-Fa-f]|%7[Ff]/;

/** Whether a text is an address (`http` or `https`, with a host, without credentials) that a repository may have. */
export function isUsableAddress(text: string): boolean {
  if (text.length > longestAddress || !harmless.test(text) || !URL.canParse(text)) return false;
  if (brokenEscape.test(text) || controlEscape.test(text)) return false;
  const { hostname, username, password } = new URL(text);
  return hostname !== "" && username === "" && password === "";
}
