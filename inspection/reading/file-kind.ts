import { constants, gunzipSync } from "node:zlib";
import type { FileKind } from "@packhouse/contract/review/inspection";

/** What a file is by its first bytes, and what it is packed as by more of them; undefined for what may be a text. */
export function kindOfBytes(bytes: Uint8Array): FileKind | undefined {
  if (bytes.byteLength === 0) return "empty";
  const head = bytes.subarray(0, headSize);
  return signatures.find(({ matches }) => matches(head, bytes))?.kind;
}

/** As many bytes as `kindOfBytes` needs. */
export const headSize = 4096;

interface Signature {
  kind: FileKind;
  matches(head: Uint8Array, bytes: Uint8Array): boolean;
}

const startsWith =
  (...bytes: readonly number[]) =>
  (head: Uint8Array): boolean =>
    bytes.every((byte, index) => head[index] === byte);

const hasText =
  (text: string, at = 0) =>
  (head: Uint8Array): boolean =>
    [...text].every((character, index) => head[at + index] === character.charCodeAt(0));

const number16 = (head: Uint8Array, at: number): number => (head[at] ?? 0) + (head[at + 1] ?? 0) * 256;
const number32 = (head: Uint8Array, at: number): number => number16(head, at) + number16(head, at + 2) * 65536;

/** A DOS program whose header leads to that of a Windows program. */
function isPe(head: Uint8Array): boolean {
  if (!hasText("MZ")(head)) return false;
  return hasText("PE\0\0", number32(head, 60))(head) || (number16(head, 2) < 512 && head.includes(0));
}

/** For several processors; Java classes begin in the same way, but with a version where this has a count. */
const isFatMachO = (head: Uint8Array): boolean =>
  startsWith(0xca, 0xfe, 0xba, 0xbe, 0, 0, 0)(head) && (head[7] ?? 0) < 40;

/** The header that `save` and `saveRDS` write, in each of their forms. */
export const isRData = (head: Uint8Array): boolean =>
  ["RDX2\n", "RDX3\n", "RDA2\n", "RDA3\n", "RDB2\n", "RDB3\n", "RDX1\n", "RDA1\n"].some((text) =>
    hasText(text)(head),
  ) ||
  // `saveRDS`: the form, then the version as four bytes, or in decimal.
  (hasText("X\n\0\0\0")(head) && (head[5] === 2 || head[5] === 3)) ||
  hasText("A\n2\n")(head) ||
  hasText("A\n3\n")(head) ||
  (hasText("B\n")(head) && (head[2] === 2 || head[2] === 3) && head[3] === 0);

/** Whether R loads a file of this name as data. */
export const isRDataName = (path: string): boolean => /\.(?:rda|rdata|rds)$/i.test(path);

/** As many bytes as `isRData` needs. */
const shortestData = 16;
const mostUnpacked = 16 * 1024 * 1024;

function unpacksToRData(bytes: Uint8Array): boolean {
  if (!isGzip(bytes)) return false;
  try {
    // A name, a comment or empty blocks may come first: as much is unpacked as it takes to see any data.
    for (let length = 512; ; length *= 4) {
      const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: mostUnpacked };
      const unpacked = gunzipSync(bytes.subarray(0, length), options);
      if (unpacked.byteLength >= shortestData || length >= bytes.byteLength) return isRData(unpacked);
    }
  } catch (error) {
    // What becomes that large after a long beginning of nothing counts as data that is too large to be examined.
    return error instanceof RangeError;
  }
}

/** LZMA without a container, as R recognizes it. */
export const isLzma = (head: Uint8Array): boolean =>
  startsWith(0x5d, 0, 0, 0x80, 0)(head) || (head[0] === 0xff && hasText("LZMA", 1)(head));

export const isGzip = startsWith(0x1f, 0x8b);
export const isXz = startsWith(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0);
export const isBzip2 = (head: Uint8Array): boolean => hasText("BZh")(head) && hasText("1AY&SY", 4)(head);

/** R's database of a package's objects: each is a length and a zlib stream, whose first two bytes are checked. */
const isLazyLoadData = (head: Uint8Array): boolean =>
  head[0] === 0 && head[4] === 0x78 && (0x78 * 256 + (head[5] ?? 0)) % 31 === 0;

/** A version of the interpreter (3.0 to about 3.30, or 2.x), then the end of a line. */
function isPythonBytecode(head: Uint8Array): boolean {
  if (head[2] !== 0x0d || head[3] !== 0x0a || head.byteLength < 8) return false;
  const version = number16(head, 0);
  return (version >= 3000 && version < 4200) || (version >= 50_000 && version < 63_000);
}

const signatures: readonly Signature[] = [
  { kind: "elf", matches: startsWith(0x7f, 0x45, 0x4c, 0x46) },
  { kind: "pe", matches: isPe },
  { kind: "mach-o", matches: startsWith(0xcf, 0xfa, 0xed, 0xfe) },
  { kind: "mach-o", matches: startsWith(0xce, 0xfa, 0xed, 0xfe) },
  { kind: "mach-o", matches: startsWith(0xfe, 0xed, 0xfa, 0xcf) },
  { kind: "mach-o", matches: startsWith(0xfe, 0xed, 0xfa, 0xce) },
  { kind: "mach-o", matches: isFatMachO },
  { kind: "r-data", matches: isRData },
  { kind: "r-data", matches: (_, bytes) => unpacksToRData(bytes) },
  { kind: "python-bytecode", matches: isPythonBytecode },
  { kind: "pdf", matches: hasText("%PDF-") },
  { kind: "image", matches: startsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a) },
  { kind: "image", matches: startsWith(0xff, 0xd8, 0xff) },
  { kind: "image", matches: hasText("GIF8") },
  { kind: "image", matches: (head) => hasText("RIFF")(head) && hasText("WEBP", 8)(head) },
  { kind: "image", matches: (head) => hasText("BM")(head) && number32(head, 6) === 0 && head.byteLength > 26 },
  { kind: "image", matches: startsWith(0, 0, 1, 0) },
  { kind: "image", matches: startsWith(0x49, 0x49, 0x2a, 0) },
  { kind: "image", matches: startsWith(0x4d, 0x4d, 0, 0x2a) },
  { kind: "archive", matches: isGzip },
  { kind: "archive", matches: hasText("PK\u0003\u0004") },
  { kind: "archive", matches: hasText("PK\u0005\u0006") },
  { kind: "archive", matches: isBzip2 },
  { kind: "archive", matches: isXz },
  { kind: "archive", matches: startsWith(0x28, 0xb5, 0x2f, 0xfd) },
  { kind: "archive", matches: startsWith(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c) },
  { kind: "archive", matches: hasText("Rar!\u001a\u0007") },
  { kind: "archive", matches: hasText("ustar", 257) },
  { kind: "r-bytecode", matches: isLazyLoadData },
];

/** The beginnings of well-known files that are none of our kinds and look random: fonts, sound, data. */
const wellKnown: readonly ((head: Uint8Array) => boolean)[] = [
  hasText("wOFF"),
  hasText("wOF2"),
  hasText("OggS"),
  hasText("ID3"),
  hasText("fLaC"),
  hasText("ftyp", 4),
  hasText("PAR1"),
  hasText("ARROW1"),
  hasText("FEA1"),
  hasText("\u0089HDF"),
  hasText("CDF"),
  hasText("SQLite format 3"),
  hasText("RIFF"),
  hasText("\0asm"),
  startsWith(0, 1, 0, 0, 0),
  hasText("OTTO"),
  startsWith(0x04, 0x22, 0x4d, 0x18),
  hasText("fst"),
];
export const isWellKnown = (head: Uint8Array): boolean => wellKnown.some((matches) => matches(head));
