import { describe, expect, test } from "vitest";
import { difference, type PushPlan, pagesOf, type Upload } from "./push-plan.ts";

const upload = (name: string, sizeBytes = 1): Upload => ({
  field: "files",
  name,
  folder: "src/contrib",
  sizeBytes,
  open: () => Promise.reject(new Error("not to be read")),
  stores: [],
});
const uploads = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, number) => upload(`${prefix}${number}`));
const plan = (parts: Partial<PushPlan>): PushPlan => ({
  deletions: [],
  added: [],
  replaced: [],
  indexes: [],
  closing: [],
  complete: true,
  ...parts,
});
const names = (parts: Partial<PushPlan>) => pagesOf(plan(parts)).map((page) => page.uploads.map(({ name }) => name));
const deletion = { field: "to_delete", name: "old", folder: "src/contrib", path: "src/contrib/old" } as const;

describe("the pages of a push", () => {
  test("hold ten files each, and the last page has everything that belongs there", () => {
    const pages = names({ added: uploads("a", 12), indexes: uploads("i", 2), closing: uploads("c", 7) });
    expect(pages.map((page) => page.length)).toEqual([10, 4, 7]);
    expect(names({ added: uploads("a", 2), closing: uploads("c", 3) })).toEqual([["a0", "a1", "c0", "c1", "c2"]]);
    expect(names({ closing: uploads("c", 12) }).map((page) => page.length)).toEqual([12]);
  });

  test("hold no more bytes than a server accepts, and no name twice", () => {
    expect(names({ added: [upload("a", 600_000_000), upload("b", 600_000_000)] })).toEqual([["a"], ["b"]]);
    expect(names({ added: [upload("a"), upload("a")], closing: [upload("c")] })).toEqual([["a"], ["a", "c"]]);
  });

  test("delete on the first one, and reuse freed names on a later one", () => {
    const pages = pagesOf(plan({ deletions: [deletion], replaced: [upload("r")], indexes: [upload("i")] }));
    expect(pages.map(({ deletions }) => deletions.length)).toEqual([1, 0]);
    expect(pages.map((page) => page.uploads.map(({ name }) => name))).toEqual([["i"], ["r", "i"]]);
    expect(pages.map(({ isLast }) => isLast)).toEqual([false, true]);
  });
});

describe("the difference to what is on the server", () => {
  const wanted = [
    { path: "same", digest: "1" },
    { path: "other", digest: "2" },
    { path: "unknown", digest: "3" },
    { path: "lost", digest: "4" },
  ];
  test("is by name and content, and the server's list takes precedence over what is remembered", () => {
    const { deleted, added, replaced, complete } = difference(wanted, {
      listed: new Set(["same", "other", "unknown", "stray"]),
      remembered: new Map([
        ["same", "1"],
        ["other", "x"],
        ["lost", "4"],
      ]),
    });
    expect(deleted).toEqual(["other", "unknown", "stray"]);
    expect([added, replaced].map((files) => files.map(({ path }) => path))).toEqual([["lost"], ["other", "unknown"]]);
    expect(complete).toBe(true);
  });

  test("deletes fifty files at once, those to be replaced first", () => {
    const listed = new Set([...Array.from({ length: 60 }, (_, number) => `stray${number}`), "other"]);
    const { deleted, replaced, complete } = difference(wanted.slice(1, 2), { listed, remembered: new Map() });
    expect([deleted.length, deleted[0], replaced.length, complete]).toEqual([50, "other", 1, false]);
  });
});
