import { promisify } from "node:util";
import { constants, crc32, deflateRaw, deflateRawSync } from "node:zlib";

/**
 * An independently compressed piece of a gzip file: it refers to nothing before it and ends on a byte boundary, so that
 * pieces can be concatenated in any number and order. Gzip members could be, too, but readers that stop after the first
 * one (such as R's `memDecompress`) would silently see only the beginning.
 */
export interface GzipPiece {
  /** Length of the uncompressed bytes. */
  size: number;
  /** Their CRC-32. */
  crc: number;
}

interface DeflatedPiece extends GzipPiece {
  deflated: Buffer;
}

const deflateRawAsync = promisify(deflateRaw);
const finishFlush = constants.Z_SYNC_FLUSH;

/** To hand fewer bytes to another thread takes as much processor time as to compress them, some 0.3 ms at most. */
export const longestCompressedHere = 32 * 1024;

/** What incompressible bytes grow by, and the least that zlib takes. */
const roomForHeaders = 64;

/** Most columns of a part with few packages: the same few bytes again and again. */
const longestRemembered = 64;
const mostRemembered = 2000;
const remembered = new Map<string, DeflatedPiece>();

export async function deflatePiece(bytes: Uint8Array): Promise<DeflatedPiece> {
  const { byteLength: size } = bytes;
  if (size > longestCompressedHere) return pieceOf(bytes, await deflateRawAsync(bytes, { finishFlush }));
  // Room for all of it: by default zlib reserves 16 KiB for a few bytes.
  const deflate = () => pieceOf(bytes, deflateRawSync(bytes, { finishFlush, chunkSize: size + roomForHeaders }));
  if (size > longestRemembered) return deflate();
  const key = String.fromCharCode(...bytes);
  const piece = remembered.get(key) ?? deflate();
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(key, piece);
  return piece;
}

const pieceOf = (bytes: Uint8Array, deflated: Buffer): DeflatedPiece => ({
  deflated,
  size: bytes.byteLength,
  crc: crc32(bytes),
});

/** For short incompressible data: stored blocks of the maximum size. */
export function storedPieces(bytes: Uint8Array): DeflatedPiece[] {
  const count = Math.max(1, Math.ceil(bytes.length / longestStored));
  return Array.from({ length: count }, (_unused, index) =>
    storedPiece(bytes.subarray(index * longestStored, (index + 1) * longestStored)),
  );
}

/** The length of a stored block has sixteen bits (RFC 1951, 3.2.4). */
const longestStored = 0xffff;

function storedPiece(bytes: Uint8Array): DeflatedPiece {
  const deflated = Buffer.alloc(5 + bytes.length);
  deflated.writeUInt16LE(bytes.length, 1);
  deflated.writeUInt16LE(bytes.length ^ 0xffff, 3);
  deflated.set(bytes, 5);
  return { deflated, size: bytes.length, crc: crc32(bytes) };
}

/** RFC 1952: deflate, no name, no time (equal content gives equal bytes), unknown system. */
export const gzipHeader: Uint8Array = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);

/** An empty last block, then CRC-32 and length of everything. */
export function gzipTrailer(pieces: readonly GzipPiece[]): Uint8Array {
  let crc = 0;
  let size = 0;
  for (const piece of pieces) {
    crc = combineCrc(crc, piece.crc, piece.size);
    size += piece.size;
  }
  const trailer = Buffer.alloc(10);
  trailer.writeUInt8(0x03, 0);
  trailer.writeUInt32LE(crc, 2);
  trailer.writeUInt32LE(size % 2 ** 32, 6);
  return trailer;
}

/**
 * The CRC-32 of two texts in a row from the CRCs of both. Appending bytes multiplies the first one's polynomial by
 * x^(8·length), modulo the CRC polynomial (like zlib's `crc32_combine`); bits are reflected, x^0 is the highest.
 */
export function combineCrc(first: number, second: number, secondSize: number): number {
  return (multiply(shiftBy(secondSize), first) ^ second) >>> 0;
}

/** The same lengths recur with every change of an index with many pieces. */
const shifts = new Map<number, number>();
const mostShifts = 50_000;

function shiftBy(size: number): number {
  const known = shifts.get(size);
  if (known !== undefined) return known;
  let shift = 0x8000_0000;
  let rest = size;
  for (let power = 3; rest > 0; power += 1, rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) shift = multiply(squares[power % 32] ?? 0, shift);
  }
  if (shifts.size >= mostShifts) shifts.clear();
  shifts.set(size, shift);
  return shift;
}

function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = 0x8000_0000; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor;
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ 0xedb8_8320;
  }
  return product >>> 0;
}

/** x^(2^n) for n from 0; the sequence repeats after 32. */
const squares = Array.from({ length: 31 }).reduce<number[]>(
  (row) => [...row, multiply(row.at(-1) ?? 0, row.at(-1) ?? 0)],
  [0x4000_0000],
);
