import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { propertyRuns } from "@packhouse/fixtures/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ByteSource, bytesOf } from "../byte-source.ts";
import { defaultLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { concatenate } from "./concatenate.ts";
import { gunzip } from "./gunzip.ts";
import { nativeInflate } from "./native-inflate.ts";

const refusal = (...codes: string[]) => expect.objectContaining({ codes, constructor: UnacceptablePackage });

/** Returns only a few bytes per read, as a file on the other side of a network may. */
const trickling = (bytes: Uint8Array, most: number): ByteSource => ({
  size: bytes.byteLength,
  read: async (offset, length) => bytes.subarray(offset, offset + Math.min(length, most)),
});

describe.each([
  ["by zlib itself", nativeInflate],
  ["in JavaScript, as in a browser", null],
] as const)("unpacking gzip %s", (_how, inflate) => {
  const unpack = async (source: ByteSource, limits = defaultLimits) =>
    concatenate(await Array.fromAsync(gunzip(source, limits, inflate)));

  test("returns what was packed, in any number of concatenated members and chunks", async () => {
    const member = fc.uint8Array({ maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(member, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 2, max: 60 }),
        async (members, most) => {
          const packed = concatenate(members.map((bytes) => gzipSync(bytes)));
          expect(await unpack(trickling(packed, most))).toEqual(concatenate(members));
        },
      ),
      propertyRuns(100),
    );
  });

  test("ignores junk after the last member and loses nothing before it, also with a slow reader", async () => {
    const bytes = concatenate([randomBytes(200_000), new Uint8Array(300_000)]);
    const source = bytesOf(concatenate([gzipSync(bytes), Buffer.from("\0\0\0 something else")]));
    const parts = [];
    for await (const part of gunzip(source, defaultLimits, inflate)) {
      parts.push(part);
      // fixed wait: a slow reader
      await setTimeout(1);
    }
    expect(concatenate(parts)).toEqual(new Uint8Array(bytes));
  });

  test("refuses every truncated file", async () => {
    const packed = gzipSync(randomBytes(100));
    for (let length = 2; length < packed.length; length += 1)
      await expect(unpack(bytesOf(packed.subarray(0, length)))).rejects.toEqual(refusal("could.not.extract.file"));
  });

  test.each([
    ["the checksum", -8],
    ["the length", -4],
  ])("refuses a member when %s at its end is wrong", async (_, offset) => {
    const packed = gzipSync("a package");
    packed.writeUInt8(packed.readUInt8(packed.length + offset) ^ 1, packed.length + offset);
    await expect(unpack(bytesOf(packed))).rejects.toEqual(refusal("could.not.extract.file"));
  });

  test("refuses what is not gzip", async () => {
    for (const text of ["", "BZh91AY&SY", "<!DOCTYPE html>"])
      await expect(unpack(bytesOf(Buffer.from(text)))).rejects.toEqual(refusal("could.not.extract.file"));
  });

  test("stops at the limit, not after it", async () => {
    const source = bytesOf(gzipSync(Buffer.alloc(32 * 1024 * 1024)));
    let unpacked = 0;
    const limits = { ...defaultLimits, maxUnpackedBytes: 1024 * 1024 };
    await expect(async () => {
      for await (const part of gunzip(source, limits, inflate)) unpacked += part.byteLength;
    }).rejects.toEqual(refusal("archive.too.large"));
    expect(unpacked).toBeLessThanOrEqual(limits.maxUnpackedBytes);
  });

  test("refuses large files that are denser than any package", async () => {
    const dense = gzipSync(Buffer.alloc(65 * 1024 * 1024));
    await expect(unpack(bytesOf(dense))).rejects.toEqual(refusal("archive.too.large"));
    expect(await unpack(bytesOf(dense), { ...defaultLimits, maxRatio: 2000 })).toHaveLength(65 * 1024 * 1024);
  });

  test("yields to other work", async () => {
    let turns = 0;
    const others = setInterval(() => (turns += 1), 0);
    await unpack(bytesOf(gzipSync(Buffer.alloc(32 * 1024 * 1024))));
    clearInterval(others);
    expect(turns).toBeGreaterThan(3);
  });
});
