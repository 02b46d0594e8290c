import { propertyRuns } from "@packhouse/fixtures/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concatenate } from "./archive/concatenate.ts";
import { type ByteSource, blobSource, bytesOf, chunksOf, readOnceIfSmall } from "./byte-source.ts";

describe("a source of bytes", () => {
  const sources = {
    bytesOf,
    blobSource: (bytes: Uint8Array) => blobSource(new Blob([new Uint8Array(bytes)])),
    readOnceIfSmall: (bytes: Uint8Array) => readOnceIfSmall(bytesOf(bytes)),
  };

  test.each(Object.entries(sources))("from %s is read in chunks of any size", async (_, sourceOf) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 400 }), async (bytes, size) => {
        const chunks = await Array.fromAsync(chunksOf(sourceOf(bytes), { chunkSize: size }));
        expect(concatenate(chunks)).toEqual(bytes);
        expect(chunks.every((chunk) => chunk.byteLength <= size)).toBe(true);
      }),
      propertyRuns(100),
    );
  });

  test("ends at its end, whatever is requested", async () => {
    const source = blobSource(new Blob(["package"]));
    expect(source.size).toBe(7);
    expect(new TextDecoder().decode(await source.read(4, 100))).toBe("age");
  });

  test("is read once if it is small, and in the parts that are asked for if it is not", async () => {
    const reads: [offset: number, length: number][] = [];
    const sourceOf = (size: number): ByteSource => ({
      size,
      read: async (offset, length) => {
        reads.push([offset, length]);
        return new Uint8Array(Math.min(length, size - offset)).fill(offset);
      },
    });
    const small = readOnceIfSmall(sourceOf(1000));
    expect((await Promise.all([small.read(0, 2), small.read(990, 100)])).map((part) => part.length)).toEqual([2, 10]);
    const large = readOnceIfSmall(sourceOf(1_000_000));
    expect(await large.read(7, 2)).toEqual(Uint8Array.of(7, 7));
    expect(reads).toEqual([
      [0, 1000],
      [7, 2],
    ]);
  });
});
