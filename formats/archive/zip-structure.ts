import type { ByteSource } from "../byte-source.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";

/** What the central directory says of a member. */
export interface ZipEntry {
  filename: string;
  /** Its bytes, where they are not the name as UTF-8. */
  rawFilename: Uint8Array | undefined;
  /** Where its local header stands. */
  offset: number;
  compressionMethod: number;
  compressedSize: number;
  encrypted: boolean;
}

const localHeaderSize = 30;
const endSize = 22;
/** A field that says "see the ZIP64 records". */
const elsewhere16 = 0xffff;
const elsewhere32 = 0xffff_ffff;
/** Lengths of a data descriptor: with and without its signature, with sizes of four and of eight bytes. */
const descriptorSizes = [12, 16, 20, 24];

/**
 * Refuses zips in which one reader may find other members than another: those that go by the central directory and those
 * that go by local headers from front to back must see the same. The members lie one behind the other from the first
 * byte, then the directory, then its end, and nothing after it.
 * APPNOTE.TXT, 4.3; https://blog.pypi.org/posts/2025-08-07-wheel-archive-confusion-attacks/
 */
export async function checkZipStructure(source: ByteSource, entries: readonly ZipEntry[]): Promise<void> {
  const names = new Set<string>();
  for (const { filename, encrypted } of entries) {
    if (names.has(filename)) throw ambiguous(`two members are called ${filename}`);
    names.add(filename);
    if (encrypted) throw new UnacceptablePackage(["could.not.extract.file"], `${filename} is encrypted`);
  }
  let end = 0;
  let described = false;
  const follows = (offset: number) => {
    const gap = offset - end;
    return gap === 0 || (described && descriptorSizes.includes(gap));
  };
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (!follows(entry.offset)) throw ambiguous(`something else lies before ${entry.filename}, or within it`);
    const local = await localHeader(source, entry);
    end = entry.offset + local.size + entry.compressedSize;
    described = local.described;
  }
  const directory = await directoryEnd(source);
  if (directory.entries !== elsewhere16 && directory.entries !== entries.length)
    throw ambiguous("the directory counts other members than it has");
  if (directory.offset !== elsewhere32 && !follows(directory.offset))
    throw ambiguous("something else lies before the directory");
}

/** What stands before a member's bytes; it must say what the directory says. */
async function localHeader(source: ByteSource, entry: ZipEntry): Promise<{ size: number; described: boolean }> {
  const name = entry.rawFilename ?? new TextEncoder().encode(entry.filename);
  const wholeSize = localHeaderSize + name.byteLength;
  const bytes = await source.read(entry.offset, wholeSize);
  const header = view(bytes, wholeSize);
  const field = (at: number) => header.getUint16(at, true);
  if (header.getUint32(0, true) !== 0x0403_4b50) throw ambiguous(`${entry.filename} has no header of its own`);
  if (field(26) !== name.byteLength || !equal(bytes.subarray(localHeaderSize), name))
    throw ambiguous(`${entry.filename} has another name in its own header`);
  if (field(8) !== entry.compressionMethod) throw ambiguous(`${entry.filename} is compressed in two ways`);
  const described = (field(6) & 8) !== 0;
  const compressedSize = header.getUint32(18, true);
  if (!described && compressedSize !== elsewhere32 && compressedSize !== entry.compressedSize)
    throw ambiguous(`${entry.filename} has two sizes`);
  return { size: wholeSize + field(28), described };
}

/** The end of the central directory, which must be the end of the file: no comment, nothing behind it. */
async function directoryEnd(source: ByteSource): Promise<{ entries: number; offset: number }> {
  const bytes = view(await source.read(source.size - endSize, endSize), endSize);
  if (bytes.getUint32(0, true) !== 0x0605_4b50 || bytes.getUint16(20, true) !== 0)
    throw ambiguous("something follows the directory");
  return { entries: bytes.getUint16(10, true), offset: bytes.getUint32(16, true) };
}

function view(bytes: Uint8Array, size: number): DataView {
  if (bytes.byteLength < size) throw new UnacceptablePackage(["could.not.extract.file"], "it ends too early");
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const equal = (a: Uint8Array, b: Uint8Array): boolean =>
  a.byteLength === b.byteLength && a.every((byte, index) => byte === b[index]);

const ambiguous = (why: string) => new UnacceptablePackage(["unsafe.archive.entry"], why);
