/** R's names of encodings, mapped to the web's; any other name must be one that the web knows, too. */
const labels: Readonly<Record<string, string>> = {
  latin1: "iso-8859-1",
  latin2: "iso-8859-2",
  latin9: "iso-8859-15",
  "latin-9": "iso-8859-15",
};

/**
 * The text of an Rd file, decoded by its `\encoding{…}`, else by the `Encoding` of DESCRIPTION
 * ("Writing R Extensions", 2.14), else as UTF-8. Invalid bytes or unknown encodings are read as latin1.
 */
export function decodeRd(bytes: Uint8Array, packageEncoding?: string): string {
  const ascii = new TextDecoder("iso-8859-1").decode(bytes);
  const declared = /^[ \t]*\\encoding\{[ \t]*([^\s{}]+)[ \t]*\}/m.exec(ascii)?.[1] ?? packageEncoding ?? "utf-8";
  const name = declared.toLowerCase().replace(/^iso[-_]?8859[-_]/, "iso-8859-");
  try {
    return new TextDecoder(Object.hasOwn(labels, name) ? labels[name] : name, { fatal: true }).decode(bytes);
  } catch {
    return ascii;
  }
}
