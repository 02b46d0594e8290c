import { checkCount, checkFieldName, metadataLimits } from "../metadata-limits.ts";
import { type FormatCode, UnacceptablePackage } from "../unacceptable-package.ts";
import { isName, normalizeName } from "./name.ts";
import { isVersion, versionKey } from "./version.ts";

/**
 * PKG-INFO or METADATA: email-style headers, an empty line, then the description
 * (https://packaging.python.org/en/latest/specifications/core-metadata/). Header names are case-insensitive.
 */
export interface CoreMetadata {
  name: string;
  version: string;
  /** The first value of a header; `UNKNOWN`, which old tools wrote for a missing value, counts as missing. */
  first(header: string): string | null;
  /** All values of a header, joined by `, `. */
  all(header: string): string | null;
  values(header: string): string[];
  body: string | null;
}

export function readCoreMetadata(bytes: Uint8Array): CoreMetadata {
  const text = decode(bytes)
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", "\n")
    .replace(/^\uFEFF/, "");
  const { headers, body } = split(text);
  // No text in a database, index or page can contain a zero byte.
  if (headers.size === 0 || text.includes("\0")) throw new UnacceptablePackage(["read.python.pkg.info.exception"]);

  const values = (header: string) =>
    (headers.get(header.toLowerCase()) ?? []).filter((value) => value !== "" && value !== "UNKNOWN");
  const first = (header: string) => values(header)[0] ?? null;
  return {
    name: first("Name") ?? "",
    version: first("Version") ?? "",
    first,
    all: (header) => (values(header).length === 0 ? null : values(header).join(", ")),
    values,
    body: body.trim() === "" || body.trim() === "UNKNOWN" ? null : body.trimEnd(),
  };
}

/**
 * Splits headers like Python's own email parser: a blank line with spaces continues a header (old descriptions are
 * folded this way), and the first line that is neither header nor continuation ends them.
 */
function split(text: string): { headers: Map<string, string[]>; body: string } {
  const headers = new Map<string, string[]>();
  let current: string[] | undefined;
  let start = 0;
  let count = 0;
  while (start < text.length) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end);
    const colon = /^[ \t]/.test(line) ? -1 : line.indexOf(":");
    if (current && /^[ \t]/.test(line)) current.push(`${current.pop()}\n${line}`);
    else if (colon > 0 && isHeaderName(line.slice(0, colon))) {
      const name = line.slice(0, colon).toLowerCase();
      checkFieldName(name);
      current = headers.get(name) ?? [];
      current.push(line.slice(colon + 1).trim());
      headers.set(name, current);
      count += 1;
      checkCount("fields", headers.size);
      checkCount("fields", count, metadataLimits.headers);
    } else {
      start = line === "" ? end + 1 : start;
      break;
    }
    start = end + 1;
  }
  for (const [name, values] of headers)
    headers.set(
      name,
      values.map((value) => (name === "description" ? unindented(value) : value.replace(/\n[ \t]+/g, " ").trim())),
    );
  return { headers, body: text.slice(start) };
}

/** RFC 5322, 2.2: printable ASCII. */
const isHeaderName = (name: string): boolean => /^[!-9;-~]+$/.test(name);

/** Old metadata folds a description with eight spaces, or with spaces and a bar. */
const unindented = (value: string): string => value.replace(/\n( {7}\|| {8}|\t)/g, "\n").trim();

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("iso-8859-1").decode(bytes); // files older than the UTF-8 rule
  }
}

/** Every broken rule on name and version, in the order in which codes are reported. */
export function brokenRules({ name, version }: Pick<CoreMetadata, "name" | "version">): FormatCode[] {
  const codes: FormatCode[] = [];
  if (name === "") codes.push("empty.name");
  if (!isName(name)) codes.push("invalid.package.name");
  if (version === "") codes.push("empty.version");
  else if (!isVersion(version)) codes.push("invalid.version");
  return codes;
}

/**
 * Refuses metadata that breaks rules, or whose project or version differs from the file name: pip takes both from the
 * file name, and stops if the metadata differs.
 */
export function checkFields(
  metadata: CoreMetadata,
  named: readonly { name: string; version: string }[],
  faultOfTheFile?: string,
): void {
  const codes = brokenRules(metadata);
  const kind = codes.length > 0 ? "rules" : "unreadable";
  const normalizedName = normalizeName(metadata.name);
  const key = versionKey(metadata.version);
  if (metadata.name !== "" && named.some(({ name }) => normalizeName(name) !== normalizedName))
    codes.push("name.mismatch");
  if (metadata.version !== "" && named.some(({ version }) => versionKey(version) !== key))
    codes.push("version.mismatch");
  if (faultOfTheFile !== undefined) codes.push("invalid.metadata");
  const detail = faultOfTheFile ?? `metadata of ${metadata.name} ${metadata.version}`;
  if (codes.length > 0) throw new UnacceptablePackage(codes, detail, kind);
}

/** Unknown minor versions are read; an unknown major version means that the rules have changed. */
export function checkMetadataVersion(metadata: CoreMetadata): void {
  if (!/^[12](\.|$)/.test(metadata.first("Metadata-Version") ?? "1.0"))
    throw new UnacceptablePackage(["unsupported.metadata.version"]);
}
