import type { Readable } from "node:stream";
import type { ByteSource } from "@packhouse/formats/byte-source";
import type { Digests } from "../db/schema.ts";

/** A part of some bytes, with both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Package bytes by their SHA-256. An object is written once and never changed. */
export interface ObjectStorage {
  /**
   * Stages a stream under a private name; its digests may come later than its bytes, but sooner if it is known to be
   * large. Throws `ObjectTooLarge`.
   */
  receive(chunks: AsyncIterable<Uint8Array>, maxBytes: number, expectedBytes?: number): Promise<ReceivedObject>;
  has(digest: string): Promise<boolean>;
  /** Size of an object in bytes, undefined if there is none. */
  size(digest: string): Promise<number | undefined>;
  /** The object's bytes, or those of a range. */
  read(digest: string, range?: ByteRange): Promise<Readable>;
  /**
   * The same to be sent as a response: nothing may keep a chunk of a stream, because its memory is used again, and nothing
   * may write to bytes. `size` is that of the whole object, if the caller knows it.
   */
  readToSend(digest: string, range?: ByteRange, size?: number): Promise<Readable | Buffer>;
  /** A bucket's own address of the bytes, for anyone who gets it within the next minute; they are sent as this type. */
  temporaryAddress?(digest: string, type: string): Promise<string>;
  source(digest: string): Promise<ByteSource>;
  /** Puts the object into a file for everyone to read: as a hard link if possible, else as a copy. */
  placeAt(digest: string, path: string): Promise<void>;
  /** Removes an object; does nothing if it is missing. */
  remove(digest: string): Promise<void>;
  /** Every stored object, in no particular order. */
  list(): AsyncIterable<StoredObject>;
  /** Checks, as cheaply as possible, that objects can be read; throws if they cannot. */
  probe(): Promise<void>;
}

export interface StoredObject {
  digest: string;
  size: number;
}

/** Bytes that have arrived but belong to nothing yet. */
export interface ReceivedObject {
  readonly size: number;
  readonly source: ByteSource;
  /** The same with its digests, once they are computed. */
  staged(): Promise<StagedObject>;
  /** Removes the staged file, whether its bytes are kept or not; so does a crash. */
  discard(): Promise<void>;
}

export interface StagedObject extends ReceivedObject {
  /** All six digests, lower-case hexadecimal. */
  readonly digests: Digests;
  /** Makes the bytes readable under their SHA-256, durably when it returns; again, if they were removed. */
  keep(): Promise<void>;
}

/** Stages a stream and waits for its digests. */
export const stage = async (
  storage: ObjectStorage,
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<StagedObject> => withDigests(await storage.receive(chunks, maxBytes));

/** Waits for the digests; discards the bytes if they cannot be computed. */
export const withDigests = (received: ReceivedObject): Promise<StagedObject> =>
  received.staged().catch(async (error: unknown) => {
    await received.discard();
    throw error;
  });

export class ObjectTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
  }
}

/** An object that a row names is missing. */
export class ObjectMissing extends Error {
  constructor(digest: string) {
    super(`no object ${digest}`);
  }
}

/** The storage is unreachable or has failed: the same call may succeed in a moment. */
export class StorageUnavailable extends Error {}
