import type { ByteSource } from "@packhouse/formats/byte-source";

/** Of one source, at most so much stays in memory. */
const keptBlocks = 16;
export const blockBytes = 256 * 1024;

/**
 * A source that asks for whole blocks and keeps the latest ones: readers of archives make many small reads, each of
 * which would be a request. `first` is the block that is known already.
 */
export function blockSource(
  size: number,
  first: Uint8Array,
  fetchRange: (start: number, end: number) => Promise<Uint8Array>,
): ByteSource {
  const blocks = new Map<number, Promise<Uint8Array>>([[0, Promise.resolve(first)]]);
  const blockAt = (index: number): Promise<Uint8Array> => {
    const start = index * blockBytes;
    const block = blocks.get(index) ?? fetchRange(start, Math.min(start + blockBytes, size) - 1);
    // Put at the end: the first of the map is the one that was not asked for longest.
    blocks.delete(index);
    blocks.set(index, block);
    const [oldest] = blocks.keys();
    if (blocks.size > keptBlocks && oldest !== undefined) blocks.delete(oldest);
    block.catch(() => blocks.delete(index)); // the next read tries again
    return block;
  };
  return {
    size,
    async read(offset, length) {
      const end = Math.min(offset + length, size);
      const bytes = new Uint8Array(Math.max(0, end - offset));
      for (let at = offset; at < end; ) {
        const index = Math.floor(at / blockBytes);
        const block = await blockAt(index);
        const part = block.subarray(at - index * blockBytes, end - index * blockBytes);
        if (part.byteLength === 0) throw new Error("the storage gave fewer bytes than the object has");
        bytes.set(part, at - offset);
        at += part.byteLength;
      }
      return bytes;
    },
  };
}
