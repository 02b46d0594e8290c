import { zipParts } from "../archive/zip.ts";
import type { ZipMember } from "../archive/zip-structure.ts";
import type { ByteSource } from "../byte-source.ts";
import { newDigest } from "./digest.ts";

/** A line of RECORD. */
interface RecordedFile {
  path: string;
  /** `sha256=` and base64url without padding; empty for RECORD itself. */
  hash: string;
  size: string;
}

/** The files of one wheel's RECORD. */
export interface WheelRecord {
  files: ReadonlyMap<string, RecordedFile>;
  /** `RECORD` and its signatures, which cannot hold their own hashes. */
  isExempt(path: string): boolean;
}

/** Old tools put the build number into the name of the folder, but only in RECORD. */
export interface MetadataFolder {
  name: string;
  build: string | null;
}

/**
 * Reads RECORD (binary distribution format, "The .dist-info directory"). Returns a text if it does not list exactly the
 * files in the wheel.
 */
export function readRecord(
  bytes: Uint8Array,
  members: readonly ZipMember[],
  folder: MetadataFolder,
): WheelRecord | string {
  const oldName =
    folder.build === null ? undefined : `${folder.name.replace(/\.dist-info$/, "")}-${folder.build}.dist-info`;
  const ownPath = (path: string) =>
    oldName !== undefined && path.startsWith(`${oldName}/`) ? folder.name + path.slice(oldName.length) : path;
  const exempt = new Set(["RECORD", "RECORD.jws", "RECORD.p7s"].map((name) => `${folder.name}/${name}`));
  const files = new Map<string, RecordedFile>();
  for (const [written = "", hash = "", size = ""] of rowsOf(new TextDecoder().decode(bytes))) {
    const path = ownPath(written);
    const known = files.get(path);
    if (known && (known.hash !== hash || known.size !== size)) return `RECORD lists ${shown(path)} twice`;
    files.set(path, { path, hash, size });
  }
  const isExempt = (path: string) => exempt.has(path);
  const held = new Set(members.filter(({ isFolder }) => !isFolder).map(({ filename }) => filename));
  for (const path of held) if (!files.has(path) && !isExempt(path)) return `RECORD does not list ${shown(path)}`;
  for (const path of files.keys())
    if (!held.has(path) && !isExempt(path)) return `RECORD lists ${shown(path)}, which is not there`;
  return { files, isExempt };
}

/** Compares every file with its line in RECORD; returns a text for the first that differs. */
export async function mismatch(
  source: ByteSource,
  members: readonly ZipMember[],
  record: WheelRecord,
): Promise<string | undefined> {
  for (const member of members) {
    const { filename, isFolder, uncompressedSize } = member;
    const recorded = record.files.get(filename);
    if (isFolder || record.isExempt(filename) || !recorded) continue;
    if (recorded.size !== "" && recorded.size !== String(uncompressedSize))
      return `RECORD has a different size for ${shown(filename)}`;
    const [name = "", digest = ""] = splitOnce(recorded.hash, "=");
    const hash = newDigest(name);
    if (!hash) return `RECORD has no SHA-256 for ${shown(filename)}`;
    for await (const part of zipParts(source, member)) hash.update(part);
    if (base64url(hash.digest()) !== digest.replaceAll("=", ""))
      return `RECORD has a different hash for ${shown(filename)}`;
  }
  return undefined;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** CSV as Python writes it: a field is quoted if it contains a comma, a quote or a line break. */
function rowsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const bare = /[^,\r\n]*/y;
  for (let at = 0; at < text.length; ) {
    let field = "";
    // Within quotes, a doubled quote is one quote.
    while (text[at] === '"') {
      const end = text.indexOf('"', at + 1);
      field += (field === "" ? "" : '"') + text.slice(at + 1, end === -1 ? text.length : end);
      at = end === -1 ? text.length : end + 1;
    }
    bare.lastIndex = at;
    const rest = bare.exec(text)?.[0] ?? "";
    at += rest.length;
    row.push(field + rest);
    if (text[at] === ",") {
      at += 1;
      if (at === text.length) row.push("");
      continue;
    }
    rows.push(row);
    row = [];
    while (text[at] === "\r" || text[at] === "\n") at += 1;
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

const shown = (path: string): string => JSON.stringify(path.slice(0, 200));
