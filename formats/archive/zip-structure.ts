import type { ByteSource } from "../byte-source.ts";
import type { ReadLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { decodeCp437 } from "./cp437.ts";
import { isBelowFile, safeZipSegments } from "./member-paths.ts";
import { ReadingBudget } from "./reading-budget.ts";

/** A member of a zip that all headers agree on. */
export interface ZipMember {
  filename: string;
  segments: readonly string[];
  isFolder: boolean;
  method: number;
  checksum: number;
  compressedSize: number;
  uncompressedSize: number;
  /** The offset of its bytes. */
  dataOffset: number;
}

/** A member's entry in the central directory. */
interface Entry extends Omit<ZipMember, "dataOffset"> {
  name: Uint8Array;
  flags: number;
  /** The offset of its local header. */
  offset: number;
}

const signatures = {
  local: 0x0403_4b50,
  central: 0x0201_4b50,
  end: 0x0605_4b50,
  end64: 0x0606_4b50,
  locator64: 0x0706_4b50,
  descriptor: 0x0807_4b50,
} as const;
const sizes = { local: 30, central: 46, end: 22, end64: 56, locator64: 20, longestComment: 0xffff } as const;
const extras = { zip64: 0x0001, unicodePath: 0x7075 } as const;
const flagBits = { encrypted: 0x0001 | 0x0040 | 0x2000, described: 0x0008, patched: 0x0020, utf8: 0x0800 } as const;

/** The value of a field that refers to the ZIP64 records. */
const elsewhere16 = 0xffff;
const elsewhere32 = 0xffff_ffff;
/** Version 6.3 of the format, times ten: pip and others refuse members that require a later version. */
const latestVersion = 63;
const longestDirectory = 32 * 1024 * 1024;
/** Below this size, a ratio means nothing. */
const ratioMattersFrom = 64 * 1024 * 1024;

/**
 * The members of a zip, in the order of its directory. Refuses zips in which readers may find different members:
 * those that use the central directory and those that read local headers from front to back must see the same, and so
 * must those that support ZIP64 and those that do not. The members follow each other from the first byte, then come the
 * directory and its end, and nothing after it.
 * APPNOTE.TXT, 4.3; https://blog.pypi.org/posts/2025-08-07-wheel-archive-confusion-attacks/
 */
export async function zipDirectory(source: ByteSource, limits: ReadLimits): Promise<ZipMember[]> {
  const end = await directoryEnd(source);
  if (end.count > limits.maxMembers) throw tooLarge(`there are more than ${limits.maxMembers} files`);
  if (end.size > longestDirectory) throw tooLarge("the directory");
  const budget = new ReadingBudget(limits);
  const entries = entriesOf(await exactly(source, end.offset, end.size), end.count, budget);
  if (entries.length === 0) throw new UnacceptablePackage(["empty.archive"]);
  checkNames(entries);
  const unpacked = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  const tooDense = unpacked > ratioMattersFrom && unpacked > limits.maxRatio * source.size;
  if (unpacked > limits.maxUnpackedBytes || tooDense) throw tooLarge("the members together");
  const places = await dataOffsets(source, entries, end.offset, budget);
  return entries.map((entry, index) => ({
    filename: entry.filename,
    segments: entry.segments,
    isFolder: entry.isFolder,
    method: entry.method,
    checksum: entry.checksum,
    compressedSize: entry.compressedSize,
    uncompressedSize: entry.uncompressedSize,
    dataOffset: places[index] ?? 0,
  }));
}

interface DirectoryEnd {
  count: number;
  size: number;
  offset: number;
}

/** The end of the central directory, which must be the end of the file: no comment, nothing after it. */
async function directoryEnd(source: ByteSource): Promise<DirectoryEnd> {
  const at = source.size - sizes.end;
  if (at < 0) throw damaged("it is not a zip");
  const bytes = view(await exactly(source, at, sizes.end));
  if (bytes.getUint32(0, true) !== signatures.end || bytes.getUint16(20, true) !== 0) throw await withoutEnd(source);
  const stated = {
    disks: bytes.getUint16(4, true) + bytes.getUint16(6, true),
    countOfDisk: bytes.getUint16(8, true),
    count: bytes.getUint16(10, true),
    size: bytes.getUint32(12, true),
    offset: bytes.getUint32(16, true),
  };
  const large = await directoryEnd64(source, at - sizes.locator64);
  if (!large && stated.disks !== 0) throw ambiguous("it is one part of several");
  if (stated.countOfDisk !== stated.count) throw ambiguous("its end counts the members in two ways");
  const agrees = (value: number, largeValue: number, elsewhere: number) => value === largeValue || value === elsewhere;
  if (
    large &&
    !(
      agrees(stated.count, large.count, elsewhere16) &&
      agrees(stated.size, large.size, elsewhere32) &&
      agrees(stated.offset, large.offset, elsewhere32)
    )
  )
    throw ambiguous("its two end records differ");
  const { count, size, offset, start } = large ?? { ...stated, start: at };
  if (offset + size !== start) throw ambiguous("the directory is not where the end record says");
  return { count, size, offset };
}

async function withoutEnd(source: ByteSource): Promise<UnacceptablePackage> {
  const length = Math.min(source.size, sizes.end + sizes.longestComment);
  const bytes = view(await exactly(source, source.size - length, length));
  for (let at = length - sizes.end; at >= 0; at -= 1)
    if (bytes.getUint32(at, true) === signatures.end) return ambiguous("something follows the directory");
  return damaged("it is not a zip");
}

/** The ZIP64 end record and its offset; undefined if there is none. */
async function directoryEnd64(
  source: ByteSource,
  locatorAt: number,
): Promise<(DirectoryEnd & { start: number }) | undefined> {
  if (locatorAt < 0) return undefined;
  const locator = view(await exactly(source, locatorAt, sizes.locator64));
  if (locator.getUint32(0, true) !== signatures.locator64) return undefined;
  const start = locatorAt - sizes.end64;
  if (start < 0 || long(locator, 8) !== start || locator.getUint32(4, true) !== 0 || locator.getUint32(16, true) > 1)
    throw ambiguous("its ZIP64 end is somewhere else");
  const end = view(await exactly(source, start, sizes.end64));
  if (end.getUint32(0, true) !== signatures.end64 || long(end, 4) !== sizes.end64 - 12)
    throw ambiguous("its ZIP64 end record differs from what it claims");
  if (end.getUint32(16, true) !== 0 || end.getUint32(20, true) !== 0) throw ambiguous("it is one part of several");
  if (long(end, 24) !== long(end, 32)) throw ambiguous("its end counts the members in two ways");
  return { count: long(end, 32), size: long(end, 40), offset: long(end, 48), start };
}

function entriesOf(directory: Uint8Array, count: number, budget: ReadingBudget): Entry[] {
  const entries: Entry[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const { entry, end } = entryAt(directory, at);
    budget.spend(entry.segments, entry.name.byteLength);
    entries.push(entry);
    at = end;
  }
  if (at !== directory.byteLength) throw ambiguous("the directory has a wrong count of members");
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
  if (disk !== 0) throw ambiguous(`${shown(filename)} lies in another part`);
  if (header.getUint8(6) > latestVersion) throw damaged(`${shown(filename)} requires an unknown reader`);
  const entry: Entry = {
    filename,
    segments: safeZipSegments(filename),
    isFolder: filename.endsWith("/"),
    method: header.getUint16(10, true),
    checksum: header.getUint32(16, true),
    compressedSize,
    uncompressedSize,
    name,
    flags,
    offset,
  };
  checkEntry(entry, header.getUint32(38, true));
  return { entry, end };
}

const fileTypes = { mask: 0o170000, none: 0, file: 0o100000, folder: 0o040000 } as const;
const folderOfDos = 0x10;

function checkEntry(entry: Entry, attributes: number): void {
  const { flags, method, isFolder, compressedSize, uncompressedSize } = entry;
  const name = shown(entry.filename);
  if (flags & flagBits.encrypted) throw damaged(`${name} is encrypted`);
  if (flags & flagBits.patched) throw damaged(`${name} is a patch`);
  if (method !== 0 && method !== 8) throw damaged(`${name} is compressed in a way that not every reader knows`);
  if (method === 0 && compressedSize !== uncompressedSize) throw ambiguous(`${name} has two sizes`);
  // Readers evaluate the upper half regardless of the system that created the zip.
  const type = (attributes >>> 16) & fileTypes.mask;
  const isPlain = type === fileTypes.none || type === fileTypes.file || (type === fileTypes.folder && isFolder);
  if (!isPlain) throw ambiguous(`${name} is a link or something else that is not a file`);
  if (attributes & folderOfDos && !isFolder) throw ambiguous(`${name} is a folder without a slash`);
  if (isFolder && uncompressedSize > 0) throw ambiguous(`${name} is a folder with content`);
}

/** Extra fields by id; the last bytes may be padding. */
function extraFields(bytes: Uint8Array, filename: string): Map<number, Uint8Array> {
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
function checkUnicodePath(extra: ReadonlyMap<number, Uint8Array>, filename: string): void {
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
    return long(data, at - 8);
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

/** Readers disagree on which of two members with the same name counts; and no file can be a folder as well. */
function checkNames(entries: readonly Entry[]): void {
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const { segments, isFolder } of entries) {
    const path = segments.join("/");
    if (files.has(path) || folders.has(path)) throw ambiguous(`two members have the name ${shown(path)}`);
    (isFolder ? folders : files).add(path);
  }
  for (const { segments } of entries)
    if (isBelowFile(segments, files)) throw ambiguous(`${shown(segments.join("/"))} lies below a file`);
}

/** Walks the file like readers that ignore the directory; returns the offset of each member's bytes. */
async function dataOffsets(
  source: ByteSource,
  entries: readonly Entry[],
  directory: number,
  budget: ReadingBudget,
): Promise<number[]> {
  const places: number[] = [];
  const sorted = [...entries.entries()].sort(([, a], [, b]) => a.offset - b.offset);
  let end = 0;
  let before: { entry: Entry; descriptor: Descriptor } | undefined;
  for (const [index, entry] of sorted) {
    budget.checkTime();
    const gap = entry.offset - end;
    if (gap < 0 || gap > longestDescriptor) throw ambiguous(`there is unexpected data before ${shown(entry.filename)}`);
    const { header, descriptor } = await localHeader(source, entry, end, before);
    places[index] = entry.offset + header;
    end = entry.offset + header + entry.compressedSize;
    before = { entry, descriptor };
  }
  const gap = directory - end;
  if (gap < 0 || gap > longestDescriptor) throw ambiguous("there is unexpected data before the directory");
  checkDescriptor(await exactly(source, end, gap), before);
  return places;
}

/** The local header before a member's bytes; it must match the directory. */
async function localHeader(
  source: ByteSource,
  entry: Entry,
  from: number,
  before: { entry: Entry; descriptor: Descriptor } | undefined,
): Promise<{ header: number; descriptor: Descriptor }> {
  const name = shown(entry.filename);
  const gap = entry.offset - from;
  const fixed = sizes.local + entry.name.byteLength;
  // One read for the end of the previous member, this header, and most extra fields.
  const bytes = await source.read(from, gap + fixed + 64);
  if (bytes.byteLength < gap + fixed) throw damaged("it ends too early");
  checkDescriptor(bytes.subarray(0, gap), before);
  const header = view(bytes.subarray(gap, gap + fixed));
  if (header.getUint32(0, true) !== signatures.local) throw ambiguous(`${name} has no header of its own`);
  if (
    header.getUint16(26, true) !== entry.name.byteLength ||
    !equal(bytes.subarray(gap + sizes.local, gap + fixed), entry.name)
  )
    throw ambiguous(`${name} has another name in its own header`);
  if (header.getUint16(6, true) !== entry.flags) throw ambiguous(`${name} has other flags in its own header`);
  if (header.getUint16(8, true) !== entry.method) throw ambiguous(`${name} is compressed in two ways`);
  const extraLength = header.getUint16(28, true);
  const extraBytes =
    extraLength <= bytes.byteLength - gap - fixed
      ? bytes.subarray(gap + fixed, gap + fixed + extraLength)
      : await exactly(source, entry.offset + fixed, extraLength);
  const extra = extraFields(extraBytes, entry.filename);
  checkUnicodePath(extra, entry.filename);
  const descriptor = checkLocalSizes(entry, header, extra.get(extras.zip64));
  return { header: fixed + extraLength, descriptor };
}

/** Whether a descriptor must, may or must not follow the member's bytes. */
type Descriptor = "needed" | "possible" | "none";

function checkLocalSizes(entry: Entry, header: DataView, field: Uint8Array | undefined): Descriptor {
  const name = shown(entry.filename);
  const stated = {
    checksum: header.getUint32(14, true),
    compressed: header.getUint32(18, true),
    uncompressed: header.getUint32(22, true),
  };
  let { compressed, uncompressed } = stated;
  const large = field ? view(field) : undefined;
  if (large && large.byteLength >= 16) {
    const [largeUncompressed, largeCompressed] = [long(large, 0), long(large, 8)];
    if (compressed === elsewhere32) compressed = largeCompressed;
    if (uncompressed === elsewhere32) uncompressed = largeUncompressed;
    const isLike = (value: number, own: number) => value === own || value === 0;
    if (!isLike(largeCompressed, entry.compressedSize) || !isLike(largeUncompressed, entry.uncompressedSize))
      throw ambiguous(`${name} has two sizes`);
  }
  const isSame = compressed === entry.compressedSize && uncompressed === entry.uncompressedSize;
  const described = (entry.flags & flagBits.described) !== 0;
  if (isSame && stated.checksum === entry.checksum) return described ? "possible" : "none";
  if (!described || (stated.checksum !== 0 && stated.checksum !== entry.checksum)) {
    if (isSame) throw damaged(`${name} has two checksums`);
    throw ambiguous(`${name} has two sizes`);
  }
  const isLater = (value: number, own: number) => value === 0 || value === own || (value === elsewhere32 && !large);
  if (!isLater(compressed, entry.compressedSize) || !isLater(uncompressed, entry.uncompressedSize))
    throw ambiguous(`${name} has two sizes`);
  return "needed";
}

const longestDescriptor = 24;

/** What lies between a member's bytes and whatever comes next: its descriptor, and nothing else. */
function checkDescriptor(bytes: Uint8Array, before: { entry: Entry; descriptor: Descriptor } | undefined): void {
  const what = before ? `after ${shown(before.entry.filename)}` : "at the start";
  if (bytes.byteLength === 0) {
    if (before?.descriptor === "needed") throw ambiguous(`the length is missing ${what}`);
    return;
  }
  if (!before || before.descriptor === "none") throw ambiguous(`there is unexpected data ${what}`);
  const { checksum, compressedSize, uncompressedSize } = before.entry;
  const data = view(bytes);
  const signed = data.byteLength === 16 || data.byteLength === 24;
  const from = signed ? 4 : 0;
  const isLarge = data.byteLength - from === 20;
  if (data.byteLength - from !== 12 && !isLarge) throw ambiguous(`there is unexpected data ${what}`);
  const found = isLarge
    ? [long(data, from + 4), long(data, from + 12)]
    : [data.getUint32(from + 4, true), data.getUint32(from + 8, true)];
  const isDescriptor = !signed || data.getUint32(0, true) === signatures.descriptor;
  if (!isDescriptor || found[0] !== compressedSize || found[1] !== uncompressedSize)
    throw ambiguous(`there is unexpected data ${what}`);
  if (data.getUint32(from, true) !== checksum) throw damaged(`there are two checksums ${what}`);
}

async function exactly(source: ByteSource, offset: number, length: number): Promise<Uint8Array> {
  const bytes = length === 0 ? new Uint8Array() : await source.read(offset, length);
  if (bytes.byteLength < length) throw damaged("it ends too early");
  return bytes;
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function long(data: DataView, at: number): number {
  const value = Number(data.getBigUint64(at, true));
  if (!Number.isSafeInteger(value)) throw ambiguous("a size is impossible");
  return value;
}

const equal = (a: Uint8Array, b: Uint8Array): boolean =>
  a.byteLength === b.byteLength && a.every((byte, index) => byte === b[index]);

const shown = (name: string): string => JSON.stringify(name.slice(0, 200));
const ambiguous = (why: string) => new UnacceptablePackage(["unsafe.archive.entry"], why);
const damaged = (why: string) => new UnacceptablePackage(["could.not.extract.file"], why);
const tooLarge = (why: string) => new UnacceptablePackage(["archive.too.large"], why);
