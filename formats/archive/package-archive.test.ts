import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGzip } from "node:zlib";
import { gzip, type TarEntry, tar } from "@packhouse/fixtures/archive-writing";
import { propertyRuns } from "@packhouse/fixtures/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ByteSource, bytesOf } from "../byte-source.ts";
import { defaultLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { readTarGz } from "./package-archive.ts";

const noon = new Date("2026-01-01T12:00:00Z");
const file = (name: string, text = ""): TarEntry => ({ name, bytes: Buffer.from(text) });
const isDescription = (path: string) => path === "DESCRIPTION";

async function read(entries: readonly TarEntry[], limits = defaultLimits) {
  const archive = await readTarGz(bytesOf(gzip(await tar(entries, noon))), isDescription, limits);
  const texts = [...archive.files].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]);
  return { root: archive.root, files: Object.fromEntries(texts) };
}

const mebibyte = 1024 * 1024;
const times = (count: number, bytes: Uint8Array): Uint8Array[] => Array.from({ length: count }, () => bytes);
/** The header of a member, with any size. */
async function start(name: string, size: number): Promise<Uint8Array> {
  const header = (await tar([file(name)], noon)).slice(0, 512);
  header.set(Buffer.from(size.toString(8).padStart(11, "0")), 124);
  header.fill(0x20, 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.set(Buffer.from(`${sum.toString(8).padStart(6, "0")}\0 `), 148);
  return header;
}

const refusal = (code: string) => expect.objectContaining({ codes: [code], constructor: UnacceptablePackage });

describe("a package archive", () => {
  test.each([
    ["no entries for folders and the wanted file last", [file("pkg/R/a.R"), file("pkg/DESCRIPTION", "it")]],
    ["a leading ./", [{ name: "./pkg/", type: "directory" as const }, file("./pkg/DESCRIPTION", "it")]],
    [
      "AppleDouble files before it",
      [file("._pkg"), file("__MACOSX/x"), file("pkg/._DESCRIPTION"), file("pkg/DESCRIPTION", "it")],
    ],
    [
      "links inside of it",
      [file("pkg/DESCRIPTION", "it"), { name: "pkg/a", type: "symlink" as const, linkname: "./R" }],
    ],
    ["DESCRIPTION in another folder, too", [file("pkg/inst/DESCRIPTION", "not this"), file("pkg/DESCRIPTION", "it")]],
    [
      "a repeated folder",
      [
        { name: "pkg/", type: "directory" as const },
        { name: "pkg", type: "directory" as const },
        file("pkg/DESCRIPTION", "it"),
      ],
    ],
  ])("is read with %s", async (_, entries) => {
    expect(await read(entries)).toEqual({ root: "pkg", files: { DESCRIPTION: "it" } });
  });

  test("is read the same in any order of its members", async () => {
    const entries: TarEntry[] = [
      { name: "pkg/", type: "directory" },
      file("pkg/DESCRIPTION", "it"),
      file("pkg/R/a.R"),
      file("pkg/inst/DESCRIPTION", "not this"),
      file("._pkg"),
    ];
    const order = fc.shuffledSubarray(entries, { minLength: entries.length });
    await fc.assert(
      fc.asyncProperty(order, async (shuffled) => {
        expect(await read(shuffled)).toEqual({ root: "pkg", files: { DESCRIPTION: "it" } });
      }),
      propertyRuns(40),
    );
  });

  test.each([
    ["another file", file("./pkg/DESCRIPTION", "not this")],
    ["a link", { name: "pkg/DESCRIPTION", type: "symlink" as const, linkname: "R" }],
    ["a hard link", { name: "pkg/DESCRIPTION", type: "link" as const, linkname: "pkg/R" }],
    ["a folder", { name: "pkg/DESCRIPTION/", type: "directory" as const }],
  ])("is refused if %s has the name of a file", async (_, entry) => {
    for (const entries of [
      [file("pkg/DESCRIPTION", "it"), entry],
      [entry, file("pkg/DESCRIPTION", "it")],
    ])
      await expect(read(entries)).rejects.toEqual(refusal("unsafe.archive.entry"));
  });

  test("has no root if its files were packed without their folder", async () => {
    expect(await read([file("DESCRIPTION"), file("R/a.R"), file("man/a.Rd")])).toEqual({ root: undefined, files: {} });
  });

  test("is refused with two top folders", async () => {
    await expect(read([file("a/DESCRIPTION"), file("b/DESCRIPTION")])).rejects.toEqual(
      refusal("archive.multiple.roots"),
    );
  });

  test("is refused with a file next to its folder, where pip would look for setup.py", async () => {
    const [script, description] = [file("setup.py"), file("pkg/DESCRIPTION")];
    for (const entries of [
      [script, description],
      [description, script],
    ])
      await expect(read(entries)).rejects.toEqual(refusal("archive.multiple.roots"));
  });

  test("is refused for an unwanted entry, wherever it is", async () => {
    const hostile = file("pkg/../../x");
    const good = file("pkg/DESCRIPTION");
    for (const entries of [
      [hostile, good],
      [good, hostile],
    ])
      await expect(read(entries)).rejects.toEqual(refusal("unsafe.archive.entry"));
  });

  const description = file("pkg/DESCRIPTION", "it");
  const license = file("pkg/LICENSE", "free for all");

  test.each<[string, TarEntry[]]>([
    ["a file twice with the same bytes", [license, description, license]],
    ["DESCRIPTION twice with the same bytes", [description, license, description, description]],
    ["a file twice in two spellings", [license, description, { ...license, name: "./pkg/./LICENSE" }]],
    ["files that differ in case only", [description, license, file("pkg/license", "another")]],
  ])("is read with %s", async (_, entries) => {
    expect(await read(entries)).toEqual({ root: "pkg", files: { DESCRIPTION: "it" } });
  });

  test.each<[string, TarEntry[]]>([
    ["a file twice with different bytes", [license, description, file("pkg/LICENSE", "free for Ann")]],
    ["a third copy that differs", [license, license, description, file("pkg/LICENSE", "not free")]],
    ["a longer copy", [description, file("pkg/DESCRIPTION", "it is")]],
    ["a link twice", Array.from({ length: 2 }, () => ({ name: "pkg/a", type: "symlink", linkname: "R" }) as const)],
    ["a link in a file's place", [license, { name: "pkg/LICENSE", type: "symlink", linkname: "COPYING" }]],
    ["a hard link in a file's place", [license, { name: "pkg/LICENSE", type: "link", linkname: "pkg/COPYING" }]],
    [
      "a hard link to a symbolic one",
      [
        description,
        { name: "pkg/inst/a", type: "symlink", linkname: "b" },
        { name: "pkg/R/a.R", type: "link", linkname: "pkg/inst/a" },
      ],
    ],
    ["a folder in a file's place", [license, { name: "pkg/LICENSE/", type: "directory" }]],
    ["a file below a file", [license, file("pkg/LICENSE/MIT")]],
    ["a file below what becomes a file later", [file("pkg/LICENSE/MIT"), license]],
    ["a second DESCRIPTION in another case", [description, file("pkg/Description", "that")]],
    ["a device", [description, { name: "pkg/device", type: "block-device" }]],
    ["a pipe", [description, { name: "pkg/pipe", type: "fifo" }]],
  ])("is refused with %s", async (_, entries) => {
    await expect(read(entries)).rejects.toEqual(refusal("unsafe.archive.entry"));
  });

  test("is refused if a repeated file is too large to compare", async () => {
    const large = file("pkg/data", "x".repeat(3000));
    const limits = { ...defaultLimits, maxMetadataBytes: 2999 };
    await expect(read([description, large, large], limits)).rejects.toEqual(refusal("archive.too.large"));
  });

  test("is refused if a folder has a size: readers disagree on what those bytes belong to", async () => {
    const bytes = await tar([{ name: "pkg/x/", type: "directory" }, file("pkg/DESCRIPTION")], noon);
    bytes.set(Buffer.from("00000001000"), 124);
    bytes.fill(0x20, 148, 156);
    const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    bytes.set(Buffer.from(`${sum.toString(8).padStart(6, "0")}\0 `), 148);
    const reading = readTarGz(bytesOf(gzip(bytes)), isDescription, defaultLimits);
    await expect(reading).rejects.toEqual(refusal("unsafe.archive.entry"));
  });

  test("is refused beyond its limits", async () => {
    const entries = [file("pkg/a"), file("pkg/DESCRIPTION", "x".repeat(2000))];
    const none = { ...defaultLimits, maxMembers: 1 };
    await expect(read(entries, none)).rejects.toEqual(refusal("archive.too.large"));
    const flat = { ...defaultLimits, maxDepth: 1 };
    await expect(read(entries, flat)).rejects.toEqual(refusal("archive.too.large"));
    const noTime = { ...defaultLimits, maxMilliseconds: -1 };
    await expect(read(entries, noTime)).rejects.toEqual(refusal("archive.too.large"));
    const little = { ...defaultLimits, maxMetadataBytes: 1999 };
    await expect(read(entries, little)).rejects.toEqual(refusal("archive.too.large"));
    expect((await read(entries)).files.DESCRIPTION).toHaveLength(2000);
  });

  test.each<[string, () => Promise<readonly Uint8Array[]>]>([
    ["300 MiB of zeros", async () => [await start("pkg/zeros", 300 * mebibyte), ...times(300, Buffer.alloc(mebibyte))]],
    [
      "a DESCRIPTION of 50 MB",
      async () => [
        await start("pkg/DESCRIPTION", 50_000_000),
        ...times(50, randomBytes(1_000_000)),
        Buffer.alloc(1024),
      ],
    ],
  ])("of %s is refused before all of it is read", async (_, parts) => {
    const packed = await buffer(Readable.from(await parts()).pipe(createGzip({ level: 1 })));
    let furthest = 0;
    const source: ByteSource = {
      size: packed.byteLength,
      read: async (offset, length) => {
        const end = offset + Math.min(length, 16 * 1024);
        furthest = Math.max(furthest, end);
        return packed.subarray(offset, end);
      },
    };
    await expect(readTarGz(source, isDescription, defaultLimits)).rejects.toEqual(refusal("archive.too.large"));
    expect(furthest).toBeLessThan(packed.byteLength);
  });

  test("is refused for errors after its end", async () => {
    const packed = gzip(await tar([file("pkg/DESCRIPTION")], noon));
    packed.set([1, 2, 3, 4], packed.length - 8);
    await expect(readTarGz(bytesOf(packed), isDescription, defaultLimits)).rejects.toEqual(
      refusal("could.not.extract.file"),
    );
  });
});
