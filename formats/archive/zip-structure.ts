import type { ByteSource } from "../byte-source.ts";
import type { ReadLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { isBelowFile } from "./member-paths.ts";
import { ReadingBudget } from "./reading-budget.ts";
import { type Entry, entriesOf } from "./zip-entries.ts";
import {
  ambiguous,
  damaged,
  elsewhere16,
  elsewhere32,
  longAt,
  readExactly,
  shown,
  signatures,
  sizes,
  tooLarge,
  view,
} from "./zip-fields.ts";
import { dataOffsets } from "./zip-local-headers.ts";

/** A member of a zip that all headers agree on. */
export interface ZipMember extends Omit<Entry, "name" | "flags" | "offset"> {
  /** The offset of its bytes. */
  dataOffset: number;
}

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
  const entries = entriesOf(await readExactly(source, end.offset, end.size), end.count, budget);
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
    mode: entry.mode,
    modified: entry.modified,
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
  const bytes = view(await readExactly(source, at, sizes.end));
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
  if (stated.countOfDisk !== stated.count) throw ambiguous("its end record has two different counts of members");
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
  const bytes = view(await readExactly(source, source.size - length, length));
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
  const locator = view(await readExactly(source, locatorAt, sizes.locator64));
  if (locator.getUint32(0, true) !== signatures.locator64) return undefined;
  const start = locatorAt - sizes.end64;
  if (start < 0 || longAt(locator, 8) !== start || locator.getUint32(4, true) !== 0 || locator.getUint32(16, true) > 1)
    throw ambiguous("its ZIP64 end is somewhere else");
  const end = view(await readExactly(source, start, sizes.end64));
  if (end.getUint32(0, true) !== signatures.end64 || longAt(end, 4) !== sizes.end64 - 12)
    throw ambiguous("its ZIP64 end record differs from what it claims");
  if (end.getUint32(16, true) !== 0 || end.getUint32(20, true) !== 0) throw ambiguous("it is one part of several");
  if (longAt(end, 24) !== longAt(end, 32)) throw ambiguous("its end record has two different counts of members");
  return { count: longAt(end, 32), size: longAt(end, 40), offset: longAt(end, 48), start };
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
    if (isBelowFile(segments, files)) throw ambiguous(`${shown(segments.join("/"))} is inside a file`);
}
