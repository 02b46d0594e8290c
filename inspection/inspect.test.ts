import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { inspection as inspectionShape } from "@packhouse/contract/review/inspection";
import { gzip, type TarEntry, tar } from "@packhouse/fixtures/archive-writing";
import { bytesOf } from "@packhouse/formats/byte-source";
import { describe, expect, test } from "vitest";
import { type InspectionOptions, inspect, inspectWith } from "./inspect.ts";
import { inspectionLimits } from "./limits.ts";
import type { TechnologyInspector } from "./technology-inspector.ts";
import { packed, rPackage, type SamplePackage, sdist, wheel } from "./testing/packages.ts";
import { withoutCode } from "./testing/without-code.ts";

const inspected = ({ source, ...what }: SamplePackage, options?: InspectionOptions) => inspect(source, what, options);

/** Finds the names that a file of Python assigns to. */
const assignments: TechnologyInspector<string[]> = {
  grammar: "python",
  isCode: (path) => path.endsWith(".py"),
  isKept: (path) => path === "top_level.txt",
  inspectCode: ({ root }) =>
    root.descendantsOfType("assignment").flatMap((node) => node?.childForFieldName("left")?.text ?? []),
  finish: ({ code, texts }) => ({
    interface: [...code].flatMap(([file, names]) =>
      names.map((name) => ({ name, kind: "constant" as const, parameters: null, file, line: 1 })),
    ),
    signals: [],
    indicators: [{ id: "typed", value: texts.get("top_level.txt") ?? null, source: null }],
  }),
};

describe("the inspection of a package", () => {
  test("lists every file with its size, digest, mode and kind", async () => {
    const { files } = await inspected(
      await rPackage({
        "R/height.R": "height <- function(x) x\n",
        "R/ñ.R": Buffer.from("# \xf1 is n with a tilde\n", "latin1"),
        "R/empty.R": "",
        "data/levels.rda": gzipSync(Buffer.from("RDX3\nX\n\0\0\0\u0003")),
        "inst/logo.png": Buffer.from("89504e470d0a1a0a0000", "hex"),
        "inst/tool": Buffer.from("7f454c4602010100", "hex"),
        "inst/blob": randomBytes(200),
        "inst/more.tar.gz": gzipSync("text"),
      }),
    );
    const byPath = new Map(files.map((file) => [file.path, file]));
    const digest = createHash("sha256").update("height <- function(x) x\n").digest("hex");
    expect(byPath.get("R/height.R")).toEqual({
      ...{ path: "R/height.R", size: 24, mode: 0o644, sha256: digest, kind: "text" },
      ...{ encoding: "ascii", lines: 1, generated: false },
    });
    expect(byPath.get("R/ñ.R")).toMatchObject({ kind: "text", encoding: "latin1" });
    expect([...byPath.values()].map(({ path, kind }) => `${path}: ${kind}`)).toEqual([
      ...["DESCRIPTION: text", "NAMESPACE: text", "R/empty.R: empty", "R/height.R: text", "R/ñ.R: text"],
      ...["data/levels.rda: r-data", "inst/blob: other", "inst/logo.png: image", "inst/more.tar.gz: archive"],
      "inst/tool: elf",
    ]);
  });

  test("reads the fields, the license and the dependencies of an R package", async () => {
    const fields = { Depends: "R (>= 4.1), methods", Suggests: "testthat (>= 3.0.0)", License: "GPL (>= 3)" };
    const found = await inspected(await rPackage({}, { fields }));
    expect(found).toMatchObject({ name: "tides", version: "1.0.0", spdx: "GPL-3.0-or-later", incomplete: [] });
    expect(found.fields).toContainEqual({ name: "Depends", value: "R (>= 4.1), methods" });
    expect(found.dependencies).toEqual([
      { field: "Depends", name: "R", constraint: ">= 4.1", condition: "" },
      { field: "Depends", name: "methods", constraint: "", condition: "" },
      { field: "Suggests", name: "testthat", constraint: ">= 3.0.0", condition: "" },
    ]);
  });

  test("reads those of a Python source distribution, with what builds it", async () => {
    const pyproject = '[build-system]\nrequires = ["setuptools>=61", "wheel"]\n';
    const fields = { "Requires-Dist": 'rich (>=13); extra == "plot"', "License-Expression": "MIT" };
    const found = await inspected(await sdist({ "pyproject.toml": pyproject }, { fields }));
    expect(found.spdx).toBe("MIT");
    expect(found.dependencies).toEqual([
      { field: "Requires-Dist", name: "rich", constraint: ">=13", condition: 'extra == "plot"' },
      { field: "build-system.requires", name: "setuptools", constraint: ">=61", condition: "" },
      { field: "build-system.requires", name: "wheel", constraint: "", condition: "" },
    ]);
  });

  test("has the whole paths of a wheel", async () => {
    const found = await inspected(await wheel({ "tides/__init__.py": "x = 1\n" }));
    expect(found.files.map(({ path }) => path)).toContain("tides/__init__.py");
    expect(found.files.filter(({ generated }) => generated).map(({ path }) => path)).toEqual([
      "tides-1.0.0.dist-info/METADATA",
      "tides-1.0.0.dist-info/WHEEL",
      "tides-1.0.0.dist-info/RECORD",
    ]);
  });

  test("has what the technology's inspector finds in code", async () => {
    const { source, ...what } = await sdist({ "tides.py": "low = 1\nhigh = 2\n", "top_level.txt": "tides" });
    const found = await inspectWith(assignments, { source, ...what });
    expect(found.interface.map(({ name }) => name)).toEqual(["low", "high"]);
    expect(found.indicators).toContainEqual({ id: "typed", value: "tides", source: null });
  });

  test("has a signal for code that does not parse", async () => {
    const { source, ...what } = await sdist({ "tides.py": "low = 1\ndef (:\n" });
    const { signals } = await inspectWith(assignments, { source, ...what });
    expect(signals).toEqual([
      { id: "unparsed", level: "notice", subject: "", file: "tides.py", line: 2, excerpt: "def (:" },
    ]);
  });

  test("fits the contract", async () => {
    const found = await inspected(await rPackage({ "R/height.R": 'url <- "https://collector.invalid.test/x"\n' }));
    expect(inspectionShape.parse(found)).toEqual(found);
  });

  test("is the same for the same bytes", async () => {
    const sample = await rPackage({ "R/height.R": "height <- 1\n" });
    expect(await inspected(sample)).toEqual(await inspected(sample));
  });
});

describe("an inspection that could not examine everything", () => {
  const incompleteOf = async (sample: SamplePackage, limits: Partial<typeof inspectionLimits> = {}) => {
    const { incomplete, signals } = await inspected(sample, { limits: { ...inspectionLimits, ...limits } });
    expect(signals.filter(({ id }) => id === "incomplete")).toHaveLength(incomplete.length);
    return incomplete;
  };
  const files = { "R/a.R": "a <- 1\n", "R/b.R": `b <- "${"x".repeat(1000)}"\n` };

  test("says that the archive is damaged, and has what comes before", async () => {
    const sample = await rPackage({ "R/z.R": randomBytes(100_000) });
    const cut = bytesOf(await sample.source.read(0, 50_000));
    const found = await inspected({ ...sample, source: cut });
    expect(found.incomplete).toEqual([{ reason: "unreadable", paths: [] }]);
    expect(found.files.map(({ path }) => path)).toEqual(["DESCRIPTION", "NAMESPACE"]);
    expect(found.name).toBe("tides");
  });

  test.for([
    ["no archive", "text"],
    ["nothing", ""],
  ])("says so for %s", async ([, text = ""]) => {
    const sample = await rPackage();
    expect(await incompleteOf({ ...sample, source: bytesOf(Buffer.from(text)) })).toEqual([
      { reason: "unreadable", paths: [] },
    ]);
  });

  test("says so for a wheel that is no zip, and for metadata that is none", async () => {
    const sample = await wheel();
    expect(await incompleteOf({ ...sample, source: bytesOf(Buffer.from("PK")) })).toHaveLength(1);
    expect(await incompleteOf(await rPackage({ DESCRIPTION: "no fields\n" }))).toEqual([
      { reason: "unreadable", paths: ["DESCRIPTION"] },
    ]);
  });

  test("names the text that is too long", async () => {
    expect(await incompleteOf(await rPackage(files), { textBytes: 900 })).toEqual([
      { reason: "size", paths: ["R/b.R"] },
    ]);
  });

  test("still knows what a file is that is too large to be examined", async () => {
    const large = {
      "inst/a.csv": "żółw,1\n".repeat(400),
      "inst/a.bin": randomBytes(3000),
      "inst/a.png": randomBytes(3000),
    };
    const { files: found, signals } = await inspected(await rPackage(large), {
      limits: { ...inspectionLimits, textBytes: 900 },
    });
    expect(found.filter(({ size }) => size > 900).map(({ path, kind, lines }) => [path, kind, lines])).toEqual([
      ["inst/a.bin", "other", null],
      ["inst/a.csv", "text", null],
      ["inst/a.png", "other", null],
    ]);
    const about = signals.map(({ id, file }) => `${id} ${file}`);
    expect(about).toContain("high-entropy inst/a.bin");
    expect(about).toContain("incomplete inst/a.csv");
    expect(about.filter((text) => text.startsWith("content-differs"))).toEqual([
      "content-differs-from-name inst/a.png",
    ]);
  });

  test("names the first file over the number of files", async () => {
    expect(await incompleteOf(await rPackage(files), { files: 3 })).toEqual([{ reason: "files", paths: ["R/b.R"] }]);
  });

  test("ends when the time is over, or when it is asked to", async () => {
    expect(await incompleteOf(await rPackage(files), { milliseconds: -1 })).toMatchObject([{ reason: "time" }]);
    const { incomplete } = await inspected(await rPackage(files), { signal: AbortSignal.abort() });
    expect(incomplete).toMatchObject([{ reason: "time" }]);
  });

  test("keeps no more texts than fit", async () => {
    expect(await incompleteOf(await rPackage({ "NEWS.md": "# 1.0.0\n" }), { keptBytes: 4 })).toContainEqual({
      reason: "memory",
      paths: ["DESCRIPTION", "NEWS.md"],
    });
  });

  test("parses no more code than fits", async () => {
    const { source, ...what } = await sdist({ "a.py": "low = 1\n", "b.py": "high = 2\n" });
    const incompleteFor = async (limits: Partial<typeof inspectionLimits>) =>
      (await inspectWith(assignments, { source, ...what }, { limits: { ...inspectionLimits, ...limits } })).incomplete;
    expect(await incompleteFor({ allCodeBytes: 12 })).toEqual([{ reason: "memory", paths: ["b.py"] }]);
    expect(await incompleteFor({ codeBytes: 8 })).toEqual([{ reason: "size", paths: ["b.py"] }]);
  });

  test("lists no more signals and entries than allowed", async () => {
    const hosts = Array.from({ length: 5 }, (_, index) => `a <- "https://h${index}.test.dev/"\n`).join("");
    expect(await incompleteOf(await rPackage({ "R/a.R": hosts }), { signals: 3 })).toEqual([
      { reason: "signals", paths: ["R/a.R"] },
    ]);
    const { source, ...what } = await sdist({ "tides.py": "low = 1\nhigh = 2\n" });
    const limits = { ...inspectionLimits, interfaceEntries: 1 };
    const found = await inspectWith(assignments, { source, ...what }, { limits });
    expect([found.interface.length, found.incomplete]).toEqual([1, [{ reason: "signals", paths: [] }]]);
  });

  test("survives code that is nested too deeply for an inspector", async () => {
    const deep: typeof withoutCode = {
      ...withoutCode,
      isCode: () => true,
      inspectCode: () => {
        throw new RangeError("Maximum call stack size exceeded");
      },
    };
    const { source, ...what } = await rPackage({ "R/a.R": "a\n" });
    const { incomplete } = await inspectWith(deep, { source, ...what });
    expect(incomplete[0]?.paths).toContain("R/a.R");
  });

  test("throws what the source throws: that says nothing about the archive", async () => {
    const { source, ...what } = await rPackage();
    const broken = { size: source.size, read: () => Promise.reject(new Error("storage is away")) };
    await expect(inspect(broken, what)).rejects.toThrow("storage is away");
  });
});

test("links and repeated files of a tar are listed once, as unpacking leaves them", async () => {
  const entries: TarEntry[] = [
    { name: "tides/DESCRIPTION", bytes: Buffer.from("Package: tides\nVersion: 1.0.0\n") },
    { name: "tides/a", bytes: Buffer.from("old") },
    { name: "tides/a", bytes: Buffer.from("newer") },
    { name: "tides/link", type: "symlink", linkname: "a" },
  ];
  const sample = { ...(await rPackage()), source: bytesOf(gzip(await tar(entries, packed))) };
  const { files } = await inspected(sample);
  expect(files.map(({ path, size, kind }) => [path, size, kind])).toEqual([
    ["DESCRIPTION", 30, "text"],
    ["a", 5, "text"],
    ["link", 0, "other"],
  ]);
});

test("the modules load as they are, without a bundler that hides wrong imports", () => {
  const modules = ["inspect.ts", "compare-archives.ts", "file-diff.ts"].map((name) => join(import.meta.dirname, name));
  const program = modules.map((path) => `await import(${JSON.stringify(path)});`).join("");
  expect(
    execFileSync(process.execPath, ["--input-type=module", "-e", `${program} console.log("loaded")`], {
      encoding: "utf8",
    }),
  ).toBe("loaded\n");
});
