import type { InspectedFile, Inspection } from "@packhouse/contract/review/inspection";
import { expect, test } from "vitest";
import * as rule from "./differing-files.ts";

const file = (path: string, content: string): InspectedFile => ({
  path,
  size: 1,
  mode: null,
  sha256: content,
  kind: "text",
  encoding: "utf-8",
  lines: 1,
  generated: false,
});

const differingFiles = (built: InspectedFile[], source: InspectedFile[], incomplete: Inspection["incomplete"] = []) =>
  rule
    .differingFiles({ files: built, interface: [], signals: [] }, { files: source, incomplete })
    .map(({ path, missing }) => ({ path, missing }));

test("a file in which the build records the version is recognized, if it does nothing else", () => {
  const files = [file("orchard/_version.py", "a"), file("orchard/rows.py", "b")];
  const records = (more: Partial<Pick<Inspection, "interface" | "signals">> = {}) =>
    rule
      .differingFiles({ files, interface: [], signals: [], ...more }, { files: [], incomplete: [] })
      .filter(({ isRecord }) => isRecord)
      .map(({ path }) => path);
  const offered = { parameters: null, file: "orchard/_version.py", line: 1 };
  const constant = { ...offered, name: "orchard._version.version", kind: "constant" as const };
  expect(records({ interface: [constant] })).toEqual(["orchard/_version.py"]);
  expect(records({ interface: [{ ...offered, name: "orchard._version.get", kind: "function" }] })).toEqual([]);
  const noticed = { id: "process" as const, level: "notice" as const, subject: "", line: 1, excerpt: null };
  expect(records({ signals: [{ ...noticed, file: "orchard/_version.py" }] })).toEqual([]);
});

test("a file that the build makes from a template is recognized as such", () => {
  const template = (path: string) => ({ files: [file(path, "a")], incomplete: [] });
  const built = { files: [file("orchard/config.py", "b")], interface: [], signals: [] };
  expect(rule.differingFiles(built, template("src/orchard/config.py.in"))).toMatchObject([{ isRecord: true }]);
  expect(rule.differingFiles(built, template("elsewhere/config.py.in"))).toMatchObject([{ isRecord: false }]);
});

test("of a source that was not examined as a whole, nothing is known to be missing", () => {
  const [built, source] = [[file("orchard/rows.py", "a")], [file("orchard/other.py", "b")]];
  expect(differingFiles(built, source)).toHaveLength(1);
  expect(differingFiles(built, source, [{ reason: "files", paths: [] }])).toEqual([]);
});

test("files that the source has somewhere in the same form are no news", () => {
  const source = [
    file("src/orchard/rows.py", "a"),
    file("src/orchard/__init__.py", "b"),
    file("tests/__init__.py", "c"),
  ];
  expect(differingFiles([file("orchard/rows.py", "a"), file("orchard/__init__.py", "b")], source)).toEqual([]);
});

test("a file with another content is listed before one that the source does not have", () => {
  const source = [file("orchard/rows.py", "a")];
  const built = [
    file("orchard/extra.py", "x"),
    file("orchard/rows.py", "changed"),
    file("orchard-1.dist-info/x.py", "y"),
  ];
  expect(differingFiles(built, source)).toEqual([
    { path: "orchard/rows.py", missing: false },
    { path: "orchard/extra.py", missing: true },
  ]);
});

test("a file of the same name in another folder is another file", () => {
  expect(differingFiles([file("orchard/rows.py", "a")], [file("garden/rows.py", "a")])).toEqual([
    { path: "orchard/rows.py", missing: true },
  ]);
});

test("a file in the folder of other schemes replaces that of its name", () => {
  const source = [file("src/orchard/__init__.py", "a")];
  const path = "orchard-1.data/purelib/orchard/__init__.py";
  expect(differingFiles([file("orchard/__init__.py", "a"), file(path, "x")], source)).toEqual([
    { path, missing: false },
  ]);
  expect(differingFiles([file(path, "a")], source)).toEqual([]);
});

test.each(["tests/data/orchard/rows.py", "vendor/orchard/rows.py", "docs/src/orchard/rows.py"])(
  "the same bytes in %s are not the source of a module",
  (decoy) => {
    const source = [file("orchard/rows.py", "a"), file("orchard/__init__.py", "b"), file(decoy, "x")];
    expect(differingFiles([file("orchard/rows.py", "x")], source)).toEqual([
      { path: "orchard/rows.py", missing: false },
    ]);
  },
);

test("what only the tests of a source contain is missing in it", () => {
  const source = [file("orchard/__init__.py", "b"), file("tests/data/orchard/rows.py", "x")];
  const built = [file("orchard/__init__.py", "b"), file("orchard/rows.py", "x")];
  expect(differingFiles(built, source)).toEqual([{ path: "orchard/rows.py", missing: true }]);
});

test("a source may keep its modules anywhere", () => {
  const source = [file("bindings/python/orchard/rows.py", "a"), file("tests/orchard/rows.py", "b")];
  expect(differingFiles([file("orchard/rows.py", "a")], source)).toEqual([]);
  expect(differingFiles([file("tests/rows.py", "a")], [file("tests/rows.py", "a")])).toEqual([]);
});

test("scripts and what Python runs without being a text count, too", () => {
  const built = [
    { ...file("orchard/rows.py", "x"), kind: "other" as const },
    file("orchard/window.pyw", "x"),
    file("orchard-1.data/scripts/orchard", "x"),
    { ...file("orchard-1.data/scripts/fast", "x"), kind: "elf" as const },
  ];
  expect(differingFiles(built, [file("orchard/rows.py", "a")]).map(({ path }) => path)).toEqual([
    "orchard/rows.py",
    "orchard/window.pyw",
    "orchard-1.data/scripts/orchard",
  ]);
});

test("a script may have another first line than in the source", () => {
  const built = { ...file("orchard-1.data/scripts/orchard", "x"), size: 500, lines: 20 };
  const its = (size: number, lines: number) => differingFiles([built], [{ ...file("bin/orchard", "a"), size, lines }]);
  expect(its(515, 20)).toEqual([]);
  expect(its(515, 21)).toEqual([{ path: built.path, missing: false }]);
  expect(its(900, 20)).toEqual([{ path: built.path, missing: false }]);
});
