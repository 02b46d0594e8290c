import { randomBytes } from "node:crypto";
import { crc32, deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type ByteSource, bytesOf } from "../byte-source.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { zipBeginning, zipContent, zipParts } from "./zip.ts";
import type { ZipMember } from "./zip-structure.ts";

const before = Buffer.from("before");
const behind = randomBytes(2_000_000);

/** A member between other bytes, as if a directory had described it. */
function memberOf(bytes: Buffer, difference: Partial<ZipMember> = {}): { source: ByteSource; member: ZipMember } {
  const packed = deflateRawSync(bytes);
  const member: ZipMember = {
    filename: "tides/a",
    segments: ["tides", "a"],
    isFolder: false,

    mode: 0,
    modified: null,
    method: 8,
    checksum: crc32(bytes),
    compressedSize: packed.byteLength,
    uncompressedSize: bytes.byteLength,
    dataOffset: before.byteLength,
    ...difference,
  };
  return { source: bytesOf(Buffer.concat([before, packed, behind])), member };
}

const damaged = expect.objectContaining({ codes: ["could.not.extract.file"], constructor: UnacceptablePackage });

/** Large ones are unpacked by zlib itself. */
describe.each([
  ["small", Buffer.concat([randomBytes(1000), Buffer.alloc(5000)])],
  ["large", Buffer.concat([randomBytes(1_500_000), Buffer.alloc(5_000_000)])],
])("a %s member of a zip", (_size, bytes) => {
  const most = bytes.byteLength;
  const packedSize = deflateRawSync(bytes).byteLength;

  test("is unpacked, as a whole or its beginning", async () => {
    const { source, member } = memberOf(bytes);
    expect(bytes.equals(await zipContent(source, member, most))).toBe(true);
    for (const length of [0, 1, 999, most - 1, most, most + 1])
      expect(bytes.subarray(0, length).equals(await zipBeginning(source, member, length))).toBe(true);
  });

  test.each<[string, Partial<ZipMember>]>([
    ["ends too early", { compressedSize: packedSize - 1 }],
    ["is followed by something", { compressedSize: packedSize + 1 }],
    ["is followed by much", { compressedSize: packedSize + 1_500_000 }],
    ["reaches beyond the end of the file", { compressedSize: packedSize + 3_000_000 }],
    ["is longer than declared", { uncompressedSize: most - 1 }],
    ["is shorter than declared", { uncompressedSize: most + 1 }],
    ["has another checksum", { checksum: 1 }],
  ])("is refused if it %s", async (_reason, difference) => {
    const { source, member } = memberOf(bytes, difference);
    await expect(zipContent(source, member, most + 1)).rejects.toEqual(damaged);
    await expect(zipBeginning(source, member, 1)).rejects.toEqual(damaged);
  });

  test("is refused if its bytes are not compressed ones", async () => {
    const { source, member } = memberOf(bytes, { dataOffset: before.byteLength + packedSize });
    await expect(zipContent(source, member, most)).rejects.toEqual(damaged);
  });

  test("ends with the error of what cannot be read", async () => {
    const { source, member } = memberOf(bytes);
    const failing = { ...source, read: () => Promise.reject(new Error("the disk failed")) };
    await expect(zipContent(failing, member, most)).rejects.toThrow("the disk failed");
  });
});

test("a member that unpacks to more than it declares is refused before all of it is unpacked", async () => {
  const { source, member } = memberOf(Buffer.alloc(200_000_000), { uncompressedSize: 300_000 });
  let unpacked = 0;
  await expect(async () => {
    for await (const part of zipParts(source, member)) unpacked += part.byteLength;
  }).rejects.toEqual(damaged);
  expect(unpacked).toBeLessThanOrEqual(300_000);
});
