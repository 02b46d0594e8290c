import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { bytesOf } from "./byte-source.ts";
import { formatOf } from "./format.ts";
import { defaultLimits } from "./package-file.ts";
import type { BinaryRequest } from "./r/binary-target.ts";
import { UnacceptablePackage } from "./unacceptable-package.ts";

const folder = process.env.PACKHOUSE_FIXTURES ?? resolve(import.meta.dirname, "../../shared/fixtures");
const there = existsSync(join(folder, "index.json"));
if (!there)
  process.stdout.write("Tests on real CRAN and PyPI files are left out: their folder is not on this machine.\n");

interface Row {
  file: string;
  name: string;
  version: string;
  expected: string;
}
const rows: Row[] = there ? JSON.parse(await readFile(join(folder, "index.json"), "utf8")) : [];
const limits = { ...defaultLimits, maxUnpackedBytes: 200 * 1024 * 1024 };

/** The target of the folder's binaries; those for other processors are accepted where configured. */
const binary: BinaryRequest = {
  target: { rVersion: "4.2", architecture: "x86_64", distribution: "bookworm" },
  allowed: { rVersions: ["4.2"], architectures: ["x86_64"], distributions: ["bookworm"] },
};
const optionsOf = (file: string) => ({ limits, ...(file.startsWith("r/binary/") ? { binary } : {}) });

const formatOfFile = (file: string) => formatOf(file.startsWith("r/") ? "R" : "Python");

async function outcome(row: Row): Promise<unknown> {
  const bytes = await readFile(join(folder, row.file));
  try {
    const it = await formatOfFile(row.file).readPackage(bytesOf(bytes), basename(row.file), optionsOf(row.file));
    return { name: it.name, version: it.version };
  } catch (error) {
    if (error instanceof UnacceptablePackage) return [...error.codes];
    throw error;
  }
}

// The server refuses empty files; the expectation for a binary for another processor assumes other settings.
const formatDecides = (row: Row) => !row.expected.includes("error.empty.file") && !row.file.includes("aarch64");
const acceptable = (row: Row) => !row.expected.startsWith("422");

describe.runIf(there)("a real or hand-made package file", () => {
  test.for(rows.filter((row) => formatDecides(row) && acceptable(row)))("$file is read", async (row) => {
    const { name, version } = row;
    expect(await outcome(row)).toEqual({ name, version });
  });

  test.for(rows.filter((row) => formatDecides(row) && !acceptable(row)))("$file is refused", async (row) => {
    const code = /`([a-z.]+)`/.exec(row.expected)?.[1];
    expect(await outcome(row)).toContain(code);
  });

  test.for<[string, unknown]>([
    ["r/source/mime_0.12.tar.gz", { license: "GPL", metadata: { needsCompilation: "yes" } }],
    ["r/source/plogr_0.2.0.tar.gz", { description: expect.stringMatching(/^A simple header-only/) }],
    ["r/source/lobstr_1.1.2.tar.gz", { metadata: { systemRequirements: "C++11", linkingTo: "cpp11 (>= 0.4.2)" } }],
    [
      "r/source/kelpforest_2.0.tar.gz",
      { author: "José Muñoz", description: expect.stringMatching(/^Un paquet très petit/) },
    ],
    ["r/source/undeclared_1.0.0.tar.gz", { author: "Renée" }],
    [
      "r/source/authorsonly_1.0.0.tar.gz",
      {
        author: expect.stringMatching(/Mara Quill.*Reef Institute/),
        metadata: { maintainer: "Mara Quill <mara.quill@example.org>" },
      },
    ],
    ["r/source/dupfields_1.0.0.tar.gz", { title: "Second Title Wins" }],
    ["r/source/tidepool_0.9.0 (1).tar.gz", { fileName: "tidepool_0.9.0.tar.gz" }],
    ["r/source/vermismatch_2.0.0.tar.gz", { fileName: "vermismatch_1.9.9.tar.gz" }],
    ["python/sdist/calver-2025.10.20.tar.gz", { license: "Apache-2.0", metadata: { requiresPython: ">=3.9" } }],
    ["python/sdist/argparse-1.2.1.tar.gz", { description: expect.stringMatching(/^The argparse module[\s\S]{500}/) }],
    ["python/sdist/simple-1.0.tar.gz", { license: null }],
    ["python/sdist/harbor-tools-1.0.0.tar.gz", { license: "MIT", description: expect.stringContaining("Key: value") }],
    ["python/sdist/classlicense-1.0.tar.gz", { license: "OSI Approved :: BSD License" }],
    ["python/sdist/double__under-1.0.tar.gz", { normalizedName: "double-under" }],
    ["python/sdist/latinmeta-1.0.tar.gz", { author: "José" }],
    ["python/wheel/license.dist-0.1-py2.py3-none-any.whl", { license: "MIT AND MIT-0" }],
  ])("%s has these fields", async ([file, expected]) => {
    const bytes = await readFile(join(folder, file));
    expect(await formatOfFile(file).readPackage(bytesOf(bytes), basename(file))).toMatchObject(expected as object);
  });

  test("has no carriage return in its fields", async () => {
    for (const file of ["r/source/crlfpkg_1.0.0.tar.gz", "python/sdist/crlf-1.0.tar.gz"]) {
      const it = await formatOfFile(file).readPackage(bytesOf(await readFile(join(folder, file))), basename(file));
      expect(JSON.stringify(it)).not.toContain("\\r");
    }
  });
});
