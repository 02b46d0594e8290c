import { deflateRawSync, gzipSync } from "node:zlib";
import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { expect, test } from "vitest";
import { isLzma, kindOfBytes } from "./file-kind.ts";

/** What `save` writes first, then zeros. */
const data = Buffer.concat([Buffer.from("RDX3\nX\n"), Buffer.alloc(2000)]);
const packed = gzipSync(data);
const comment = (length: number) =>
  Buffer.concat([
    packed.subarray(0, 3),
    Buffer.from([0x10]),
    packed.subarray(4, 10),
    Buffer.alloc(length, "built by R "),
    Buffer.alloc(1),
    packed.subarray(10),
  ]);
/** A block that holds nothing, and is not the last one. */
const emptyBlock = Buffer.from([0, 0, 0, 0xff, 0xff]);
const emptyBlocks = (count: number) =>
  Buffer.concat([packed.subarray(0, 10), ...Array<Buffer>(count).fill(emptyBlock), packed.subarray(10)]);

test.each<[string, Uint8Array]>([
  ["as R packs it", packed],
  ["behind a comment", comment(600)],
  ["behind a comment that is longer than a head", comment(20_000)],
  ["behind empty blocks", emptyBlocks(2000)],
  ["behind empty members", Buffer.concat([...Array<Buffer>(100).fill(gzipSync("")), packed])],
])("R data is recognized %s", (_, bytes) => {
  expect(kindOfBytes(bytes)).toBe("r-data");
});

test("other files that are packed with a name are archives, and damaged ones, too", () => {
  const text = gzipSync("height,at\n".repeat(100));
  expect(kindOfBytes(text)).toBe("archive");
  expect(kindOfBytes(text.subarray(0, 30))).toBe("archive");
  expect(kindOfBytes(Buffer.concat([text.subarray(0, 10), Buffer.alloc(100, 0xff)]))).toBe("archive");
});

test("what unpacks to very much is not unpacked", () => {
  const bomb = Buffer.concat([
    packed.subarray(0, 10),
    ...Array<Buffer>(20_000).fill(emptyBlock),
    deflateRawSync(Buffer.alloc(100 * 1024 * 1024)),
  ]);
  const start = cpuMs();
  expect(kindOfBytes(bomb)).toBe("r-data");
  expect(standardMs(cpuMs() - start)).toBeLessThan(2000);
});

test("LZMA is what R takes for it, not any number of these bytes", () => {
  expect(isLzma(Buffer.from("5d000080000000000000", "hex"))).toBe(true);
  expect(isLzma(Buffer.from("5d000000000000000000", "hex"))).toBe(false);
});
