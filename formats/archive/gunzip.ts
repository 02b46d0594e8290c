import {
  Z_BUF_ERROR,
  type Z_CallStatus,
  Z_NO_FLUSH,
  Z_STREAM_END,
  ZStream,
  zlibInflate,
  zlibInflateInit2,
  zlibInflateReset,
} from "pako";
import { type ByteSource, chunksOf } from "../byte-source.ts";
import type { ReadLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { Crc32 } from "./crc32.ts";
import { type Inflate, nativeInflate } from "./native-inflate.ts";

/** Below this size, a ratio means nothing: a small file of one letter compresses a thousandfold. */
const ratioMattersFrom = 64 * 1024 * 1024;
const partSize = 64 * 1024;
/** Archives in blocks (BGZF) have one for each 64 KiB; empty ones cost time and unpack to nothing. */
const mostMembers = 50_000;
/** After this many bytes, other work of this thread gets a turn. */
const yieldAfterBytes = 4 * 1024 * 1024;
/** zlib's notation for "gzip only, any window": 15 bits, plus 16. */
const gzipOnly = 15 + 16;

/**
 * Decompresses gzip (RFC 1952) while reading it, within the limits. Checksums and lengths are verified; concatenated
 * members are one file; bytes after the last one are ignored, as R does.
 *
 * `DecompressionStream` is no alternative: it fails on such bytes, in browsers also on a second member, and discards
 * what it had decompressed so far, so that the end of an archive would be lost.
 */
export async function* gunzip(
  source: ByteSource,
  limits: ReadLimits,
  inflate: Inflate | null = nativeInflate,
): AsyncGenerator<Uint8Array> {
  if (!isMember(await source.read(0, 2))) throw damaged("not gzip");
  const budget = new UnpackingBudget(limits);
  // Nearly all archives are one member, which may be large; those in blocks have many small ones.
  const start = inflate ? deflateOffset(await source.read(0, longestHeader)) : undefined;
  const end = inflate && start !== undefined ? yield* nativeMember(source, { inflate, start, budget }) : 0;
  if (end > 0 && !isMember(await source.read(end, 2))) return;
  yield* membersFrom(source, end, budget);
}

/** What may be unpacked, in total and for each packed byte. */
class UnpackingBudget {
  readonly #limits: ReadLimits;
  #unpacked = 0;

  constructor(limits: ReadLimits) {
    this.#limits = limits;
  }

  /** Counts bytes that were unpacked once so many bytes of the file had been read. */
  spend(bytes: number, read: number): void {
    this.#unpacked += bytes;
    const tooDense = this.#unpacked > ratioMattersFrom && this.#unpacked > this.#limits.maxRatio * read;
    if (this.#unpacked > this.#limits.maxUnpackedBytes || tooDense)
      throw new UnacceptablePackage(["archive.too.large"]);
  }
}

/** Headers hold at most a file name; the rare others, which nothing here writes, are left to the general way. */
const longestHeader = 1024;
const fixedHeader = 10;
const hasNameOnly = 8;
const trailer = 8;

/** Where the compressed bytes of a member begin; undefined for a header with more than a file name. */
function deflateOffset(head: Uint8Array): number | undefined {
  const [, , method, flags] = head;
  if (method !== 8 || head.byteLength < fixedHeader) return undefined;
  if (flags === 0) return fixedHeader;
  const end = flags === hasNameOnly ? head.indexOf(0, fixedHeader) : -1;
  return end === -1 ? undefined : end + 1;
}

/** The first member, unpacked by zlib itself. Returns where it ends. */
async function* nativeMember(
  source: ByteSource,
  { inflate, start, budget }: { inflate: Inflate; start: number; budget: UnpackingBudget },
): AsyncGenerator<Uint8Array, number> {
  const checksum = new Crc32();
  let size = 0;
  const end = yield* inflate(source, start, (part, read) => {
    budget.spend(part.byteLength, read);
    checksum.add(part);
    size += part.byteLength;
  });
  const stated = await source.read(end, trailer);
  if (stated.byteLength < trailer) throw damaged("it ends too early");
  const view = new DataView(stated.buffer, stated.byteOffset, trailer);
  if (view.getUint32(0, true) !== checksum.value) throw damaged("its checksum is wrong");
  if (view.getUint32(4, true) !== size % 2 ** 32) throw damaged("its length is wrong");
  return end + trailer;
}

/** Any members, unpacked in JavaScript. */
async function* membersFrom(source: ByteSource, offset: number, budget: UnpackingBudget): AsyncGenerator<Uint8Array> {
  const stream = new ZStream();
  zlibInflateInit2(stream, gzipOnly);
  let read = offset;
  let unpacked = 0;
  let rested = 0;
  let members = 1;
  let status: Z_CallStatus | undefined;

  for await (const chunk of chunksOf(source, { offset })) {
    read += chunk.byteLength;
    stream.input = chunk;
    stream.next_in = 0;
    stream.avail_in = chunk.byteLength;
    do {
      if (status === Z_STREAM_END) {
        if (!isMember(await source.read(read - stream.avail_in, 2))) return;
        members += 1;
        if (members > mostMembers) throw new UnacceptablePackage(["archive.too.large"], "it has too many parts");
        zlibInflateReset(stream);
      }
      stream.output = new Uint8Array(partSize);
      stream.next_out = 0;
      stream.avail_out = partSize;
      status = zlibInflate(stream, Z_NO_FLUSH);
      if (isFailure(status)) throw damaged(stream.msg);

      unpacked += stream.next_out;
      budget.spend(stream.next_out, read);
      if (stream.next_out > 0) yield stream.output.subarray(0, stream.next_out);
      if (unpacked - rested > yieldAfterBytes) {
        rested = unpacked;
        await new Promise((resume) => setTimeout(resume));
      }
    } while (stream.avail_in > 0 || stream.avail_out === 0);
  }
  if (status !== Z_STREAM_END) throw damaged("it ends too early");
}

const damaged = (why: string) => new UnacceptablePackage(["could.not.extract.file"], why);

/** Needing more input is not a failure. */
const isFailure = (status: Z_CallStatus): boolean => status < 0 && status !== Z_BUF_ERROR;

const isMember = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
