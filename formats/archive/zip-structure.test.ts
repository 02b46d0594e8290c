import { readZip as readByAnother } from "@packhouse/fixtures/archive-reading";
import { type ZipEnd, type ZipPart, zipOfParts } from "@packhouse/fixtures/zip-parts";
import { describe, expect, test } from "vitest";
import { bytesOf } from "../byte-source.ts";
import { defaultLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { zipContent } from "./zip.ts";
import { zipDirectory } from "./zip-structure.ts";

const text = (content: string) => Buffer.from(content);
const long = text("tide ".repeat(200));
const first: ZipPart = { name: "a.txt", bytes: long };
const second: ZipPart = { name: "b/c.txt", bytes: text("short") };

async function read(zip: Buffer) {
  const source = bytesOf(zip);
  const members = await zipDirectory(source, defaultLimits);
  return Promise.all(
    members.map(async (member) => ({
      path: member.filename,
      bytes: Buffer.from(await zipContent(source, member, defaultLimits.maxMetadataBytes)).toString(),
    })),
  );
}

const refusal = (code: string) => expect.objectContaining({ codes: [code], constructor: UnacceptablePackage });

/** Values of a ZIP64 field, or of another one. */
function extra(id: number, ...bytes: readonly number[]): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id);
  head.writeUInt16LE(bytes.length, 2);
  return Buffer.concat([head, Buffer.from(bytes)]);
}

/** A member that some readers find, after one that all readers find. */
const hidden = zipOfParts([{ name: "evil.pth", bytes: text("import os") }]);
const hiddenMember = hidden.subarray(0, hidden.readUInt32LE(hidden.length - 6));

describe("a zip", () => {
  test.for<[string, ZipPart[], ZipEnd]>([
    ["of two members", [first, second], {}],
    ["with a ZIP64 end", [first, second], { zip64: "plain" }],
    ["with a ZIP64 end that the other refers to", [first, second], { zip64: "escaped" }],
    [
      "of members with ZIP64 fields",
      [
        { ...first, zip64: true },
        { ...second, zip64: true },
      ],
      { zip64: "escaped" },
    ],
    [
      "with descriptors",
      [
        { ...first, behind: "descriptor" },
        { ...second, behind: "signed descriptor" },
      ],
      {},
    ],
    ["with large descriptors", [{ ...first, behind: "large descriptor", zip64: true }, second], {}],
    ["with folders", [{ name: "b/", unixMode: 0o40755 }, first, second], {}],
    ["with other extra fields", [{ ...first, local: { extra: extra(0x5455, 1, 2) } }, second], {}],
  ])("%s is read as another reader reads it", async ([, parts, end]) => {
    const zip = zipOfParts(parts, end);
    const theirs = await readByAnother(zip);
    expect(await read(zip)).toEqual(theirs.map(({ path, bytes }) => ({ path, bytes: Buffer.from(bytes).toString() })));
  });

  test.for<[string, ZipPart[], ZipEnd]>([
    ["a hidden member before the directory", [first], { beforeDirectory: hiddenMember }],
    ["a hidden member, with a ZIP64 end", [first], { beforeDirectory: hiddenMember, zip64: "plain" }],
    ["a hidden member, with a ZIP64 end referred to", [first], { beforeDirectory: hiddenMember, zip64: "escaped" }],
    ["a hidden member between two", [first, { ...second, listed: false }, { name: "d", bytes: long }], {}],
    ["a hidden first member", [{ ...first, listed: false }, second], {}],
    ["a hidden last member", [first, { ...second, listed: false }], { zip64: "escaped" }],
    [
      "a hidden member in place of a descriptor",
      [{ ...first, local: { flags: 0x808 }, central: { flags: 0x808 }, behind: text("x".repeat(16)) }],
      {},
    ],
    ["bytes after a member", [{ ...first, behind: text("more") }, second], {}],
    ["bytes before everything", [first, second], { beforeAll: text("#!/bin/sh\n") }],
    ["bytes after the end", [first], { behind: text("more") }],
    ["a whole zip after the end", [first], { behind: hidden }],
    ["a comment", [first], { comment: text("hello") }],
    ["a zip in its comment", [first], { comment: hidden }],
    ["bytes between the directory and its end", [first], { beforeEnd: text("more") }],
    ["bytes between the directory and its ZIP64 end", [first], { beforeEnd: text("more"), zip64: "escaped" }],
    ["ends that count differently", [first, second], { zip64: "plain", count: 1 }],
    ["a ZIP64 end that counts fewer", [first, second], { zip64: "escaped", count64: 1 }],
    ["ends with different offsets", [first, second], { zip64: "plain", directoryOffset64: 0 }],
    ["an end that refers to none", [first], { directoryOffset: 0xffff_ffff }],
    ["a ZIP64 end elsewhere", [first], { zip64: "escaped", locatorShift: -4 }],
    ["a ZIP64 field that is not needed", [{ ...first, central: { extra: extra(1, ...Array(8).fill(0)) } }], {}],
    ["two ZIP64 fields", [{ ...first, zip64: true, central: { extra: extra(1, ...Array(24).fill(0)) } }], {}],
    ["two sizes in ZIP64 fields", [{ ...first, zip64: true, local: { compressedSize: 1 } }], {}],
    ["two names", [{ ...first, local: { name: "A.txt" } }], {}],
    ["names of two lengths", [{ ...first, local: { name: "a.tx" } }], {}],
    ["another name in an extra field", [{ ...first, central: { extra: extra(0x7075, 1, 0, 0, 0, 0, 0x62) } }], {}],
    [
      "another name in the member's extra field",
      [{ ...first, local: { extra: extra(0x7075, 1, 0, 0, 0, 0, 0x62) } }],
      {},
    ],
    ["two methods", [{ ...first, local: { method: 0 } }], {}],
    ["two compressed sizes", [{ ...first, local: { compressedSize: 3 } }, second], {}],
    ["two sizes", [{ ...first, local: { uncompressedSize: 3 } }, second], {}],
    ["a stored member of two sizes", [{ ...second, central: { uncompressedSize: 3 } }], {}],
    ["different flags", [{ ...first, local: { flags: 0 } }], {}],
    ["a member twice", [first, second, first], {}],
    ["a member in two spellings", [first, { ...first, name: "./a.txt" }], {}],
    ["a file that is a folder", [{ name: "b", bytes: text("x") }, second], {}],
    ["a folder that is a file", [{ name: "b/c.txt/" }, second], {}],
    ["a folder with content", [{ name: "b/", bytes: text("x") }], {}],
    ["members that share their bytes", [first, { ...first, name: "b.txt", offset: () => 0 }], {}],
    ["a link", [first, { name: "link", bytes: text("/etc/passwd"), unixMode: 0o120777 }], {}],
    ["a device", [first, { name: "device", unixMode: 0o60666 }], {}],
    ["a pipe", [first, { name: "pipe", unixMode: 0o10666 }], {}],
    [
      "a member without a descriptor for its size",
      [
        {
          ...first,
          local: { flags: 0x808, checksum: 0, compressedSize: 0, uncompressedSize: 0 },
          central: { flags: 0x808 },
        },
      ],
      {},
    ],
  ])("with %s is refused", async ([, parts, end]) => {
    await expect(read(zipOfParts(parts, end))).rejects.toEqual(refusal("unsafe.archive.entry"));
  });

  test.for<[string, ZipPart[]]>([
    ["an encrypted member", [{ ...first, local: { flags: 0x801 }, central: { flags: 0x801 } }]],
    ["a strongly encrypted member", [{ ...first, local: { flags: 0x841 }, central: { flags: 0x841 } }]],
    ["an encrypted directory", [{ ...first, local: { flags: 0x2800 }, central: { flags: 0x2800 } }]],
    ["a method that not all readers support", [{ ...first, local: { method: 14 }, central: { method: 14 } }]],
    ["two checksums", [{ ...first, local: { checksum: 1 } }]],
    ["a wrong checksum", [{ ...first, local: { checksum: 1 }, central: { checksum: 1 } }]],
    ["more bytes than stated", [{ ...first, local: { uncompressedSize: 9 }, central: { uncompressedSize: 9 } }]],
    ["fewer bytes than stated", [{ ...first, local: { uncompressedSize: 9999 }, central: { uncompressedSize: 9999 } }]],
    ["a broken extra field", [{ ...first, central: { extra: Buffer.from([1, 2, 250, 0, 0]) } }]],
    [
      "a name that should be UTF-8 but is not",
      [{ ...first, central: { flags: 0x800 }, local: { flags: 0x800 }, name: "a" }],
    ],
  ])("with %s is refused as damaged", async ([what, parts]) => {
    const zip = zipOfParts(parts);
    if (what.startsWith("a name")) for (let at = zip.indexOf("a"); at !== -1; at = zip.indexOf("a", at)) zip[at] = 0xff;
    await expect(read(zip)).rejects.toEqual(refusal("could.not.extract.file"));
  });

  test("that unpacks to more than the limit is refused before any of it is unpacked", async () => {
    const size = 3 * 1024 * 1024 * 1024;
    const parts = [{ ...first, zip64: true, local: { uncompressedSize: size }, central: { uncompressedSize: size } }];
    await expect(read(zipOfParts(parts))).rejects.toEqual(refusal("archive.too.large"));
    const dense = 100 * 1024 * 1024;
    const bomb = [{ ...first, local: { uncompressedSize: dense }, central: { uncompressedSize: dense } }];
    await expect(read(zipOfParts(bomb))).rejects.toEqual(refusal("archive.too.large"));
  });

  test("has names in the code page of old systems unless it states otherwise", async () => {
    const zip = zipOfParts([{ ...second, name: "caf_", local: { flags: 0 }, central: { flags: 0 } }]);
    for (let at = zip.indexOf("_"); at !== -1; at = zip.indexOf("_", at)) zip[at] = 0x82;
    expect((await read(zip)).map(({ path }) => path)).toEqual(["café"]);
  });
});
