import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { bytesOf } from "@packhouse/formats/byte-source";
import type { ObjectStorage, ReceivedObject, StagedObject } from "../storage.ts";
import { createBlockCache } from "./block-cache.ts";

/** In bytes: most packages are smaller. */
const largest = 256 * 1024;
const mostBytes = 32 * 1024 * 1024;
/** Streams at once that hold an object in memory: a slow one does even after the cache has dropped it. */
const mostStreams = 100;

/**
 * A storage that keeps in memory the small objects that were uploaded or read last: a request to a bucket costs many
 * times what it takes to send one. Objects never change, and who may read one is decided before its bytes are asked for.
 */
export function withSmallObjects(storage: ObjectStorage): ObjectStorage {
  const known = createBlockCache(mostBytes);
  let streams = 0;

  const remember = (digest: string, bytes: Uint8Array): Buffer => {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    known.put(digest, whole);
    return whole;
  };
  const streamOf = (bytes: Buffer, range?: { start: number; end: number }): Readable => {
    streams += 1;
    const stream = Readable.from(range ? bytes.subarray(range.start, range.end + 1) : bytes);
    return stream.once("close", () => {
      streams -= 1;
    });
  };
  const fetched = async (digest: string): Promise<Buffer> => {
    streams += 1;
    try {
      return remember(digest, await buffer(await storage.read(digest)));
    } finally {
      streams -= 1;
    }
  };
  const kept = (digest: string) => (streams < mostStreams ? known.get(digest) : undefined);

  const rememberingReceived = ({ staged, ...received }: ReceivedObject): ReceivedObject => ({
    ...received,
    staged: async () => rememberingStaged(await staged()),
  });
  const rememberingStaged = (it: StagedObject): StagedObject => ({
    ...it,
    ...rememberingReceived(it),
    async keep() {
      await it.keep();
      if (it.size > 0 && it.size <= largest) remember(it.digests.sha256, await it.source.read(0, it.size));
    },
  });

  return {
    ...storage,
    receive: async (chunks, maxBytes, expectedBytes) =>
      rememberingReceived(await storage.receive(chunks, maxBytes, expectedBytes)),
    async read(digest, range) {
      const bytes = kept(digest);
      return bytes ? streamOf(bytes, range) : storage.read(digest, range);
    },
    async readToPipe(digest, range, size) {
      const bytes = kept(digest);
      if (bytes) return streamOf(bytes, range);
      if (range || size === undefined || size > largest || streams >= mostStreams)
        return storage.readToPipe(digest, range, size);
      return streamOf(await fetched(digest));
    },
    async source(digest) {
      const bytes = known.get(digest);
      if (bytes) return bytesOf(bytes);
      const source = await storage.source(digest);
      if (source.size === 0 || source.size > largest) return source;
      return bytesOf(remember(digest, await source.read(0, source.size)));
    },
    async remove(digest) {
      known.remove(digest);
      await storage.remove(digest);
    },
  };
}
