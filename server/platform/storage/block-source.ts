import type { ByteSource } from "@packhouse/formats/byte-source";

/** Memory limit per source. */
const keptBlocks = 16;
export const blockBytes = 256 * 1024;

/**
 * A source that asks for whole blocks and keeps the latest ones: archive readers make many small reads, each of which
 * would be a request. `first` is the already known block.
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
    // Moved to the end: the first entry of the map is the least recently used one.
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
        if (part.byteLength === 0) throw new Error("the storage returned fewer bytes than the object has");
        bytes.set(part, at - offset);
        at += part.byteLength;
      }
      return bytes;
    },
  };
}
