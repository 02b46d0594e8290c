import type { Readable } from "node:stream";
import type { ByteSource } from "@packhouse/formats/byte-source";
import type { Digests } from "../db/schema.ts";

/** Package bytes by their SHA-256. An object is written once and never changed. */
export interface ObjectStorage {
  /** Takes a stream in under a name that nobody reads. Throws `ObjectTooLarge`. */
  stage(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedObject>;
  has(digest: string): Promise<boolean>;
  /** Bytes of an object, undefined when there is none. */
  size(digest: string): Promise<number | undefined>;
  /** The object's bytes, or those of a range with both ends included. */
  read(digest: string, range?: { start: number; end: number }): Promise<Readable>;
  source(digest: string): Promise<ByteSource>;
  /** Puts the object into a file for everybody to read: by another name for the same bytes where that can be, else by a copy. */
  placeAt(digest: string, path: string): Promise<void>;
  /** Removes an object; one that is not there is removed already. */
  remove(digest: string): Promise<void>;
  /** Every object that is there, in no order. */
  list(): AsyncIterable<StoredObject>;
  /** Whether objects can be read at all, asked as cheaply as that can be; throws when they cannot. */
  probe(): Promise<void>;
}

export interface StoredObject {
  digest: string;
  size: number;
}

/** Bytes that have arrived but belong to nothing yet. `discard` ends them, kept or not; so does a crash. */
export interface StagedObject {
  /** All six digests, lower-case hexadecimal, computed while the bytes came in. */
  readonly digests: Digests;
  readonly size: number;
  readonly source: ByteSource;
  /** Makes the bytes readable under their SHA-256, on disk for good when it returns; again, if they were removed. */
  keep(): Promise<void>;
  discard(): Promise<void>;
}

export class ObjectTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
  }
}

/** The object should be there, since a row names it, and is not. */
export class ObjectMissing extends Error {
  constructor(digest: string) {
    super(`no object ${digest}`);
  }
}

/** The storage cannot be reached, or has failed on its side: the same call may succeed in a moment. */
export class StorageUnavailable extends Error {}
