import { propertyRuns } from "@packhouse/fixtures/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { concatenate } from "./archive/concatenate.ts";
import { blobSource, bytesOf, chunksOf } from "./byte-source.ts";

describe("a source of bytes", () => {
  const sources = { bytesOf, blobSource: (bytes: Uint8Array) => blobSource(new Blob([new Uint8Array(bytes)])) };

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
});
