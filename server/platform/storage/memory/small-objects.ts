import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { bytesOf } from "@packhouse/formats/byte-source";
import {
  type ByteRange,
  type ObjectStorage,
  type ReceivedObject,
  type StagedObject,
  StorageUnavailable,
} from "../storage.ts";
import { createBlockCache } from "./block-cache.ts";

/** In bytes: most packages are smaller. */
const largest = 256 * 1024;
const mostBytes = 32 * 1024 * 1024;
/** In bytes, of an object that is sent without a stream: a stream's buffer would take as much. */
const largestUnstreamed = 64 * 1024;
/**
 * Streams at once that hold an object in memory: a slow one does even after the cache has dropped it. What is sent without
 * a stream does not count, because it takes no more than any slow connection.
 */
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
  const partOf = (bytes: Buffer, range?: ByteRange): Buffer =>
    range ? bytes.subarray(range.start, range.end + 1) : bytes;
  const streamOf = (bytes: Buffer, range?: ByteRange): Readable => {
    streams += 1;
    return Readable.from(partOf(bytes, range)).once("close", () => {
      streams -= 1;
    });
  };
  const toSend = (bytes: Buffer, range?: ByteRange): Readable | Buffer =>
    bytes.length <= largestUnstreamed ? partOf(bytes, range) : streamOf(bytes, range);
  const fetched = async (digest: string, size: number): Promise<Buffer> => {
    streams += 1;
    try {
      const bytes = await buffer(await storage.read(digest));
      if (bytes.length !== size) throw new StorageUnavailable(`the storage has ${bytes.length} of ${size} bytes`);
      return remember(digest, bytes);
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
    async readToSend(digest, range, size) {
      const bytes = kept(digest);
      if (bytes) return toSend(bytes, range);
      if (range || size === undefined || size > largest || streams >= mostStreams)
        return storage.readToSend(digest, range, size);
      return toSend(await fetched(digest, size));
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
