import { decodeCp437 } from "./cp437.ts";
import { safeZipSegments } from "./member-paths.ts";
import type { ReadingBudget } from "./reading-budget.ts";
import {
  ambiguous,
  damaged,
  elsewhere16,
  elsewhere32,
  extras,
  flagBits,
  longAt,
  shown,
  signatures,
  sizes,
  view,
} from "./zip-fields.ts";

/** A member's entry in the central directory. */
export interface Entry {
  filename: string;
  segments: readonly string[];
  isFolder: boolean;
  method: number;
  checksum: number;
  compressedSize: number;
  uncompressedSize: number;
  /** Permission bits; null if the directory has none. */
  mode: number | null;
  /** When it was last changed, by the clock of its author, in milliseconds since 1970; null if it does not say. */
  modified: number | null;
  /** Its name as it is written. */
  name: Uint8Array;
  flags: number;
  /** The offset of its local header. */
  offset: number;
}

/** Version 6.3 of the format, times ten: pip and others refuse members that require a later version. */
const latestVersion = 63;

/** The entries of a central directory that counts so many. */
export function entriesOf(directory: Uint8Array, count: number, budget: ReadingBudget): Entry[] {
  const entries: Entry[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const { entry, end } = entryAt(directory, at);
    budget.spend(entry.segments, entry.name.byteLength);
    entries.push(entry);
    at = end;
  }
  if (at !== directory.byteLength) throw ambiguous("the directory has the wrong number of members");
  return entries;
}

function entryAt(directory: Uint8Array, at: number): { entry: Entry; end: number } {
  if (at + sizes.central > directory.byteLength) throw damaged("the directory ends too early");
  const header = view(directory.subarray(at, at + sizes.central));
  if (header.getUint32(0, true) !== signatures.central) throw damaged("the directory contains something else");
  const nameEnd = at + sizes.central + header.getUint16(28, true);
  const extraEnd = nameEnd + header.getUint16(30, true);
  const end = extraEnd + header.getUint16(32, true); // after a comment
  if (end > directory.byteLength) throw damaged("the directory ends too early");
  const flags = header.getUint16(8, true);
  // A copy; otherwise each member would keep the whole directory in memory.
  const name = directory.slice(at + sizes.central, nameEnd);
  const filename = decodedName(name, flags);
  const extra = extraFields(directory.subarray(nameEnd, extraEnd), filename);
  checkUnicodePath(extra, filename);
  const [uncompressedSize, compressedSize, offset, disk] = largeFields(
    [header.getUint32(24, true), header.getUint32(20, true), header.getUint32(42, true)],
    header.getUint16(34, true),
    extra.get(extras.zip64),
    filename,
  );
  if (disk !== 0) throw ambiguous(`${shown(filename)} is in another part`);
  if (header.getUint8(6) > latestVersion) throw damaged(`${shown(filename)} requires an unknown reader`);
  const entry: Entry = {
    filename,
    segments: safeZipSegments(filename),
    isFolder: filename.endsWith("/"),
    method: header.getUint16(10, true),
    checksum: header.getUint32(16, true),
    compressedSize,
    uncompressedSize,
    mode: header.getUint32(38, true) >>> 16 === 0 ? null : (header.getUint32(38, true) >>> 16) & 0o7777,
    modified: timeOf(header.getUint16(14, true), header.getUint16(12, true)),
    name,
    flags,
    offset,
  };
  checkEntry(entry, header.getUint32(38, true));
  return { entry, end };
}

/** The date and time of MS-DOS: local time from 1980 on, in steps of two seconds. */
function timeOf(date: number, time: number): number | null {
  const [month, day] = [(date >> 5) & 15, date & 31];
  if (month === 0 || day === 0) return null;
  return Date.UTC(1980 + (date >> 9), month - 1, day, time >> 11, (time >> 5) & 63, (time & 31) * 2);
}

const fileTypes = { mask: 0o170000, none: 0, file: 0o100000, folder: 0o040000 } as const;
const folderOfDos = 0x10;

function checkEntry(entry: Entry, attributes: number): void {
  const { flags, method, isFolder, compressedSize, uncompressedSize } = entry;
  const name = shown(entry.filename);
  if (flags & flagBits.encrypted) throw damaged(`${name} is encrypted`);
  if (flags & flagBits.patched) throw damaged(`${name} is a patch`);
  if (method !== 0 && method !== 8) throw damaged(`${name} uses a compression method that not every reader supports`);
  if (method === 0 && compressedSize !== uncompressedSize) throw ambiguous(`${name} has two sizes`);
  // Readers evaluate the upper half regardless of the system that created the zip.
  const type = (attributes >>> 16) & fileTypes.mask;
  const isPlain = type === fileTypes.none || type === fileTypes.file || (type === fileTypes.folder && isFolder);
  if (!isPlain) throw ambiguous(`${name} is a link or something else that is not a file`);
  if (attributes & folderOfDos && !isFolder) throw ambiguous(`${name} is a folder without a slash`);
  if (isFolder && uncompressedSize > 0) throw ambiguous(`${name} is a folder, but has content`);
}

/** Extra fields by id; the last bytes may be padding. */
export function extraFields(bytes: Uint8Array, filename: string): Map<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>();
  const data = view(bytes);
  for (let at = 0; at + 4 <= bytes.byteLength; ) {
    const [id, length] = [data.getUint16(at, true), data.getUint16(at + 2, true)];
    if (at + 4 + length > bytes.byteLength) throw damaged(`${shown(filename)} has a broken extra field`);
    if (fields.has(id) && (id === extras.zip64 || id === extras.unicodePath))
      throw ambiguous(`${shown(filename)} has two extra fields of one kind`);
    fields.set(id, bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}

/** Some readers use the name in this field. */
export function checkUnicodePath(extra: ReadonlyMap<number, Uint8Array>, filename: string): void {
  const field = extra.get(extras.unicodePath);
  if (field && new TextDecoder().decode(field.subarray(5)) !== filename)
    throw ambiguous(`${shown(filename)} has another name in an extra field`);
}

/** Sizes and offset, from the ZIP64 field if they refer to it; it must contain these and nothing else. */
function largeFields(
  values: readonly [number, number, number],
  disk: number,
  field: Uint8Array | undefined,
  filename: string,
): [number, number, number, number] {
  const escaped = values.filter((value) => value === elsewhere32).length;
  const length = escaped * 8 + (disk === elsewhere16 ? 4 : 0);
  if ((field?.byteLength ?? 0) !== length) throw ambiguous(`${shown(filename)} has a ZIP64 field that does not fit`);
  if (!field) return [...values, disk];
  const data = view(field);
  let at = 0;
  const [uncompressed, compressed, offset] = values.map((value) => {
    if (value !== elsewhere32) return value;
    at += 8;
    return longAt(data, at - 8);
  });
  return [uncompressed ?? 0, compressed ?? 0, offset ?? 0, disk === elsewhere16 ? data.getUint32(at, true) : disk];
}

function decodedName(bytes: Uint8Array, flags: number): string {
  if (!(flags & flagBits.utf8)) return decodeCp437(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw damaged("a name is marked as UTF-8, but is not");
  }
}
