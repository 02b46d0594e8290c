import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuMs } from "@packhouse/fixtures/cpu-time";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { digestsOfStream } from "./digests.ts";
import { holdingSmall, openStaging } from "./staging.ts";
import { ObjectTooLarge } from "./storage.ts";

async function* chunks(bytes: Uint8Array, size: number) {
  for (let start = 0; start < bytes.byteLength; start += size) yield bytes.subarray(start, start + size);
}
const expected = (bytes: Uint8Array) =>
  Object.fromEntries(
    ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"].map((name) => [
      name,
      createHash(name).update(bytes).digest("hex"),
    ]),
  );

describe("a file that is staged", () => {
  let folder: string;
  let stage: Awaited<ReturnType<typeof openStaging>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "packhouse-staging-"));
    stage = await openStaging(folder, { stays: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const staged = (bytes: Uint8Array, chunkSize = 50_000, expectedBytes?: number) =>
    stage(chunks(bytes, chunkSize), bytes.byteLength, expectedBytes);

  test.each([
    ["nothing", 0, 100],
    ["a small file", 1000, 300],
    ["a file of exactly one block", 1024 * 1024, 64 * 1024],
    ["a file of one byte more", 1024 * 1024 + 1, 64 * 1024],
    ["a large file", 5_000_001, 64 * 1024],
    ["a large file in one piece", 3_000_000, 3_000_000],
  ])("has all bytes, and their digests: %s", async (_what, size, chunkSize) => {
    const bytes = randomBytes(size);
    const file = await staged(bytes, chunkSize);
    expect(file.source.size).toBe(size);
    expect(await file.digests).toEqual(expected(bytes));
    await file.synced;
    expect(Buffer.compare(await readFile(file.source.path), bytes)).toBe(0);
    await file.discard();
  });

  test("is hashed on another thread when it is large, so that this one can receive and write it", async () => {
    const bytes = randomBytes(32 * 1024 * 1024);
    const leastMs = async (work: () => Promise<unknown> | unknown) => {
      let least = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 3; round += 1) {
        const before = cpuMs();
        await work();
        least = Math.min(least, cpuMs() - before);
      }
      return least;
    };
    const here = await leastMs(() => expected(bytes));
    const elsewhere = await leastMs(async () => {
      const file = await staged(bytes, 64 * 1024);
      await file.digests;
      await file.discard();
    });
    expect(elsewhere).toBeLessThan(here * 0.7);
  });

  test("does not wait for its digests, which come when they are computed", async () => {
    const file = await staged(randomBytes(16 * 1024 * 1024));
    let known = false;
    void file.digests.then(() => {
      known = true;
    });
    await Promise.resolve();
    expect(known).toBe(false);
    await file.digests;
    await file.discard();
  });

  test("is not mixed up with others at the same time, whatever size they were expected to have", async () => {
    const all = [3_000_000, 2_000_000, 4_000_000, 10].map((size) => randomBytes(size));
    const files = await Promise.all(all.map((bytes, index) => staged(bytes, 50_000, index * 50_000_000)));
    expect(await Promise.all(files.map(({ digests }) => digests))).toEqual(all.map(expected));
    await Promise.all(files.map((file) => file.discard()));
  });

  test("leaves nothing when its sender fails or it is discarded before it is hashed, and later ones are right", async () => {
    const failing = async function* () {
      yield* chunks(randomBytes(3_000_000), 1_000_000);
      throw new Error("the sender is gone");
    };
    await expect(stage(failing(), 4_000_000)).rejects.toThrow("the sender is gone");
    await expect(stage(failing(), 4_000_000, 100_000_000)).rejects.toThrow("the sender is gone");
    await (await staged(randomBytes(8_000_000))).discard();
    await (await staged(randomBytes(8_000_000), 50_000, 100_000_000)).discard();
    expect(await readdir(folder)).toEqual([]);
    const bytes = randomBytes(2_000_000);
    const file = await staged(bytes);
    expect(await file.digests).toEqual(expected(bytes));
    await file.discard();
  });

  // Only Linux shows which files a process has open.
  test.runIf(existsSync("/proc/self/fd"))("takes no room as soon as it is discarded, or its sender fails", async () => {
    const targetOf = (descriptor: string) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`);
      } catch {
        return ""; // closed since, such as that of the listing itself
      }
    };
    const openHere = () =>
      readdirSync("/proc/self/fd")
        .map(targetOf)
        .filter((target) => target.startsWith(folder));
    const file = await staged(randomBytes(30_000_000), 1_000_000, 100_000_000);
    expect(openHere()).not.toEqual([]);
    await file.discard();
    expect(openHere()).toEqual([]);
    const failing = async function* () {
      yield* chunks(randomBytes(30_000_000), 1_000_000);
      throw new Error("the sender is gone");
    };
    await expect(stage(failing(), 40_000_000)).rejects.toThrow("the sender is gone");
    expect(openHere()).toEqual([]);
  });

  test("is discarded before larger files of others are hashed", async () => {
    const first = async () => {
      const large = await staged(randomBytes(48 * 1024 * 1024), 1024 * 1024);
      const discarded = staged(randomBytes(2 * 1024 * 1024)).then((file) => file.discard());
      const which = await Promise.race([discarded.then(() => "discarded"), large.digests.then(() => "hashed")]);
      await large.digests;
      await discarded;
      await large.discard();
      return which;
    };
    // On a busy machine, all may have been hashed before the other file has arrived.
    await expect.poll(first, { timeout: 10_000 }).toBe("discarded");
  });

  test("has no digests when it cannot be read, and others have", async () => {
    const vanishing = async function* () {
      for (const name of await readdir(folder)) await rm(join(folder, name));
      yield* chunks(randomBytes(3_000_000), 1_000_000);
    };
    const file = await stage(vanishing(), 3_000_000);
    await expect(file.digests).rejects.toThrow("ENOENT");
    const bytes = randomBytes(2_000_000);
    const other = await staged(bytes);
    expect(await other.digests).toEqual(expected(bytes));
    await Promise.all([file.discard(), other.discard()]);
  });
});

test("the digests of a stream are those of its bytes", async () => {
  const bytes = randomBytes(3_000_000);
  expect(await digestsOfStream(chunks(bytes, 64 * 1024))).toEqual({ digests: expected(bytes), size: 3_000_000 });
});

describe("a file that does not stay on this machine", () => {
  let folder: string;
  let stage: ReturnType<typeof holdingSmall>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "packhouse-staging-"));
    stage = holdingSmall(await openStaging(folder, { stays: false }));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each([
    ["nothing", 0, 100, 0],
    ["a small file in one piece", 1000, 1000, 0],
    ["a small file in pieces", 64 * 1024, 1000, 0],
    ["a file of one byte more, byte by byte", 64 * 1024 + 1, 1, 1],
    ["a large file", 3_000_000, 64 * 1024, 1],
  ])(
    "has all bytes and their digests, and no file of its own if it is small: %s",
    async (_what, size, chunkSize, files) => {
      const bytes = randomBytes(size);
      const staged = await stage(chunks(bytes, chunkSize), size);
      expect(await staged.digests).toEqual(expected(bytes));
      expect(staged.source.size).toBe(size);
      expect(Buffer.compare(await staged.source.read(0, size), bytes)).toBe(0);
      expect(await readdir(folder)).toHaveLength(files);
      await staged.discard();
      expect(await readdir(folder)).toEqual([]);
    },
  );

  test("is refused when it is too large, and leaves nothing when its sender fails", async () => {
    await expect(stage(chunks(randomBytes(1001), 100), 1000)).rejects.toThrow(ObjectTooLarge);
    await expect(stage(chunks(randomBytes(100_001), 1000), 100_000)).rejects.toThrow(ObjectTooLarge);
    const failing = async function* () {
      yield* chunks(randomBytes(100_000), 1000);
      throw new Error("the sender is gone");
    };
    await expect(stage(failing(), 200_000)).rejects.toThrow("the sender is gone");
    expect(await readdir(folder)).toEqual([]);
  });
});
