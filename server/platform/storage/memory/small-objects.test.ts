import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFolderStorage } from "../folder-storage.ts";
import { ObjectMissing, type ObjectStorage, StorageUnavailable, stage } from "../storage.ts";
import { withSmallObjects } from "./small-objects.ts";

/** What is read although the storage behind it has lost it was in memory. */
let behind: ObjectStorage;
let storage: ObjectStorage;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "packhouse-small-"));
  behind = await openFolderStorage(folder);
  storage = withSmallObjects(behind);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function stored(bytes: Uint8Array, by = storage): Promise<string> {
  const staged = await stage(
    by,
    (async function* () {
      yield bytes;
    })(),
    bytes.length,
  );
  await staged.keep();
  await staged.discard();
  return staged.digests.sha256;
}

const sent = async (it: Readable | Buffer): Promise<Buffer> => (Buffer.isBuffer(it) ? it : buffer(it));
const small = () => randomBytes(10_000);

test("a small object is read from memory after it was stored, whole or in part", async () => {
  const bytes = small();
  const digest = await stored(bytes);
  await behind.remove(digest);
  const { length } = bytes;
  expect(await storage.readToSend(digest, undefined, length)).toEqual(bytes);
  expect(await storage.readToSend(digest, { start: 10, end: 19 }, length)).toEqual(bytes.subarray(10, 20));
  expect(await buffer(await storage.read(digest))).toEqual(bytes);
  const source = await storage.source(digest);
  expect([source.size, Buffer.from(await source.read(9_990, 100))]).toEqual([length, bytes.subarray(9_990)]);
});

test.for<[string, (digest: string, size: number) => Promise<unknown>]>([
  ["sent", async (digest, size) => storage.readToSend(digest, undefined, size)],
  ["examined", (digest) => storage.source(digest)],
])("a small object is read from memory after it was %s", async ([, use]) => {
  const bytes = small();
  const digest = await stored(bytes, behind);
  await use(digest, bytes.length);
  await behind.remove(digest);
  expect(await buffer(await storage.read(digest))).toEqual(bytes);
});

test("a small object of which a part was sent is not kept, nor is a large one", async () => {
  const bytes = small();
  const part = await stored(bytes, behind);
  await sent(await storage.readToSend(part, { start: 0, end: 9 }, bytes.length));
  const large = await stored(randomBytes(300_000));
  await sent(await storage.readToSend(large, undefined, 300_000));
  await storage.source(large);
  for (const digest of [part, large]) {
    await behind.remove(digest);
    await expect(storage.read(digest)).rejects.toThrow(ObjectMissing);
  }
});

test("a larger object is streamed from memory, whole or in part", async () => {
  const bytes = randomBytes(100_000);
  const digest = await stored(bytes);
  await behind.remove(digest);
  for (const [range, expected] of [
    [undefined, bytes],
    [{ start: 10, end: 99_000 }, bytes.subarray(10, 99_001)],
  ] as const) {
    const stream = await storage.readToSend(digest, range, bytes.length);
    expect(stream).toBeInstanceOf(Readable);
    expect(await sent(stream)).toEqual(expected);
  }
});

test("a small object with another size than its record is not sent", async () => {
  const digest = await stored(small(), behind);
  await expect(storage.readToSend(digest, undefined, 10_001)).rejects.toThrow(StorageUnavailable);
  expect(await storage.readToSend(digest, undefined, 10_000)).toHaveLength(10_000);
});

test("a removed object is gone from memory", async () => {
  const digest = await stored(small());
  await storage.remove(digest);
  await expect(storage.read(digest)).rejects.toThrow(ObjectMissing);
  await expect(storage.source(digest)).rejects.toThrow(ObjectMissing);
});

test("a hundred readers at most hold objects in memory; the others read from the storage", async () => {
  const digest = await stored(small());
  await behind.remove(digest);
  const slow: Readable[] = [];
  for (let count = 0; count < 100; count += 1) slow.push(await storage.read(digest));
  await expect(storage.read(digest)).rejects.toThrow(ObjectMissing);
  await expect(storage.readToSend(digest, undefined, 10_000)).rejects.toThrow(ObjectMissing);
  slow[0]?.destroy();
  await expect.poll(async () => (await buffer(await storage.read(digest))).length).toBe(10_000);
  for (const stream of slow) stream.destroy();
});
