import type { ByteSource } from "../byte-source.ts";
import type { ReadingBudget } from "./reading-budget.ts";
import { checkUnicodePath, type Entry, extraFields } from "./zip-entries.ts";
import {
  ambiguous,
  damaged,
  elsewhere32,
  extras,
  flagBits,
  longAt,
  readExactly,
  shown,
  signatures,
  sizes,
  view,
} from "./zip-fields.ts";

/** Walks the file like readers that ignore the directory; returns the offset of each member's bytes. */
export async function dataOffsets(
  source: ByteSource,
  entries: readonly Entry[],
  directory: number,
  budget: ReadingBudget,
): Promise<number[]> {
  const places: number[] = [];
  const sorted = [...entries.entries()].sort(([, a], [, b]) => a.offset - b.offset);
  let end = 0;
  let before: { entry: Entry; descriptor: Descriptor } | undefined;
  for (const [index, entry] of sorted) {
    budget.checkTime();
    const gap = entry.offset - end;
    if (gap < 0 || gap > longestDescriptor) throw ambiguous(`there is unexpected data before ${shown(entry.filename)}`);
    const { header, descriptor } = await localHeader(source, entry, end, before);
    places[index] = entry.offset + header;
    end = entry.offset + header + entry.compressedSize;
    before = { entry, descriptor };
  }
  const gap = directory - end;
  if (gap < 0 || gap > longestDescriptor) throw ambiguous("there is unexpected data before the directory");
  checkDescriptor(await readExactly(source, end, gap), before);
  return places;
}

/** The local header before a member's bytes; it must match the directory. */
async function localHeader(
  source: ByteSource,
  entry: Entry,
  from: number,
  before: { entry: Entry; descriptor: Descriptor } | undefined,
): Promise<{ header: number; descriptor: Descriptor }> {
  const name = shown(entry.filename);
  const gap = entry.offset - from;
  const fixed = sizes.local + entry.name.byteLength;
  // One read for the end of the previous member, this header, and most extra fields.
  const bytes = await source.read(from, gap + fixed + 64);
  if (bytes.byteLength < gap + fixed) throw damaged("it ends too early");
  checkDescriptor(bytes.subarray(0, gap), before);
  const header = view(bytes.subarray(gap, gap + fixed));
  if (header.getUint32(0, true) !== signatures.local) throw ambiguous(`${name} has no header of its own`);
  if (
    header.getUint16(26, true) !== entry.name.byteLength ||
    !equal(bytes.subarray(gap + sizes.local, gap + fixed), entry.name)
  )
    throw ambiguous(`${name} has another name in its own header`);
  if (header.getUint16(6, true) !== entry.flags) throw ambiguous(`${name} has other flags in its own header`);
  if (header.getUint16(8, true) !== entry.method) throw ambiguous(`${name} is compressed in two ways`);
  const extraLength = header.getUint16(28, true);
  const extraBytes =
    extraLength <= bytes.byteLength - gap - fixed
      ? bytes.subarray(gap + fixed, gap + fixed + extraLength)
      : await readExactly(source, entry.offset + fixed, extraLength);
  const extra = extraFields(extraBytes, entry.filename);
  checkUnicodePath(extra, entry.filename);
  const descriptor = checkLocalSizes(entry, header, extra.get(extras.zip64));
  return { header: fixed + extraLength, descriptor };
}

/** Whether a descriptor must, may or must not follow the member's bytes. */
type Descriptor = "needed" | "possible" | "none";

function checkLocalSizes(entry: Entry, header: DataView, field: Uint8Array | undefined): Descriptor {
  const name = shown(entry.filename);
  const stated = {
    checksum: header.getUint32(14, true),
    compressed: header.getUint32(18, true),
    uncompressed: header.getUint32(22, true),
  };
  let { compressed, uncompressed } = stated;
  const large = field ? view(field) : undefined;
  if (large && large.byteLength >= 16) {
    const [largeUncompressed, largeCompressed] = [longAt(large, 0), longAt(large, 8)];
    if (compressed === elsewhere32) compressed = largeCompressed;
    if (uncompressed === elsewhere32) uncompressed = largeUncompressed;
    const isLike = (value: number, own: number) => value === own || value === 0;
    if (!isLike(largeCompressed, entry.compressedSize) || !isLike(largeUncompressed, entry.uncompressedSize))
      throw ambiguous(`${name} has two sizes`);
  }
  const isSame = compressed === entry.compressedSize && uncompressed === entry.uncompressedSize;
  const described = (entry.flags & flagBits.described) !== 0;
  if (isSame && stated.checksum === entry.checksum) return described ? "possible" : "none";
  if (!described || (stated.checksum !== 0 && stated.checksum !== entry.checksum)) {
    if (isSame) throw damaged(`${name} has two checksums`);
    throw ambiguous(`${name} has two sizes`);
  }
  const isLater = (value: number, own: number) => value === 0 || value === own || (value === elsewhere32 && !large);
  if (!isLater(compressed, entry.compressedSize) || !isLater(uncompressed, entry.uncompressedSize))
    throw ambiguous(`${name} has two sizes`);
  return "needed";
}

const longestDescriptor = 24;

/** What lies between a member's bytes and whatever comes next: its descriptor, and nothing else. */
function checkDescriptor(bytes: Uint8Array, before: { entry: Entry; descriptor: Descriptor } | undefined): void {
  const what = before ? `after ${shown(before.entry.filename)}` : "at the start";
  if (bytes.byteLength === 0) {
    if (before?.descriptor === "needed") throw ambiguous(`the length is missing ${what}`);
    return;
  }
  if (!before || before.descriptor === "none") throw ambiguous(`there is unexpected data ${what}`);
  const { checksum, compressedSize, uncompressedSize } = before.entry;
  const data = view(bytes);
  const signed = data.byteLength === 16 || data.byteLength === 24;
  const from = signed ? 4 : 0;
  const isLarge = data.byteLength - from === 20;
  if (data.byteLength - from !== 12 && !isLarge) throw ambiguous(`there is unexpected data ${what}`);
  const found = isLarge
    ? [longAt(data, from + 4), longAt(data, from + 12)]
    : [data.getUint32(from + 4, true), data.getUint32(from + 8, true)];
  const isDescriptor = !signed || data.getUint32(0, true) === signatures.descriptor;
  if (!isDescriptor || found[0] !== compressedSize || found[1] !== uncompressedSize)
    throw ambiguous(`there is unexpected data ${what}`);
  if (data.getUint32(from, true) !== checksum) throw damaged(`there are two checksums ${what}`);
}

const equal = (a: Uint8Array, b: Uint8Array): boolean =>
  a.byteLength === b.byteLength && a.every((byte, index) => byte === b[index]);
