import { gzip, type Member, member, type TarEntry, tar, zip } from "@packhouse/fixtures/archive-writing";
import { tarDamages } from "@packhouse/fixtures/hostile-tar";
import { zipDamages } from "@packhouse/fixtures/hostile-zip";
import type { SmallPackage } from "@packhouse/server/testing/small-packages";
import type { RandomSource } from "./random-source.ts";

const released = new Date("2026-01-02T03:04:05Z");
const tokens = [
  " ",
  "\t",
  "\n ",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  "<",
  ">",
  '"',
  "'",
  "\\",
  ",",
  ";",
  ":",
  "=",
  "%",
  "a",
  "1.0",
  "person(",
  "c(",
  "http://a",
  "<title>",
  "\\VignetteIndexEntry{",
  "; python_version > ",
  "é",
  "\u202e",
  "\u0000",
  "\ufeff",
  "😀",
];

/** A few tokens, one of them very often: what makes careless parsers slow. */
function text(random: RandomSource): string {
  const parts = Array.from({ length: 1 + random.number(6) }, () =>
    random.one(tokens).repeat(random.happens(0.3) ? 1 + random.number(20_000) : 1 + random.number(3)),
  );
  return parts.join("");
}

const rFields = [
  "Title",
  "Author",
  "Authors@R",
  "Maintainer",
  "Description",
  "License",
  "Depends",
  "Imports",
  "Suggests",
  "URL",
  "Encoding",
  "VignetteBuilder",
];
const pythonFields = [
  "Summary",
  "Description",
  "Requires-Dist",
  "Requires-Python",
  "Provides-Extra",
  "Classifier",
  "Keywords",
  "License-Expression",
  "Project-URL",
  "Author-email",
  "Description-Content-Type",
];

function fields(random: RandomSource, required: readonly string[], known: readonly string[]): string {
  const lines = required.filter(() => !random.happens(0.03));
  for (let count = random.number(6); count > 0; count -= 1) lines.push(`${random.one(known)}: ${text(random)}`);
  if (random.happens(0.05)) lines.push(text(random));
  return `${lines.join("\n")}\n`;
}

/** Some package, mostly acceptable, with something odd in its metadata, its members or its bytes. */
export async function someArchive(
  random: RandomSource,
  name: string,
): Promise<SmallPackage & { technology: "r" | "python" }> {
  const kind = random.one(["r", "sdist", "wheel"] as const);
  const made = await (kind === "r"
    ? rArchive(random, name)
    : kind === "sdist"
      ? sdist(random, name)
      : wheel(random, name));
  const bytes = random.happens(0.25) ? spoiled(random, Buffer.from(made.bytes)) : made.bytes;
  return { ...made, bytes, technology: kind === "r" ? "r" : "python" };
}

async function rArchive(random: RandomSource, name: string): Promise<SmallPackage> {
  const required = [
    `Package: ${name}`,
    "Version: 1.0",
    "Title: A",
    "Author: A",
    "Maintainer: A <a@example.org>",
    "Description: D.",
    "License: GPL-3",
  ];
  const members = [
    member("DESCRIPTION", fields(random, required, rFields)),
    member("NAMESPACE", ""),
    ...some(random, [
      "man/a.Rd",
      "vignettes/a.Rmd",
      "inst/doc/a.html",
      "README.md",
      "NEWS.md",
      "build/vignette.rds",
    ]).map((path) => member(path, text(random))),
  ];
  return { fileName: `${name}_1.0.tar.gz`, bytes: await tarball(random, name, members), type: "application/gzip" };
}

async function sdist(random: RandomSource, name: string): Promise<SmallPackage> {
  const members = [
    member("PKG-INFO", fields(random, ["Metadata-Version: 2.1", `Name: ${name}`, "Version: 1.0"], pythonFields)),
    ...some(random, ["README.rst", "README.md", "setup.py", "pyproject.toml"]).map((path) =>
      member(path, text(random)),
    ),
  ];
  return {
    fileName: `${name}-1.0.tar.gz`,
    bytes: await tarball(random, `${name}-1.0`, members),
    type: "application/gzip",
  };
}

async function wheel(random: RandomSource, name: string): Promise<SmallPackage> {
  const folder = `${name}-1.0.dist-info`;
  const metadata = fields(random, ["Metadata-Version: 2.1", `Name: ${name}`, "Version: 1.0"], pythonFields);
  const members = [
    member(`${folder}/METADATA`, metadata),
    member(
      `${folder}/WHEEL`,
      random.happens(0.8) ? "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n" : text(random),
    ),
    member(`${folder}/RECORD`, random.happens(0.5) ? `${folder}/RECORD,,\n` : text(random)),
  ];
  const bytes = Buffer.from(await zip(members));
  const damaged = random.happens(0.3) ? damagedZip(random, bytes) : bytes;
  return { fileName: `${name}-1.0-py3-none-any.whl`, bytes: damaged, type: "application/zip" };
}

function damagedZip(random: RandomSource, bytes: Buffer): Uint8Array {
  try {
    return random.one(zipDamages).spoil(bytes);
  } catch {
    return bytes; // a damage that needs other members than these
  }
}

const some = (random: RandomSource, paths: readonly string[]): string[] => paths.filter(() => random.happens(0.3));

const oddNames = [
  "../../etc/passwd",
  "/etc/passwd",
  "a/../../b",
  "a\u0000b",
  "con",
  "a".repeat(300),
  "./DESCRIPTION",
  "\\windows",
  "é\u0301",
];
const types = ["symlink", "link", "fifo", "character-device", "directory"] as const;

async function tarball(random: RandomSource, folder: string, members: readonly Member[]): Promise<Uint8Array> {
  const entries: TarEntry[] = members.map(({ path, bytes }) => ({ name: `${folder}/${path}`, bytes }));
  if (random.happens(0.3)) entries.push({ name: `${folder}/${random.one(oddNames)}`, bytes: Buffer.from("x") });
  if (random.happens(0.2))
    entries.push({
      name: `${folder}/odd`,
      type: random.one(types),
      linkname: random.one(["/etc/passwd", "DESCRIPTION", "../x", "odd"]),
    });
  if (random.happens(0.1))
    for (let at = 0; at < 3_000; at += 1) entries.push({ name: `${folder}/f${at}`, bytes: Buffer.alloc(0) });
  if (random.happens(0.15)) return random.one(tarDamages).build(folder, entries);
  return gzip(await tar(entries, released));
}

/** Bytes exchanged, cut off, or put behind. */
function spoiled(random: RandomSource, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  switch (random.number(3)) {
    case 0:
      for (let count = 1 + random.number(8); count > 0; count -= 1)
        copy[random.number(copy.length)] = random.number(256);
      return copy;
    case 1:
      return copy.subarray(0, random.number(copy.length));
    default:
      return Buffer.concat([copy, copy.subarray(random.number(copy.length))]);
  }
}
