import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { bytesOf } from "./byte-source.ts";
import { formatOf } from "./format.ts";
import { defaultLimits } from "./package-file.ts";
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

async function outcome(row: Row): Promise<unknown> {
  const format = formatOf(row.file.startsWith("r/") ? "R" : "Python");
  const bytes = await readFile(join(folder, row.file));
  try {
    const it = await format.readPackage(bytesOf(bytes), basename(row.file), limits);
    return { name: it.name, version: it.version };
  } catch (error) {
    if (error instanceof UnacceptablePackage) return [...error.codes];
    throw error;
  }
}

// Files of which the server, not the format, decides: binaries, and empty files.
const formatDecides = (row: Row) => !row.file.startsWith("r/binary/") && !row.expected.includes("error.empty.file");
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
});
