import type { InspectedFile } from "@packhouse/contract/review/inspection";
import { expect, test } from "vitest";
import { differingFiles } from "./differing-files.ts";

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
