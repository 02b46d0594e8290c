const longestMailAddress = 254; // RFC 5321, 4.5.3.1

/** Characters that separate, quote or comment in the syntax of headers and envelopes. */
const special = /[\s\p{C}@<>()[\]\\,;:"]/u;

/** Whether mail can be sent to a text: one plain address, which cannot be read as several or as anything more. */
export function isMailAddress(text: string): boolean {
  const [name = "", host = "", ...more] = text.split("@");
  if (more.length > 0 || name === "" || host === "" || text.length > longestMailAddress) return false;
  return !special.test(name) && !special.test(host) && !/^\.|\.$|\.\./.test(host);
}
