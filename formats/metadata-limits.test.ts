import { gzip, member, tar, tarGzOfFolder } from "@packhouse/fixtures/archive-writing";
import { describe, expect, test } from "vitest";
import { bytesOf } from "./byte-source.ts";
import { metadataLimits } from "./metadata-limits.ts";
import { readDistribution } from "./python/distribution.ts";
import { pythonRequirements } from "./python/requirements.ts";
import { rDependencies } from "./r/dependencies.ts";
import { readRPackage } from "./r/package-archive.ts";
import { UnacceptablePackage } from "./unacceptable-package.ts";

const fields = {
  Package: "tides",
  Version: "1.0",
  Title: "Tides",
  Description: "Tides.",
  Author: "Ann",
  License: "MIT",
};

async function readR(more: string, changed: Partial<typeof fields> = {}, files: readonly string[] = []) {
  const lines = Object.entries({ ...fields, ...changed }).map(([name, value]) => `${name}: ${value}\n`);
  const entries = [
    { name: "tides/DESCRIPTION", bytes: Buffer.from(lines.join("") + more) },
    ...files.map((name) => ({ name: `tides/${name}`, bytes: Buffer.from("") })),
  ];
  return readRPackage(bytesOf(gzip(await tar(entries, new Date(0)))), "tides_1.0.tar.gz");
}

async function readPython(headers: string, body = "Tides.") {
  const info = `Metadata-Version: 2.1\nName: tides\nVersion: 1.0\n${headers}\n${body}`;
  const bytes = await tarGzOfFolder("tides-1.0", [member("PKG-INFO", info)], new Date(0));
  return readDistribution(bytesOf(bytes), "tides-1.0.tar.gz");
}

const kib = 1024;
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join("");
const names = (count: number) => Array.from({ length: count }, (_, index) => `pkg${index}`).join(", ");
const people = (count: number) =>
  `Authors@R: c(${Array.from({ length: count }, (_, index) => `person("P${index}", "Q")`).join(",")})\n`;

const { dependencies, authors, classifiers, extras, vignettes } = metadataLimits;

/** Reads a package with this many entries of a kind, or with a text this long. */
const kinds: [what: string, code: string, most: number, read: (size: number) => Promise<unknown>][] = [
  [
    "fields of DESCRIPTION",
    "too.many.fields",
    metadataLimits.fields - 6,
    (n) => readR(lines(n, (i) => `Field${i}: x`)),
  ],
  [
    "different headers",
    "too.many.fields",
    metadataLimits.fields - 3,
    (n) => readPython(lines(n, (i) => `Field${i}: x`)),
  ],
  ["headers", "too.many.fields", metadataLimits.headers - 3, (n) => readPython(lines(n, () => "Dynamic: x"))],
  [
    "letters in the name of a field",
    "field.name.too.long",
    metadataLimits.fieldName,
    (n) => readR(`${"x".repeat(n)}: y\n`),
  ],
  [
    "letters in the name of a header",
    "field.name.too.long",
    metadataLimits.fieldName,
    (n) => readPython(`${"x".repeat(n)}: y\n`),
  ],
  ["dependencies", "too.many.dependencies", dependencies, (n) => readR(`Imports: ${names(n)}\n`)],
  [
    "dependencies in several fields",
    "too.many.dependencies",
    dependencies - 1,
    (n) => readR(`Depends: R\nSuggests: ${names(n)}\n`),
  ],
  ["requirements", "too.many.dependencies", dependencies, (n) => readPython(lines(n, (i) => `Requires-Dist: pkg${i}`))],
  ["requirements in one", "too.many.dependencies", dependencies, (n) => readPython(`Requires-Dist: ${names(n)}\n`)],
  ["authors", "too.many.authors", authors, (n) => readR(people(n), { Author: "" })],
  ["authors of a project", "too.many.authors", authors, (n) => readPython(`Author-email: ${names(n)}\n`)],
  ["classifiers", "too.many.classifiers", classifiers, (n) => readPython(lines(n, (i) => `Classifier: A :: ${i}`))],
  ["extras", "too.many.extras", extras, (n) => readPython(lines(n, (i) => `Provides-Extra: e${i}`))],
  [
    "vignettes",
    "too.many.vignettes",
    vignettes,
    (n) =>
      readR(
        "",
        {},
        Array.from({ length: n }, (_, i) => `inst/doc/v${i}.html`),
      ),
  ],
  ["letters in a description", "field.too.long", 1024 * kib, (n) => readR("", { Description: "x".repeat(n) })],
  ["letters in a long description", "field.too.long", 1024 * kib, (n) => readPython("", "x".repeat(n))],
  ["control characters in a description", "field.too.long", 1024 * kib, (n) => readPython("", "\u0001".repeat(n))],
  ["bytes of letters in a description", "field.too.long", 512 * kib, (n) => readPython("", "ż".repeat(n))],
  ["letters in a title", "field.too.long", 16 * kib, (n) => readR("", { Title: "x".repeat(n) })],
  ["letters in an author", "field.too.long", 128 * kib, (n) => readR("", { Author: "x".repeat(n) })],
  ["letters in a license", "field.too.long", 512 * kib, (n) => readPython(`License: ${"x".repeat(n)}\n`)],
  ["letters in an address", "field.too.long", 64 * kib, (n) => readPython(`Home-page: ${"x".repeat(n)}\n`)],
  ["letters in any other field", "field.too.long", 64 * kib, (n) => readR(`SystemRequirements: ${"x".repeat(n)}\n`)],
];

describe("a package", () => {
  test.for(kinds)("may have this many %s and no more", async ([, code, most, read]) => {
    await read(most);
    await expect(read(most + 1)).rejects.toEqual(
      expect.objectContaining({ codes: [code], kind: "unreadable", constructor: UnacceptablePackage }),
    );
  });

  test("is refused with the limit that it exceeds", async () => {
    await expect(readR("", { Title: "x".repeat(20 * kib) })).rejects.toThrow(
      "field.too.long: title has more than 16384 bytes",
    );
    await expect(readR(`Imports: ${names(5001)}\n`)).rejects.toThrow("too.many.dependencies: there are more than 5000");
  });
});

describe("dependencies that were stored before there was a limit", () => {
  test("are read up to the limit", () => {
    expect(rDependencies.read({ imports: names(300_000) })).toHaveLength(dependencies);
    expect(pythonRequirements.read({ requiresDist: names(300_000) })).toHaveLength(dependencies);
  });
});
