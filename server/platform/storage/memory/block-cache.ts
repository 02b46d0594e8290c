/** A least-recently-used cache limited by bytes. Values never change under their key, so nothing goes stale. */
export interface BlockCache {
  get(digest: string): Buffer | undefined;
  put(digest: string, bytes: Buffer): void;
  remove(digest: string): void;
}

export function createBlockCache(maxBytes: number): BlockCache {
  // A map iterates in the order of insertion: the first entry is the one that has not been used for longest.
  const blocks = new Map<string, Buffer>();
  let size = 0;
  return {
    get(digest) {
      const bytes = blocks.get(digest);
      if (bytes) {
        blocks.delete(digest);
        blocks.set(digest, bytes);
      }
      return bytes;
    },
    put(digest, bytes) {
      if (bytes.length > maxBytes / 4 || blocks.has(digest)) return;
      blocks.set(digest, inMemoryOfItsOwn(bytes));
      size += bytes.length;
      for (const [oldest, { length }] of blocks) {
        if (size <= maxBytes) break;
        blocks.delete(oldest);
        size -= length;
      }
    },
    remove(digest) {
      size -= blocks.get(digest)?.length ?? 0;
      blocks.delete(digest);
    },
  };
}

/** A small Buffer is a window on memory that it shares with others (`Buffer.poolSize`), and would keep all of that. */
function inMemoryOfItsOwn(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
