import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFolderStorage } from "../folder-storage.ts";
import { ObjectMissing, type ObjectStorage, stage } from "../storage.ts";
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

const small = () => randomBytes(10_000);

test("a small object is read from memory after it was stored, whole or in part", async () => {
  const bytes = small();
  const digest = await stored(bytes);
  await behind.remove(digest);
  const { length } = bytes;
  expect(await buffer(await storage.readToPipe(digest, undefined, length))).toEqual(bytes);
  expect(await buffer(await storage.readToPipe(digest, { start: 10, end: 19 }, length))).toEqual(
    bytes.subarray(10, 20),
  );
  expect(await buffer(await storage.read(digest))).toEqual(bytes);
  const source = await storage.source(digest);
  expect([source.size, Buffer.from(await source.read(9_990, 100))]).toEqual([length, bytes.subarray(9_990)]);
});

test.for<[string, (digest: string, size: number) => Promise<unknown>]>([
  ["sent", async (digest, size) => buffer(await storage.readToPipe(digest, undefined, size))],
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
  await buffer(await storage.readToPipe(part, { start: 0, end: 9 }, bytes.length));
  const large = await stored(randomBytes(300_000));
  await buffer(await storage.readToPipe(large, undefined, 300_000));
  await storage.source(large);
  for (const digest of [part, large]) {
    await behind.remove(digest);
    await expect(storage.read(digest)).rejects.toThrow(ObjectMissing);
  }
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
  await expect(storage.readToPipe(digest, undefined, 10_000)).rejects.toThrow(ObjectMissing);
  slow[0]?.destroy();
  await expect.poll(async () => (await buffer(await storage.read(digest))).length).toBe(10_000);
  for (const stream of slow) stream.destroy();
});
