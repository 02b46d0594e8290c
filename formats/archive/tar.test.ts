import { readTarGz as readByAnother } from "@packhouse/fixtures/archive-reading";
import { gzip, type TarEntry, tar } from "@packhouse/fixtures/archive-writing";
import { propertyRuns } from "@packhouse/fixtures/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { ByteStream } from "./byte-stream.ts";
import { concatenate } from "./concatenate.ts";
import { tarMembers } from "./tar.ts";

const noon = new Date("2026-01-01T12:00:00Z");
const blockSize = 512;

async function read(archive: Uint8Array, chunkSize = 4096, limits = defaultLimits) {
  async function* chunks() {
    for (let at = 0; at < archive.byteLength; at += chunkSize) yield archive.subarray(at, at + chunkSize);
  }
  const members = [];
  for await (const { path, type, linkPath, content } of tarMembers(new ByteStream(chunks()), limits))
    members.push({ path, type, linkPath, text: new TextDecoder().decode(await content()) });
  return members;
}

const paths = async (archive: Uint8Array) => (await read(archive)).map(({ path }) => path);
const file = (name: string, text = ""): TarEntry => ({ name, bytes: Buffer.from(text) });
const refusal = (code: string) => expect.objectContaining({ codes: [code], constructor: UnacceptablePackage });

/** A header and its content, as PAX and GNU tar write them before the member that they describe. */
async function specialMember(type: string, content: string): Promise<Uint8Array> {
  const block = (await tar([file("special", content)], noon)).slice(0, -2 * blockSize);
  block[156] = type.charCodeAt(0);
  return withChecksum(block);
}

/** The same with a text after the end of its content, in its last block. */
function padded(block: Uint8Array, text: string): Uint8Array {
  const end = block.findLastIndex((byte) => byte !== 0) + 1;
  block.set(Buffer.from(text), end);
  return block;
}

function withChecksum(block: Uint8Array): Uint8Array {
  block.fill(0x20, 148, 156);
  const sum = block.subarray(0, blockSize).reduce((total, byte) => total + byte, 0);
  block.set(Buffer.from(`${sum.toString(8).padStart(6, "0")}\0 `), 148);
  return block;
}

/** `{length} {key}={value}\n`, with a length that includes its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  const digits = String(rest + String(rest).length).length;
  return `${rest + digits} ${key}=${value}\n`;
}

describe("reading tar", () => {
  test("finds what another reader finds, for any names, sizes and chunks", async () => {
    const segment = fc.string({ unit: fc.constantFrom(..."abcż…. -_"), minLength: 1, maxLength: 40 });
    const path = fc.array(segment, { minLength: 1, maxLength: 10 }).map((segments) => segments.join("/"));
    const entry = fc.record({ path, text: fc.string({ maxLength: 1200 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 5 }),
        fc.integer({ min: 1, max: 2000 }),
        async (entries, chunkSize) => {
          const archive = await tar(
            entries.map(({ path, text }) => file(path, text)),
            noon,
          );
          const expected = await readByAnother(gzip(archive));
          const found = await read(archive, chunkSize);
          expect(found.map(({ path, text }) => ({ path, text }))).toEqual(
            expected.map(({ name, text }) => ({ path: name, text })),
          );
        },
      ),
      propertyRuns(100),
    );
  });

  test("recognizes folders, links and other types", async () => {
    const archive = await tar(
      [
        { name: "pkg/", type: "directory" },
        file("pkg/a", "text"),
        { name: "pkg/b", type: "symlink", linkname: "a" },
        { name: "pkg/c", type: "link", linkname: "pkg/a" },
        { name: "pkg/d", type: "fifo" },
      ],
      noon,
    );
    expect(await read(archive)).toEqual([
      { path: "pkg/", type: "directory", linkPath: "", text: "" },
      { path: "pkg/a", type: "file", linkPath: "", text: "text" },
      { path: "pkg/b", type: "symlink", linkPath: "a", text: "" },
      { path: "pkg/c", type: "hardlink", linkPath: "pkg/a", text: "" },
      { path: "pkg/d", type: "other", linkPath: "", text: "" },
    ]);
  });

  test.each([101, 256, 1000])("reads names of %i bytes from the headers of GNU tar and of PAX", async (length) => {
    const path = `pkg/${"long/".repeat(length)}`.slice(0, length - 1).concat("z");
    const member = await tar([file("pkg/short", "text")], noon);
    for (const header of [await specialMember("L", `${path}\0`), await specialMember("x", paxRecord("path", path))])
      expect(await read(concatenate([header, member]))).toEqual([{ path, type: "file", linkPath: "", text: "text" }]);
  });

  test("reads long link targets from the headers of GNU tar", async () => {
    const path = `pkg/${"long/".repeat(60)}file`;
    const target = `${"far/".repeat(60)}away`;
    const archive = concatenate([
      await specialMember("L", `${path}\0`),
      await specialMember("K", `${target}\0`),
      await tar([{ name: "pkg/short", type: "symlink", linkname: "near" }], noon),
    ]);
    expect(await read(archive)).toEqual([{ path, type: "symlink", linkPath: target, text: "" }]);
  });

  test("applies the names of a PAX header to the next member only", async () => {
    const archive = concatenate([
      await specialMember("g", paxRecord("comment", "0123abcd")),
      await specialMember("x", paxRecord("path", "pkg/ż/named") + paxRecord("mtime", "1.5")),
      await tar([file("pkg/one"), file("pkg/two")], noon),
    ]);
    expect(await paths(archive)).toEqual(["pkg/ż/named", "pkg/two"]);
  });

  const folder = async (name: string) => (await tar([{ name, type: "directory" }], noon)).slice(0, blockSize);
  const named = (path: string) => specialMember("x", paxRecord("path", path));

  test.each<[string, () => Promise<Uint8Array[]>]>([
    [
      "a name after a line break of a comment",
      async () => [await specialMember("x", paxRecord("comment", "built\n30 path=pkg/R/load.R"))],
    ],
    ["a name within a comment", async () => [await specialMember("x", paxRecord("comment", "9 path=pkg/R/load.R"))]],
    ["a line break in a name", async () => [await named("pkg/notes.txt\nx")]],
    ["an empty name", async () => [await named("")]],
    [
      "two names in one header",
      async () => [await specialMember("x", paxRecord("path", "pkg/notes.txt") + paxRecord("path", "pkg/setup.py"))],
    ],
    ["two names in two headers", async () => [await named("pkg/notes.txt"), await named("pkg/setup.py")]],
    [
      "a name of PAX and another one of GNU tar",
      async () => [await named("pkg/notes.txt"), await specialMember("L", "pkg/setup.py\0")],
    ],
    ["a name for all members", async () => [await specialMember("g", paxRecord("path", "pkg/notes.txt"))]],
    ["a target for all members", async () => [await specialMember("g", paxRecord("linkpath", "a"))]],
    ["a size for all members", async () => [await specialMember("g", paxRecord("size", "0"))]],
    ["a sparse file", async () => [await specialMember("x", paxRecord("GNU.sparse.name", "pkg/x"))]],
    ["the target of a link for a file", async () => [await specialMember("x", paxRecord("linkpath", "a"))]],
    [
      "the size of a file for a folder",
      async () => [await specialMember("x", paxRecord("size", "0")), await folder("pkg/sub/")],
    ],
    ["the name of a file for a folder", async () => [await named("pkg/R/load.R"), await folder("pkg/sub/")]],
    ["something after the end of its name", async () => [padded(await specialMember("L", "pkg/load"), ".R")]],
    [
      "something after its last record",
      async () => [padded(await specialMember("x", paxRecord("comment", "it")), "20 path=pkg/setup.py\n")],
    ],
  ])("refuses %s, which R or Python would read differently", async (_, headers) => {
    const archive = concatenate([...(await headers()), await tar([file("pkg/one")], noon)]);
    await expect(read(archive)).rejects.toEqual(refusal("could.not.extract.file"));
  });

  test.each<[string, () => Promise<Uint8Array>]>([
    ["the comment of git", () => specialMember("g", paxRecord("comment", "0123abcd"))],
    ["attributes of macOS", () => specialMember("x", paxRecord("SCHILY.xattr.com.apple.x", "a\nb 12 =\u0001"))],
    ["the same name twice", async () => concatenate([await named("pkg/one"), await specialMember("L", "pkg/one\0")])],
    [
      "a long name of a folder before a short one of a file",
      async () => concatenate([await named("pkg/ż/"), await folder("pkg/z/")]),
    ],
  ])("accepts %s", async (_, header) => {
    expect(await paths(concatenate([await header(), await tar([file("pkg/one")], noon)]))).toContain("pkg/one");
  });

  test.each<[string, string, string, string[] | undefined]>([
    ["POSIX", "ustar\0", "pkg/R", ["pkg/R/x.q"]],
    ["POSIX", "ustar\0", "", ["x.q"]],
    ["GNU tar", "ustar ", "pkg/R", undefined],
    ["GNU tar, which wrote a time there", "ustar ", "15012345670", ["x.q"]],
    ["GNU tar", "ustar ", "", ["x.q"]],
    ["no known kind", "\0", "pkg", undefined],
    ["no known kind", "\0", "", ["x.q"]],
  ])("in a header of %s (%j), folders %j make the name %j", async (_, magic, prefix, expected) => {
    const archive = await tar([file("x.q")], noon);
    archive.fill(0, 257, 265).fill(0, 345, 500);
    archive.set(Buffer.from(magic), 257);
    archive.set(Buffer.from(prefix), 345);
    const reading = paths(withChecksum(archive));
    if (expected) expect(await reading).toEqual(expected);
    else await expect(reading).rejects.toEqual(refusal("could.not.extract.file"));
  });

  test("keeps a NUL in a PAX name, so that it can be refused", async () => {
    const archive = concatenate([
      await specialMember("x", paxRecord("path", "a\0b")),
      await tar([file("pkg/x")], noon),
    ]);
    expect(await paths(archive)).toEqual(["a\0b"]);
  });

  test("ends at the first empty block, whatever follows", async () => {
    const end = new Uint8Array(blockSize);
    const archive = concatenate([
      (await tar([file("pkg/one")], noon)).slice(0, -2 * blockSize),
      end,
      await tar([file("pkg/two")], noon),
    ]);
    expect(await paths(archive)).toEqual(["pkg/one"]);
  });

  test("refuses an archive that is truncated anywhere but between members", async () => {
    const archive = await tar([file("pkg/one", "x".repeat(600)), file("pkg/two")], noon);
    for (const length of [1, 511, 513, 1500, 2047, 2049])
      await expect(read(archive.subarray(0, length))).rejects.toEqual(refusal("could.not.extract.file"));
    expect(await paths(archive.subarray(0, 3 * blockSize))).toEqual(["pkg/one"]);
  });

  test.each([
    ["a wrong checksum", (block: Uint8Array) => block.fill(0x41, 0, 1)],
    ["a size that is not a number", (block: Uint8Array) => withChecksum(new Uint8Array(block).fill(0x39, 124, 135))],
    ["an absurd size", (block: Uint8Array) => withChecksum(block.fill(0xff, 125, 136).fill(0x80, 124, 125))],
  ])("refuses a header with %s", async (_, damage) => {
    const archive = damage(await tar([file("pkg/one")], noon));
    await expect(read(archive)).rejects.toEqual(refusal("could.not.extract.file"));
  });

  test.each(["", "7", "9 path=a", "99 path=a\n", "x path=a\n", "8 path a\n", "0 path=a\n"])(
    "refuses the PAX header %j",
    async (records) => {
      const archive = concatenate([
        await specialMember("x", `${records}${"\n".repeat(20)}`),
        await tar([file("pkg/a")], noon),
      ]);
      await expect(read(archive)).rejects.toEqual(refusal("could.not.extract.file"));
    },
  );

  test("refuses names that cannot be unpacked, and oversized headers", async () => {
    const named = async (path: string) =>
      concatenate([await specialMember("L", path), await tar([file("pkg/a")], noon)]);
    expect(await paths(await named("a".repeat(4096)))).toHaveLength(1);
    await expect(read(await named("a".repeat(4097)))).rejects.toEqual(refusal("could.not.extract.file"));
    const limits = { ...defaultLimits, maxMetadataBytes: 1000 };
    await expect(read(await named("a".repeat(1001)), 4096, limits)).rejects.toEqual(refusal("archive.too.large"));
  });
});
