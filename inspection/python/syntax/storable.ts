/** The beginning of a text as JSON and a database can have it: no zero bytes, no half characters. */
export const storable = (text: string, most = 200): string =>
  text.slice(0, most).toWellFormed().replaceAll("\0", "\u{fffd}");
