import type { Readable } from "node:stream";
import {
  ObjectMissing,
  type ObjectStorage,
  ObjectTooLarge,
  type ReceivedObject,
  type StagedObject,
} from "../storage/storage.ts";
import { inSpan } from "./trace.ts";
import type { Watch } from "./watch.ts";

/** A storage whose operations are spans, and whose failures are counted. */
export function watchedStorage(storage: ObjectStorage, watch: Pick<Watch, "storageFailed">): ObjectStorage {
  const failed = (operation: string, error: unknown) => {
    if (isFault(error)) watch.storageFailed(operation);
  };
  const observed = <Result>(operation: string, work: () => Promise<Result>): Promise<Result> =>
    inSpan({ name: `storage ${operation}`, kind: "client", attributes: {} }, async () => {
      try {
        return await work();
      } catch (error) {
        failed(operation, error);
        throw error;
      }
    });
  const watchedStream = (stream: Readable): Readable => stream.once("error", (error) => failed("read", error));
  const watchedReceived = ({ size, source, staged, discard }: ReceivedObject): ReceivedObject => ({
    size,
    source,
    staged: async () => watchedStaged(await staged()),
    discard: () => observed("discard", discard),
  });
  const watchedStaged = ({ digests, keep, ...received }: StagedObject): StagedObject => ({
    ...watchedReceived(received),
    digests,
    keep: () => observed("keep", keep),
  });

  const { temporaryAddress } = storage;
  return {
    ...(temporaryAddress
      ? { temporaryAddress: (digest, type) => observed("address", () => temporaryAddress(digest, type)) }
      : {}),
    async receive(chunks, maxBytes, expectedBytes) {
      // Aborted uploads are usually caused by the sender, not by the storage.
      const sender: { error?: unknown } = {};
      const received = async function* () {
        try {
          yield* chunks;
        } catch (error) {
          sender.error = error;
          throw error;
        }
      };
      return inSpan({ name: "storage stage", kind: "client", attributes: {} }, async () => {
        try {
          return watchedReceived(await storage.receive(received(), maxBytes, expectedBytes));
        } catch (error) {
          if (error !== sender.error) failed("stage", error);
          throw error;
        }
      });
    },
    has: (digest) => observed("has", () => storage.has(digest)),
    size: (digest) => observed("size", () => storage.size(digest)),
    read: (digest, range) => observed("read", async () => watchedStream(await storage.read(digest, range))),
    readToSend: (digest, range, size) =>
      observed("read", async () => {
        const read = await storage.readToSend(digest, range, size);
        return Buffer.isBuffer(read) ? read : watchedStream(read);
      }),
    source: (digest) => observed("source", () => storage.source(digest)),
    placeAt: (digest, path) => observed("place", () => storage.placeAt(digest, path)),
    remove: (digest) => observed("remove", () => storage.remove(digest)),
    async *list() {
      try {
        yield* storage.list();
      } catch (error) {
        failed("list", error);
        throw error;
      }
    },
    probe: () => observed("probe", () => storage.probe()),
  };
}

/** Excludes expected failures and readers that disconnected. */
function isFault(error: unknown): boolean {
  if (error instanceof ObjectMissing || error instanceof ObjectTooLarge) return false;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code !== "ABORT_ERR" && code !== "ERR_STREAM_PREMATURE_CLOSE";
}
