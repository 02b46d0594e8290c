import { type FormatCode, UnacceptablePackage } from "../unacceptable-package.ts";
import { isName } from "./name.ts";
import { isVersion } from "./version.ts";

/**
 * PKG-INFO or METADATA: headers in the style of e-mail, an empty line, then the description
 * (https://packaging.python.org/en/latest/specifications/core-metadata/). Names of headers know no case.
 */
export interface CoreMetadata {
  name: string;
  version: string;
  /** The first value of a header; `UNKNOWN`, which old tools wrote for nothing, is nothing. */
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
  const end = /\n[ \t]*\n/.exec(text);
  const headers = headersOf(end ? text.slice(0, end.index) : text);
  const body = end ? text.slice(end.index + end[0].length) : "";
  if (headers.size === 0) throw new UnacceptablePackage(["read.python.pkg.info.exception"]);

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

function headersOf(text: string): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const line of text.split("\n")) {
    const match = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*:(.*)$/.exec(line);
    if (/^[ \t]/.test(line) && current) current[current.length - 1] += `\n${line}`;
    else if (match) {
      const name = (match[1] ?? "").toLowerCase();
      current = headers.get(name) ?? [];
      current.push((match[2] ?? "").trim());
      headers.set(name, current);
    }
  }
  for (const [name, values] of headers)
    headers.set(
      name,
      values.map((value) => (name === "description" ? unindented(value) : value.replace(/\n[ \t]+/g, " ").trim())),
    );
  return headers;
}

/** Old metadata fold a description by eight blanks, or by blanks and a bar. */
const unindented = (value: string): string => value.replace(/\n( {7}\|| {8}|\t)/g, "\n").trim();

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("iso-8859-1").decode(bytes); // files older than the rule
  }
}

/** Every rule on name and version that is broken, in the order in which codes are reported. */
export function brokenRules({ name, version }: Pick<CoreMetadata, "name" | "version">): FormatCode[] {
  const codes: FormatCode[] = [];
  if (name === "") codes.push("empty.name");
  if (!isName(name)) codes.push("invalid.package.name");
  if (version === "") codes.push("empty.version");
  else if (!isVersion(version)) codes.push("invalid.version");
  return codes;
}

/** Unknown minor versions are read, an unknown major one means that the rules have changed. */
export function checkMetadataVersion(metadata: CoreMetadata): void {
  if (!/^[12](\.|$)/.test(metadata.first("Metadata-Version") ?? "1.0"))
    throw new UnacceptablePackage(["unsupported.metadata.version"]);
}
