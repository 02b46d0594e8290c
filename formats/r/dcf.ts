import { checkCount, checkFieldName } from "../metadata-limits.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";

/** The fields of DESCRIPTION by name. Values keep their line breaks; a line with only a dot becomes an empty line. */
export type Description = ReadonlyMap<string, string>;

/**
 * Reads DESCRIPTION as R does (`read.dcf`; Debian control files): one record, the last of repeated fields wins,
 * continuation lines start with a blank or tab.
 */
export function readDescription(bytes: Uint8Array): Description {
  const lines = decode(bytes).split(/\r\n|\r|\n/);
  const fields = new Map<string, string[]>();
  let current: string[] | undefined;
  let ended = false;

  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") {
      if (fields.size > 0) ended = true;
      continue;
    }
    if (ended) throw unreadable(index, "begins a second record");
    // No text in a database, index or page can contain one.
    if (line.includes("\0")) throw unreadable(index, "has a zero byte");
    if (/^[ \t]/.test(line)) {
      if (!current) throw unreadable(index, "does not continue a field");
      current.push(line.trim() === "." ? "" : line.trim());
      continue;
    }
    const colon = line.indexOf(":");
    if (colon < 1 || line.startsWith("#")) throw unreadable(index, "is not a field");
    const name = line.slice(0, colon).trimEnd();
    checkFieldName(name);
    current = [line.slice(colon + 1).trim()];
    fields.set(name, current);
    checkCount("fields", fields.size);
  }
  return new Map([...fields].map(([name, values]) => [name, values.join("\n").trim()]));
}

const unreadable = (index: number, why: string): UnacceptablePackage =>
  new UnacceptablePackage(["read.r.package.description.exception"], `line ${index + 1} ${why}`);

/**
 * Decodes by the `Encoding` field; without one as UTF-8 if valid, else latin1. As in R, a byte order mark hides the
 * first field.
 */
function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) throw unreadable(0, "begins with a byte order mark");
  const declared = /^Encoding[ \t]*:[ \t]*(\S+)/m.exec(new TextDecoder("latin1").decode(bytes))?.[1]?.toLowerCase();
  if (declared === "latin1") return new TextDecoder("iso-8859-1").decode(bytes);
  if (declared === "latin2") return new TextDecoder("iso-8859-2").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("iso-8859-1").decode(bytes);
  }
}
