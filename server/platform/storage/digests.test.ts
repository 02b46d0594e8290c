import { createHash, randomBytes } from "node:crypto";
import { cpuMs } from "@packhouse/fixtures/cpu-time";
import { concatenate } from "@packhouse/formats/archive/concatenate";
import { describe, expect, test } from "vitest";
import { digestsOfStream } from "./digests.ts";

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

describe("the digests of a stream", () => {
  test.each([
    ["nothing", 0, 100],
    ["a small file", 1000, 300],
    ["a file of exactly one block", 1024 * 1024, 64 * 1024],
    ["a large file", 5_000_001, 64 * 1024],
    ["a large file in one piece", 3_000_000, 3_000_000],
  ])("are those of its bytes, and all bytes are passed on: %s", async (_what, size, chunkSize) => {
    const bytes = randomBytes(size);
    const blocks: Uint8Array[] = [];
    const found = await digestsOfStream(chunks(bytes, chunkSize), async (block) => {
      blocks.push(new Uint8Array(block));
    });
    expect(found).toEqual({ digests: expected(bytes), size });
    expect(Buffer.compare(concatenate(blocks), bytes)).toBe(0);
  });

  test("of a large file are computed on another thread, so that this one can receive and write it", async () => {
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
    const elsewhere = await leastMs(() => digestsOfStream(chunks(bytes, 64 * 1024)));
    expect(elsewhere).toBeLessThan(here * 0.7);
  });

  test("of several at the same time are not mixed up", async () => {
    const files = [3_000_000, 2_000_000, 4_000_000].map((size) => randomBytes(size));
    const found = await Promise.all(files.map((bytes) => digestsOfStream(chunks(bytes, 50_000))));
    expect(found.map(({ digests }) => digests)).toEqual(files.map(expected));
  });

  test("are not awaited once the stream or its reader has failed, and later ones are right", async () => {
    const failing = async function* () {
      yield* chunks(randomBytes(3_000_000), 1_000_000);
      throw new Error("the sender is gone");
    };
    await expect(digestsOfStream(failing())).rejects.toThrow("the sender is gone");
    const full = () => Promise.reject(new Error("the disk is full"));
    await expect(digestsOfStream(chunks(randomBytes(3_000_000), 100_000), full)).rejects.toThrow("the disk is full");
    const bytes = randomBytes(2_000_000);
    expect((await digestsOfStream(chunks(bytes, 100_000))).digests).toEqual(expected(bytes));
  });
});
