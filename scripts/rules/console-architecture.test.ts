import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { circleOfFolders, importsWithin, specifiersIn } from "./imports.ts";

const folder = resolve(import.meta.dirname, "../../console");

/** From top to bottom: a layer imports only from those after it. A folder of the console that is not here is refused. */
const layers = [
  "app",
  "features",
  "list",
  "event-summary",
  "sign-in",
  "second-step",
  "layout",
  "session",
  "calls",
  "technologies",
  "ui",
  "api",
  "language",
  "storage",
];

/** Files at the top of the workspace; everything else belongs to a layer. */
const loose = ["vite.config.ts"];

/** So many files of its own a folder holds at most; tests come on top. */
const mostFiles = 16;

const isTest = (path: string) => /\.test\.tsx?$/.test(path);

const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (path) => /\.tsx?$/.test(path) && !/^(node_modules|dist)\//.test(path),
);

const ofProduct = importsWithin(folder, files).filter(({ from }) => !isTest(from));

const layerOf = (path: string): string => path.split("/")[0] ?? "";
const rank = (path: string): number => layers.indexOf(layerOf(path));
const featureOf = (path: string): string | undefined => /^features\/([^/]+)\//.exec(path)?.[1];

describe("the console", () => {
  test("has no folder that no layer names, and no loose file", () => {
    const unknown = files.filter((path) => !loose.includes(path) && rank(path) < 0);
    expect(unknown).toEqual([]);
    const unplaced = files.filter((path) => path.startsWith("features/") && featureOf(path) === undefined);
    expect(unplaced).toEqual([]);
  });

  test("imports downward only", () => {
    const wrong = ofProduct.filter(
      ({ from, to }) =>
        layerOf(from) !== layerOf(to) && !loose.includes(from) && to !== "package.json" && rank(from) >= rank(to),
    );
    expect(wrong).toEqual([]);
  });

  test("has features that do not import each other", () => {
    const wrong = ofProduct.filter(
      ({ from, to }) =>
        featureOf(from) !== undefined && featureOf(to) !== undefined && featureOf(from) !== featureOf(to),
    );
    expect(wrong).toEqual([]);
  });

  test("stores in the browser only where full or blocked storage is handled", () => {
    const direct = files.filter(
      (path) =>
        !isTest(path) &&
        !path.startsWith("storage/") &&
        /\b(local|session)Storage\b/.test(readFileSync(join(folder, path), "utf8")),
    );
    expect(direct).toEqual([]);
  });

  test("asks for media queries by one hook, which knows the answer when a screen first renders", () => {
    const direct = files.filter(
      (path) => path !== "ui/use-media.ts" && /\buseMediaQuery\b/.test(readFileSync(join(folder, path), "utf8")),
    );
    expect(direct).toEqual([]);
  });

  test.for([1, 2, 3, Number.POSITIVE_INFINITY])(
    "has no cycle between folders, %d deep, of values or of types",
    (depth) => {
      expect(circleOfFolders(ofProduct, depth)).toBeUndefined();
    },
  );

  test("has folders that can be read at a glance", () => {
    const sizes = Map.groupBy(
      files.filter((path) => !isTest(path)),
      (path) => dirname(path),
    );
    expect([...sizes].filter(([, own]) => own.length > mostFiles).map(([name]) => name)).toEqual([]);
  });
});

describe("these rules", () => {
  test("see every way to import", () => {
    const source = `
      import { a } from "../api/a.ts";
      import type { B } from "../ui/b.ts";
      import "./c.ts";
      export { d } from "./d.ts";
      const e = () => import("../session/e.ts");
      type F = import("../list/f.ts").F;`;
    const imported = ["../api/a.ts", "../ui/b.ts", "./c.ts", "./d.ts", "../session/e.ts", "../list/f.ts"];
    expect(specifiersIn("calls/x.ts", source).sort()).toEqual(imported.sort());
    expect(ofProduct.length).toBeGreaterThan(500);
  });

  test("see a cycle through a third folder", () => {
    const chain = [
      { from: "a/1.ts", to: "b/1.ts" },
      { from: "b/2.ts", to: "c/1.ts" },
      { from: "c/2.ts", to: "a/2.ts" },
      { from: "c/2.ts", to: "d/1.ts" },
    ];
    expect(circleOfFolders(chain)).toEqual(["a", "b", "c", "a"]);
    expect(circleOfFolders(chain.slice(1))).toBeUndefined();
  });

  test("see a cycle of folders that only their subfolders close", () => {
    const features = [
      { from: "features/a/1.ts", to: "features/b/rules/1.ts" },
      { from: "features/b/2.ts", to: "features/a/rules/2.ts" },
    ];
    expect(circleOfFolders(features)).toBeUndefined();
    expect(circleOfFolders(features, 2)).toEqual(["features/a", "features/b", "features/a"]);
  });
});
