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
import { checkZipStructure } from "./zip-structure.ts";

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
  for (const entry of await zipDirectory(source, limits)) {
    const segments = safeZipSegments(entry.filename);
    if (isDebris(segments) || segments.length === 0) continue;
    const path = roots.add(segments, entry.directory);
    if (wanted(path) && isFile(entry)) files.set(path, await zipContent(entry, limits.maxMetadataBytes));
  }
  return roots.archiveOf(files);
}

/** zip.js reads through this. */
class SourceReader extends Reader<ByteSource> {
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    super(source);
    this.#source = source;
    this.size = source.size;
  }

  override readUint8Array(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#source.read(offset, length).then((bytes) => new Uint8Array(bytes));
  }
}

/** What the central directory lists, once it is known that no reader finds anything else in the file. */
export async function zipDirectory(source: ByteSource, limits: ReadLimits): Promise<Entry[]> {
  const entries: Entry[] = [];
  let unpacked = 0;
  try {
    for await (const entry of new ZipReader(new SourceReader(source)).getEntriesGenerator()) {
      safeZipSegments(entry.filename);
      unpacked += entry.uncompressedSize;
      entries.push(entry);
      if (entries.length > limits.maxMembers || unpacked > limits.maxUnpackedBytes)
        throw new UnacceptablePackage(["archive.too.large"]);
    }
  } catch (error) {
    throw unreadable(error);
  }
  if (entries.length === 0) throw new UnacceptablePackage(["empty.archive"]);
  await checkZipStructure(source, entries);
  return entries;
}

/** The bytes of a member that has no more than so many. */
export async function zipContent(entry: Entry, mostBytes: number): Promise<Uint8Array> {
  if (entry.uncompressedSize > mostBytes) throw new UnacceptablePackage(["archive.too.large"], entry.filename);
  if (!isFile(entry)) throw new UnacceptablePackage(["invalid.metadata"], entry.filename);
  try {
    return await entry.getData(new BoundedWriter(mostBytes), { checkSignature: true });
  } catch (error) {
    throw unreadable(error);
  }
}

export const isFile = (entry: Entry): entry is FileEntry => !entry.directory;

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
