import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { finished, pipeline } from "node:stream/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ObjectStore, startObjectStore } from "../../testing/servers/object-store.ts";
import { s3Address } from "../settings/s3-address.ts";
import { openFolderStorage } from "./folder-storage.ts";
import { withSmallObjects } from "./memory/small-objects.ts";
import { openS3Storage } from "./s3-storage.ts";
import { type ByteRange, type ObjectStorage, ObjectTooLarge, type StagedObject, stage } from "./storage.ts";

/** The behavior of every storage, whatever its backend. */

const mebibyte = 1024 * 1024;
const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const nowhere = digestOf(Buffer.from("never stored"));

async function* inChunks(bytes: Uint8Array, length = 64 * 1024) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/** Looks at each chunk when it can be sent, like a connection. */
async function sent(read: Promise<Readable | Buffer>): Promise<string> {
  const it = await read;
  const source = Buffer.isBuffer(it) ? Readable.from(it) : it;
  const hash = createHash("sha256");
  const reader = new Writable({
    highWaterMark: 64 * 1024,
    write(chunk: Buffer, _encoding, done) {
      setImmediate(() => {
        hash.update(chunk);
        done();
      });
    },
  });
  source.pipe(reader);
  await finished(reader);
  return hash.digest("hex");
}

interface Opened {
  storage: ObjectStorage;
  /** Where staged bytes are. */
  incoming: string;
  close(): void;
}

let store: ObjectStore | undefined;
async function openBucket(folder: string): Promise<Opened> {
  store ??= await startObjectStore();
  Object.assign(process.env, store.credentials);
  const address = s3Address.parse((await store.makeBucket()).replace("?", "/some/prefix?"));
  const storage = await openS3Storage({ address, stagingFolder: join(folder, "incoming") });
  return { storage, incoming: join(folder, "incoming"), close: () => storage.close() };
}
const kinds: Record<string, (folder: string) => Promise<Opened>> = {
  async "a folder"(folder) {
    return { storage: await openFolderStorage(folder), incoming: join(folder, "incoming"), close() {} };
  },
  "a bucket": openBucket,
  async "a bucket, with small objects in memory"(folder) {
    const opened = await openBucket(folder);
    return { ...opened, storage: withSmallObjects(opened.storage) };
  },
};
afterAll(() => store?.stop());

describe.each(Object.keys(kinds))("a storage in %s", (kind) => {
  let folder: string;
  let opened: Opened;
  let storage: ObjectStorage;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "packhouse-storage-"));
    opened = await (kinds[kind] as (typeof kinds)[string])(join(folder, "storage")); // one of its keys
    storage = opened.storage;
  });
  afterAll(async () => {
    opened.close();
    await rm(folder, { recursive: true, force: true });
  });

  const stageBytes = (bytes: Uint8Array, maxBytes = bytes.length) => stage(storage, inChunks(bytes), maxBytes);
  async function kept(bytes: Uint8Array): Promise<string> {
    const staged = await stageBytes(bytes);
    await staged.keep();
    await staged.discard();
    return staged.digests.sha256;
  }
  const readAll = async (digest: string, range?: ByteRange) => buffer(await storage.read(digest, range));
  async function listed(): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    for await (const { digest, size } of storage.list()) found[digest] = size;
    return found;
  }

  test("computes every digest while the bytes arrive", async () => {
    const staged = await stageBytes(Buffer.from("content"));
    for (const name of ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"] as const)
      expect(staged.digests[name]).toBe(createHash(name).update("content").digest("hex"));
    expect(staged.size).toBe(7);
    await staged.discard();
  });

  test("does not expose staged bytes, and discards them", async () => {
    const bytes = randomBytes(100_000); // smaller ones may be in memory
    const staged = await stageBytes(bytes);
    expect(Buffer.from(await staged.source.read(10, 20))).toEqual(bytes.subarray(10, 30));
    expect(await storage.has(staged.digests.sha256)).toBe(false);
    expect(await readdir(opened.incoming)).toHaveLength(1);
    await staged.discard();
    await staged.discard();
    expect(await readdir(opened.incoming)).toEqual([]);
    expect(await storage.has(staged.digests.sha256)).toBe(false);
  });

  test("accepts bytes up to the limit, and not one more", async () => {
    const bytes = randomBytes(5000);
    await (await stageBytes(bytes, 5000)).discard();
    await expect(stageBytes(bytes, 4999)).rejects.toThrow(ObjectTooLarge);
    expect(await readdir(opened.incoming)).toEqual([]);
  });

  test("leaves nothing of an aborted stream", async () => {
    async function* broken() {
      yield randomBytes(100);
      throw new Error("broken off");
    }
    await expect(stage(storage, broken(), 1000)).rejects.toThrow("broken off");
    expect(await readdir(opened.incoming)).toEqual([]);
  });

  test("keeps, and keeps again", async () => {
    const bytes = randomBytes(2000);
    const staged = await stageBytes(bytes);
    await staged.keep();
    await staged.keep();
    const digest = digestOf(bytes);
    expect([await storage.has(digest), await storage.size(digest)]).toEqual([true, 2000]);
    expect(await readAll(digest)).toEqual(bytes);
    await storage.remove(digest);
    expect(await storage.has(digest)).toBe(false);
    await staged.keep();
    await staged.discard();
    expect(await readAll(digest)).toEqual(bytes);
  });

  test("accepts the same bytes from many concurrent callers", async () => {
    const bytes = randomBytes(100_000);
    const all: StagedObject[] = await Promise.all(Array.from({ length: 6 }, () => stageBytes(bytes)));
    await Promise.all(all.map((staged) => staged.keep()));
    await Promise.all(all.map((staged) => staged.discard()));
    expect(await readAll(digestOf(bytes))).toEqual(bytes);
    expect((await listed())[digestOf(bytes)]).toBe(100_000);
  });

  test("has objects without bytes", async () => {
    const digest = await kept(Buffer.alloc(0));
    expect([await storage.has(digest), await storage.size(digest)]).toEqual([true, 0]);
    expect(await readAll(digest)).toHaveLength(0);
    const source = await storage.source(digest);
    expect([source.size, (await source.read(0, 10)).length]).toEqual([0, 0]);
  });

  test.each([1, 1000, 256 * 1024, 3 * mebibyte + 17])("sends %d bytes to a slow reader as they are", async (length) => {
    const bytes = randomBytes(length);
    const digest = await kept(bytes);
    expect(await sent(storage.readToSend(digest))).toBe(digestOf(bytes));
    const range = { start: Math.floor(length / 3), end: length - 1 };
    expect(await sent(storage.readToSend(digest, range))).toBe(digestOf(bytes.subarray(range.start)));
  });

  test("ends a stream when its reader leaves", async () => {
    const digest = await kept(randomBytes(2 * mebibyte));
    const source = await storage.readToSend(digest);
    if (Buffer.isBuffer(source)) throw new Error("as large an object is streamed");
    const leaving = new Writable({ write: (_chunk, _encoding, done) => done(new Error("left")) });
    await expect(pipeline(source, leaving)).rejects.toThrow("left");
    await expect.poll(() => source.closed).toBe(true);
    await expect(storage.readToSend(nowhere)).rejects.toThrow(nowhere);
  });

  test("reads ranges with both ends", async () => {
    const bytes = randomBytes(3000);
    const digest = await kept(bytes);
    expect(await readAll(digest, { start: 0, end: 0 })).toEqual(bytes.subarray(0, 1));
    expect(await readAll(digest, { start: 1000, end: 1999 })).toEqual(bytes.subarray(1000, 2000));
    expect(await readAll(digest, { start: 2990, end: 2999 })).toEqual(bytes.subarray(2990));
  });

  test("is a source of any part", async () => {
    const bytes = randomBytes(mebibyte + 77);
    const source = await storage.source(await kept(bytes));
    expect(source.size).toBe(bytes.length);
    for (const [offset, length] of [
      [0, 10],
      [bytes.length - 22, 22],
      [bytes.length - 5, 100],
      [bytes.length, 10],
      [262_100, 100],
      [200_000, 700_000],
      [0, bytes.length],
    ] as const)
      expect(Buffer.from(await source.read(offset, length)).equals(bytes.subarray(offset, offset + length))).toBe(true);
  });

  test("stores large objects completely", { timeout: 120_000 }, async () => {
    const bytes = randomBytes(20 * mebibyte + 3);
    const digest = await kept(bytes);
    expect(digestOf(await readAll(digest))).toBe(digestOf(bytes));
    expect(await storage.size(digest)).toBe(bytes.length);
    const source = await storage.source(digest);
    expect(Buffer.from(await source.read(8 * mebibyte - 5, 10))).toEqual(
      bytes.subarray(8 * mebibyte - 5, 8 * mebibyte + 5),
    );
    await storage.remove(digest);
  });

  test("puts an object into a file that everyone may read", async () => {
    const bytes = randomBytes(4000);
    const digest = await kept(bytes);
    const place = join(folder, "placed");
    await mkdir(place);
    await storage.placeAt(digest, join(place, "file"));
    expect(await readFile(join(place, "file"))).toEqual(bytes);
    expect((await stat(join(place, "file"))).mode & 0o777).toBe(0o644);
    await expect(storage.placeAt(digest, join(place, "file"))).rejects.toMatchObject({ code: "EEXIST" });
  });

  test("lists what it holds, by name and size, and nothing else", async () => {
    const known = await listed();
    for (const size of [1, 2, 3]) known[await kept(randomBytes(size))] = size;
    const staged = await stageBytes(randomBytes(10));
    expect(await listed()).toEqual(known);
    await staged.discard();
  });

  test("removes objects, including missing ones", async () => {
    const digest = await kept(randomBytes(10));
    await storage.remove(digest);
    await storage.remove(digest);
    expect([await storage.has(digest), digest in (await listed())]).toEqual([false, false]);
  });

  test("reports missing objects", async () => {
    expect([await storage.has(nowhere), await storage.size(nowhere)]).toEqual([false, undefined]);
    for (const attempt of [
      () => storage.read(nowhere),
      () => storage.source(nowhere),
      () => storage.placeAt(nowhere, join(folder, "missing")),
    ])
      await expect(attempt()).rejects.toThrow(`no object ${nowhere}`);
  });

  test("a reader that disconnects releases its resources", async () => {
    const digest = await kept(randomBytes(3 * mebibyte));
    const stream = await storage.read(digest);
    for await (const _chunk of stream) break;
    await expect.poll(() => stream.destroyed).toBe(true);
  });
});
