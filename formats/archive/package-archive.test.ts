import { gzip, type TarEntry, tar } from "@packhouse/fixtures/archive-writing";
import { describe, expect, test } from "vitest";
import { bytesOf } from "../byte-source.ts";
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

const refusal = (code: string) => expect.objectContaining({ codes: [code], constructor: UnacceptablePackage });

describe("a package archive", () => {
  test.each([
    ["its files alone", [file("pkg/R/a.R"), file("pkg/DESCRIPTION", "it")]],
    ["a leading ./", [{ name: "./pkg/", type: "directory" as const }, file("./pkg/DESCRIPTION", "it")]],
    [
      "debris of macOS around it",
      [file("._pkg"), file("__MACOSX/x"), file("pkg/._DESCRIPTION"), file("pkg/DESCRIPTION", "it")],
    ],
    [
      "links inside of it",
      [file("pkg/DESCRIPTION", "it"), { name: "pkg/a", type: "symlink" as const, linkname: "./R" }],
    ],
    ["a file beside its folder", [file("README"), file("pkg/DESCRIPTION", "it")]],
    ["DESCRIPTION in another folder, too", [file("pkg/inst/DESCRIPTION", "not this"), file("pkg/DESCRIPTION", "it")]],
    [
      "a folder that is named twice",
      [
        { name: "pkg/", type: "directory" as const },
        { name: "pkg", type: "directory" as const },
        file("pkg/DESCRIPTION", "it"),
      ],
    ],
  ])("is read with %s", async (_, entries) => {
    expect(await read(entries)).toEqual({ root: "pkg", files: { DESCRIPTION: "it" } });
  });

  test.each([
    ["another file", file("./pkg/DESCRIPTION", "not this")],
    ["a link", { name: "pkg/DESCRIPTION", type: "symlink" as const, linkname: "R" }],
    ["a hard link", { name: "pkg/DESCRIPTION", type: "link" as const, linkname: "pkg/R" }],
    ["a folder", { name: "pkg/DESCRIPTION/", type: "directory" as const }],
  ])("is refused when %s has the name of a file", async (_, entry) => {
    for (const entries of [
      [file("pkg/DESCRIPTION", "it"), entry],
      [entry, file("pkg/DESCRIPTION", "it")],
    ])
      await expect(read(entries)).rejects.toEqual(refusal("unsafe.archive.entry"));
  });

  test("has no root when its files were packed without their folder", async () => {
    expect(await read([file("DESCRIPTION"), file("R/a.R"), file("man/a.Rd")])).toEqual({ root: undefined, files: {} });
  });

  test("is refused with two roots", async () => {
    await expect(read([file("a/DESCRIPTION"), file("b/DESCRIPTION")])).rejects.toEqual(
      refusal("archive.multiple.roots"),
    );
  });

  test("is refused for an entry that nobody asked for, wherever it stands", async () => {
    const hostile = file("pkg/../../x");
    const good = file("pkg/DESCRIPTION");
    for (const entries of [
      [hostile, good],
      [good, hostile],
    ])
      await expect(read(entries)).rejects.toEqual(refusal("unsafe.archive.entry"));
  });

  test("is refused when a folder claims to have bytes: readers disagree on whose they are", async () => {
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
    const little = { ...defaultLimits, maxMetadataBytes: 1999 };
    await expect(read(entries, little)).rejects.toEqual(refusal("archive.too.large"));
    expect((await read(entries)).files.DESCRIPTION).toHaveLength(2000);
  });

  test("is refused for what is wrong behind its end", async () => {
    const packed = gzip(await tar([file("pkg/DESCRIPTION")], noon));
    packed.set([1, 2, 3, 4], packed.length - 8);
    await expect(readTarGz(bytesOf(packed), isDescription, defaultLimits)).rejects.toEqual(
      refusal("could.not.extract.file"),
    );
  });
});
