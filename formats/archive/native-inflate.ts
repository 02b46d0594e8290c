import { type ByteSource, chunksOf } from "../byte-source.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";

const zlib = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:zlib");
const streams = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:stream");

/**
 * Decompresses one deflate stream (RFC 1951) from an offset on, and returns where it ended. `see` gets each part before
 * it is passed on, with the position up to which the source has been decompressed.
 */
export type Inflate = (
  source: ByteSource,
  offset: number,
  see?: (part: Uint8Array, read: number) => void,
) => AsyncGenerator<Uint8Array, number>;

const readAtOnce = 1024 * 1024;
const partSize = 512 * 1024;
const smallestPart = 16 * 1024;
/** How much longer small texts usually are when unpacked. */
const usualRatio = 8;

/** zlib itself, on a thread of its own and several times as fast as in JavaScript; null in browsers. */
export const nativeInflate: Inflate | null =
  zlib && streams
    ? async function* inflate(source, offset, see) {
        const packed = streams.Readable.from(chunksOf(source, { offset, chunkSize: readAtOnce }));
        // The memory for a part is taken in advance, and a small file needs little of it.
        const likely = usualRatio * (source.size - offset);
        const chunkSize = Math.min(partSize, Math.max(smallestPart, likely));
        const engine = zlib.createInflateRaw({ chunkSize });
        packed.on("error", (error) => engine.destroy(error));
        packed.pipe(engine);
        try {
          for await (const part of engine) {
            see?.(part, offset + engine.bytesWritten);
            yield part;
          }
        } catch (error) {
          throw isBroken(error) ? new UnacceptablePackage(["could.not.extract.file"], error.message) : error;
        } finally {
          packed.destroy();
          engine.destroy();
        }
        return offset + engine.bytesWritten;
      }
    : null;

const isBroken = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && (error.code === "Z_DATA_ERROR" || error.code === "Z_BUF_ERROR");

/** Continues a checksum of zip and gzip (CRC-32); undefined in browsers. */
export const nativeCrc32: ((bytes: Uint8Array, before: number) => number) | undefined = zlib?.crc32;
