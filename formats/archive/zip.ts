import {
  configure,
  type Entry,
  ERR_UNSAFE_FILENAME,
  type FileEntry,
  Reader,
  Uint8ArrayWriter,
  ZipReader,
} from "@zip.js/zip.js";
import type { ByteSource } from "../byte-source.ts";
import type { ReadLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { isDebris, safeZipSegments } from "./member-paths.ts";
import { type PackageArchive, Roots } from "./package-archive.ts";
import { ReadingBudget } from "./reading-budget.ts";
import { checkZipStructure, type ZipEntry } from "./zip-structure.ts";

// Few and small members are read; workers would cost more than they save.
configure({ useWebWorkers: false });

/** Reads wanted files of a zip as `readTarGz` does of a tar; nothing else in it is unpacked. */
export async function readZip(
  source: ByteSource,
  wanted: (path: string) => boolean,
  limits: ReadLimits,
): Promise<PackageArchive> {
  const roots = new Roots();
  const files = new Map<string, Uint8Array>();
  const below = ([, ...segments]: readonly string[]) => segments.join("/");
  for (const member of await zipDirectory(source, (segments) => wanted(below(segments)), limits)) {
    const segments = safeZipSegments(member.filename);
    if (isDebris(segments) || segments.length === 0) continue;
    const path = roots.add(segments, member.isFolder);
    if (wanted(path) && member.file) files.set(path, await zipContent(member, limits.maxMetadataBytes));
  }
  return roots.archiveOf(files);
}

const mebibyte = 1024 * 1024;
const mostDirectoryBytes = 32 * mebibyte;
/** Of members whose content is wanted much more is remembered. */
const mostWanted = 1000;

/** A member of a zip, as the central directory lists it. */
export interface ZipMember extends ZipEntry {
  isFolder: boolean;
  uncompressedSize: number;
  /** For `zipContent`; undefined for folders and for what nobody wants. */
  file: FileEntry | undefined;
}

/** zip.js reads through this. */
class SourceReader extends Reader<ByteSource> {
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    super(source);
    this.#source = source;
    this.size = source.size;
  }

  override async readUint8Array(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    // The directory is read in one piece, and says itself how long it is.
    if (length > mostDirectoryBytes) throw new UnacceptablePackage(["archive.too.large"], "the directory");
    return this.#source.read(offset, length).then((bytes) => new Uint8Array(bytes));
  }
}

/**
 * What the central directory lists, once it is known that no reader finds anything else in the file. Only the content of
 * wanted members, told by the segments of their paths, can be read.
 */
export async function zipDirectory(
  source: ByteSource,
  wanted: (segments: readonly string[]) => boolean,
  limits: ReadLimits,
): Promise<ZipMember[]> {
  const members: ZipMember[] = [];
  const budget = new ReadingBudget(limits);
  let [unpacked, contents] = [0, 0];
  try {
    for await (const entry of new ZipReader(new SourceReader(source)).getEntriesGenerator()) {
      const segments = safeZipSegments(entry.filename);
      budget.spend(segments, entry.rawFilename.byteLength);
      const file = wanted(segments) && !entry.directory ? entry : undefined;
      members.push(memberOf(entry, file));
      unpacked += entry.uncompressedSize;
      if (file) contents += 1;
      if (unpacked > limits.maxUnpackedBytes || contents > mostWanted)
        throw new UnacceptablePackage(["archive.too.large"]);
    }
  } catch (error) {
    throw unreadable(error);
  }
  if (members.length === 0) throw new UnacceptablePackage(["empty.archive"]);
  await checkZipStructure(source, members);
  return members;
}

/** zip.js knows some kilobytes of each member, which together would be hundreds of megabytes. */
const memberOf = (entry: Entry, file: FileEntry | undefined): ZipMember => ({
  filename: entry.filename,
  // A copy, or each would hold the whole directory; mostly it says nothing that the text does not.
  rawFilename: isUtf8Of(entry.rawFilename, entry.filename) ? undefined : entry.rawFilename.slice(),
  offset: entry.offset,
  compressionMethod: entry.compressionMethod,
  compressedSize: entry.compressedSize,
  encrypted: entry.encrypted,
  isFolder: entry.directory,
  uncompressedSize: entry.uncompressedSize,
  file,
});

function isUtf8Of(raw: Uint8Array, text: string): boolean {
  const encoded = new TextEncoder().encode(text);
  return encoded.byteLength === raw.byteLength && encoded.every((byte, index) => byte === raw[index]);
}

/** The bytes of a wanted member that has no more than so many. */
export async function zipContent(
  { filename, file, uncompressedSize }: ZipMember,
  mostBytes: number,
): Promise<Uint8Array> {
  if (uncompressedSize > mostBytes) throw new UnacceptablePackage(["archive.too.large"], filename);
  if (!file) throw new UnacceptablePackage(["invalid.metadata"], filename);
  try {
    return await file.getData(new BoundedWriter(mostBytes), { checkSignature: true });
  } catch (error) {
    throw unreadable(error);
  }
}

/** The directory may lie about sizes; this believes what arrives. */
class BoundedWriter extends Uint8ArrayWriter {
  readonly #most: number;
  #written = 0;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override async writeUint8Array(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#written += bytes.byteLength;
    if (this.#written > this.#most) throw new UnacceptablePackage(["archive.too.large"]);
    await super.writeUint8Array(bytes);
  }
}

function unreadable(error: unknown): UnacceptablePackage {
  if (error instanceof UnacceptablePackage) return error;
  const message = error instanceof Error ? error.message : undefined;
  return new UnacceptablePackage(
    [message === ERR_UNSAFE_FILENAME ? "unsafe.archive.entry" : "could.not.extract.file"],
    message,
  );
}
