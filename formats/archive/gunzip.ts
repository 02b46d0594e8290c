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
export async function* gunzip(source: ByteSource, limits: ReadLimits): AsyncGenerator<Uint8Array> {
  if (!isMember(await source.read(0, 2))) throw new UnacceptablePackage(["could.not.extract.file"], "not gzip");

  const stream = new ZStream();
  zlibInflateInit2(stream, gzipOnly);
  let read = 0;
  let unpacked = 0;
  let rested = 0;
  let members = 1;
  let status: Z_CallStatus | undefined;

  for await (const chunk of chunksOf(source)) {
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
      if (isFailure(status)) throw new UnacceptablePackage(["could.not.extract.file"], stream.msg);

      unpacked += stream.next_out;
      const tooDense = unpacked > ratioMattersFrom && unpacked > limits.maxRatio * read;
      if (unpacked > limits.maxUnpackedBytes || tooDense) throw new UnacceptablePackage(["archive.too.large"]);
      if (stream.next_out > 0) yield stream.output.subarray(0, stream.next_out);
      if (unpacked - rested > yieldAfterBytes) {
        rested = unpacked;
        await new Promise((resume) => setTimeout(resume));
      }
    } while (stream.avail_in > 0 || stream.avail_out === 0);
  }
  if (status !== Z_STREAM_END) throw new UnacceptablePackage(["could.not.extract.file"], "it ends too early");
}

/** Needing more input is not a failure. */
const isFailure = (status: Z_CallStatus): boolean => status < 0 && status !== Z_BUF_ERROR;

const isMember = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
