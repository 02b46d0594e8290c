/// <reference path="./seek-bzip.d.ts" />
import { gunzipSync } from "node:zlib";
import { concatenate } from "@packhouse/formats/archive/concatenate";
import bunzip from "seek-bzip";
// Node sees no names in this package, only its default.
import xz from "xz-decompress";
import { isBzip2, isGzip, isXz } from "./file-kind.ts";

/** What a compressed file contains; `other` if it does not begin as wanted, or is damaged; `late` if time ran out. */
export type Unpacked = Uint8Array | "other" | "large" | "late";

interface Bounds {
  mostBytes: number;
  /** Whether time has run out. */
  isOver(): boolean;
}

/** Unpacks gzip, bzip2 and xz up to a size, as soon as its beginning shows that it is wanted. */
export async function unpack(
  bytes: Uint8Array,
  isWanted: (head: Uint8Array) => boolean,
  bounds: Bounds,
): Promise<Unpacked> {
  try {
    if (isGzip(bytes)) return gunzip(bytes, isWanted, bounds);
    if (isXz(bytes)) return await unxz(bytes, isWanted, bounds);
    return isBzip2(bytes) ? unbzip(bytes, isWanted, bounds) : "other";
  } catch {
    return "other";
  }
}

const headSize = 16;

function gunzip(bytes: Uint8Array, isWanted: (head: Uint8Array) => boolean, { mostBytes }: Bounds): Unpacked {
  try {
    const unpacked = gunzipSync(bytes, { maxOutputLength: mostBytes });
    return isWanted(unpacked.subarray(0, headSize)) ? unpacked : "other";
  } catch (error) {
    return error instanceof RangeError ? "large" : "other";
  }
}

async function unxz(
  bytes: Uint8Array,
  isWanted: (head: Uint8Array) => boolean,
  { mostBytes, isOver }: Bounds,
): Promise<Unpacked> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of new xz.XzReadableStream(new Blob([new Uint8Array(bytes)]).stream())) {
    if (size === 0 && !isWanted(part.subarray(0, headSize))) return "other";
    parts.push(part);
    size += part.byteLength;
    if (size > mostBytes) return "large";
    if (isOver()) return "late";
  }
  return concatenate(parts);
}

/** Ends the unpacking, which has no other way to stop. */
class Stop extends Error {}

/** Blocks may be as small as a byte, and each takes about a millisecond. */
const bytesBetweenLooks = 256;

function unbzip(bytes: Uint8Array, isWanted: (head: Uint8Array) => boolean, { mostBytes, isOver }: Bounds): Unpacked {
  let unpacked = new Uint8Array(64 * 1024);
  let size = 0;
  let why: Unpacked = "other";
  const sink = {
    writeByte(byte: number) {
      if (size === headSize && !isWanted(unpacked)) throw new Stop();
      if (size === mostBytes) {
        why = "large";
        throw new Stop();
      }
      if (size % bytesBetweenLooks === 0 && isOver()) {
        why = "late";
        throw new Stop();
      }
      if (size === unpacked.byteLength) {
        const larger = new Uint8Array(2 * size);
        larger.set(unpacked);
        unpacked = larger;
      }
      unpacked[size] = byte;
      size += 1;
    },
  };
  try {
    bunzip.decode(bytes, sink, true);
  } catch (error) {
    if (error instanceof Stop) return why;
    throw error;
  }
  return isWanted(unpacked) ? unpacked.subarray(0, size) : "other";
}
