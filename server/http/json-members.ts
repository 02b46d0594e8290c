/** Objects, arrays and members that a request body may have; a thousand operations of a patch have 5,000. */
export const mostMembers = 10_000;

const [quote, backslash, colon, brace, bracket] = Buffer.from('"\\:{[');

/**
 * Whether JSON has more of them than a body may have: a megabyte of members occupies the main thread forty times as
 * long as a megabyte of text. Looks at each byte once, and counts nothing inside strings.
 */
export function hasTooManyMembers(json: Uint8Array): boolean {
  let count = 0;
  let inText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (inText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (byte === colon || byte === brace || byte === bracket) {
      count += 1;
      if (count > mostMembers) return true;
    }
  }
  return false;
}
