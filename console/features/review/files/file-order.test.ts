import { fileChange } from "@packhouse/contract/review/comparison";
import { describe, expect, test } from "vitest";
import { foldersOf, partsOf } from "./file-order.ts";

const file = (path: string, generated = false) =>
  fileChange.parse({
    path,
    previousPath: null,
    change: "added",
    kind: "text",
    sizeBefore: null,
    sizeAfter: 1,
    sha256: "",
    generated,
    added: 1,
    removed: 0,
  });

describe("the tree of changed files", () => {
  test("has folders first, then the top, and what tools wrote apart", () => {
    const { folders, generated } = foldersOf([file("NEWS.md"), file("R/b.R"), file("MD5", true), file("R/a.R")]);
    expect(folders.map(({ name, files }) => [name, ...files.map(({ path }) => path)])).toEqual([
      ["R/", "R/a.R", "R/b.R"],
      ["", "NEWS.md"],
    ]);
    expect(generated.map(({ path }) => path)).toEqual(["MD5"]);
  });

  test("is drawn in parts that have every file once, in order", () => {
    const files = Array.from({ length: 5000 }, (_, index) =>
      file(`data/${String(index % 40).padStart(2, "0")}/${index}`),
    );
    const { folders } = foldersOf(files);
    const parts = partsOf(folders);
    expect(Math.max(...parts.map((part) => part.reduce((sum, slice) => sum + slice.files.length, 0)))).toBeLessThan(
      101,
    );
    expect(parts.flat().flatMap((slice) => slice.files)).toEqual(folders.flatMap((folder) => folder.files));
    expect(
      parts
        .flat()
        .filter(({ isFirst }) => isFirst)
        .map(({ folder }) => folder),
    ).toEqual(folders.map(({ name }) => name));
  });
});
