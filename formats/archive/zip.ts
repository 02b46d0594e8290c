import { Z_BUF_ERROR, type Z_CallStatus, Z_NO_FLUSH, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2 } from "pako";
import type { ByteSource } from "../byte-source.ts";
import type { ReadLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { concatenate } from "./concatenate.ts";
import { Crc32 } from "./crc32.ts";
import { checkLetterCase, isDebris } from "./member-paths.ts";
import { type Inflate, nativeInflate } from "./native-inflate.ts";
import { type FurtherFiles, type PackageArchive, Roots } from "./package-archive.ts";
import { type ZipMember, zipDirectory } from "./zip-structure.ts";

/** Reads wanted files of a zip, as `readTarGz` does for a tar; nothing else in it is unpacked. */
export async function readZip(
  source: ByteSource,
  wanted: (path: string) => boolean,
  limits: ReadLimits,
  further?: FurtherFiles,
): Promise<PackageArchive> {
  const roots = new Roots();
  const files = new Map<string, Uint8Array>();
  const members = await zipDirectory(source, limits);
  for (const member of members) {
    const { segments } = member;
    if (isDebris(segments) || segments.length === 0) continue;
    const path = roots.add(segments, member.isFolder);
    const start = member.isFolder ? undefined : further?.wanted(path);
    if (start === 0) further?.take(path, new Uint8Array());
    else if (start !== undefined) further?.take(path, await zipBeginning(source, member, start));
    if (!member.isFolder && wanted(path)) files.set(path, await zipContent(source, member, limits.maxMetadataBytes));
  }
  checkLetterCase(
    members.map(({ segments }) => segments.slice(1).join("/")),
    files,
  );
  return roots.archiveOf(files);
}

/** The bytes of a member; throws if there are more than `mostBytes`. */
export async function zipContent(source: ByteSource, member: ZipMember, mostBytes: number): Promise<Uint8Array> {
  if (member.uncompressedSize > mostBytes) throw new UnacceptablePackage(["archive.too.large"], member.filename);
  const parts: Uint8Array[] = [];
  for await (const part of zipParts(source, member)) parts.push(part);
  return concatenate(parts);
}

/** The first bytes of a member. All of it is unpacked and checked, but no more than these are kept. */
export async function zipBeginning(source: ByteSource, member: ZipMember, length: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let left = length;
  for await (const part of zipParts(source, member)) {
    if (left > 0) parts.push(part.subarray(0, left));
    left -= part.byteLength;
  }
  return concatenate(parts);
}

const chunkSize = 256 * 1024;

/** The bytes of a member while it is unpacked. Their number and checksum must match its headers. */
export async function* zipParts(source: ByteSource, member: ZipMember): AsyncGenerator<Uint8Array> {
  const checksum = new Crc32();
  let size = 0;
  for await (const part of partsOf(source, member)) {
    size += part.byteLength;
    if (size > member.uncompressedSize) throw damaged(`${member.filename} is longer than declared`);
    checksum.add(part);
    yield part;
  }
  if (size !== member.uncompressedSize) throw damaged(`${member.filename} is shorter than declared`);
  if (checksum.value !== member.checksum) throw damaged(`the checksum of ${member.filename} is wrong`);
}

/** For members smaller than this, starting zlib would take longer than JavaScript takes. */
const nativeFrom = 64 * 1024;

function partsOf(source: ByteSource, member: ZipMember): AsyncGenerator<Uint8Array> {
  if (member.method === 0) return stored(source, member);
  return nativeInflate && member.compressedSize >= nativeFrom
    ? inflatedNatively(nativeInflate, source, member)
    : inflated(source, member);
}

async function* inflatedNatively(
  inflate: Inflate,
  source: ByteSource,
  { filename, dataOffset, compressedSize }: ZipMember,
): AsyncGenerator<Uint8Array> {
  const end = dataOffset + compressedSize;
  const member: ByteSource = {
    size: Math.min(end, source.size),
    read: (offset, length) => source.read(offset, Math.min(length, end - offset)),
  };
  if ((yield* inflate(member, dataOffset)) !== end) throw damaged(`something follows the end of ${filename}`);
}

async function* stored(source: ByteSource, { dataOffset, compressedSize }: ZipMember): AsyncGenerator<Uint8Array> {
  for (let read = 0; read < compressedSize; ) {
    const chunk = await source.read(dataOffset + read, Math.min(chunkSize, compressedSize - read));
    if (chunk.byteLength === 0) throw damaged("it ends too early");
    read += chunk.byteLength;
    yield chunk;
  }
}

/** zlib's notation for "no header, any window". */
const rawDeflate = -15;
/** After this many bytes, other work of this thread gets a turn. */
const yieldAfterBytes = 4 * 1024 * 1024;

async function* inflated(source: ByteSource, member: ZipMember): AsyncGenerator<Uint8Array> {
  const stream = new ZStream();
  zlibInflateInit2(stream, rawDeflate);
  let status: Z_CallStatus | undefined;
  let bytesSinceYield = 0;
  for await (const chunk of stored(source, member)) {
    if (status === Z_STREAM_END) throw damaged(`something follows the end of ${member.filename}`);
    stream.input = chunk;
    stream.next_in = 0;
    stream.avail_in = chunk.byteLength;
    do {
      const most = Math.min(Math.max(member.uncompressedSize, 1), chunkSize);
      stream.output = new Uint8Array(most);
      stream.next_out = 0;
      stream.avail_out = most;
      status = zlibInflate(stream, Z_NO_FLUSH);
      if (status < 0 && status !== Z_BUF_ERROR) throw damaged(stream.msg || `${member.filename} is damaged`);
      if (stream.next_out > 0) yield stream.output.subarray(0, stream.next_out);
      bytesSinceYield += stream.next_out;
      if (bytesSinceYield > yieldAfterBytes) {
        bytesSinceYield = 0;
        await new Promise((resume) => setTimeout(resume));
      }
    } while (status !== Z_STREAM_END && (stream.avail_in > 0 || stream.avail_out === 0));
    if (status === Z_STREAM_END && stream.avail_in > 0)
      throw damaged(`something follows the end of ${member.filename}`);
  }
  if (status !== Z_STREAM_END) throw damaged(`${member.filename} ends too early`);
}

const damaged = (why: string) => new UnacceptablePackage(["could.not.extract.file"], why.slice(0, 300));
