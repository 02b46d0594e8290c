import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, resolve } from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";

const folder = resolve(import.meta.dirname, "../console");

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
];

/** Files at the top of the workspace; everything else belongs to a layer. */
const loose = ["vite.config.ts"];

/** So many files of its own a folder holds at most; tests come on top. */
const mostFiles = 16;

interface Import {
  from: string;
  to: string;
}

const isTest = (path: string) => /\.test\.tsx?$/.test(path);

const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (path) => /\.tsx?$/.test(path) && !/^(node_modules|dist)\//.test(path),
);

/** Everything that a file imports, lazily or for its types alone: by the parser, so that no way of writing it hides one. */
function importsOf(path: string, source: string): Import[] {
  const { module, errors } = parseSync(path, source);
  expect([path, errors]).toEqual([path, []]);
  const imported = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) => source.slice(moduleRequest.start + 1, moduleRequest.end - 1)),
    ...[...source.matchAll(/import\("([^"]+)"\)\.\w/g)].flatMap(([, specifier]) => specifier ?? []),
  ];
  return [...new Set(imported)]
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => ({ from: path, to: relative(folder, normalize(join(folder, dirname(path), specifier))) }));
}

const imports = files.flatMap((path) => importsOf(path, readFileSync(join(folder, path), "utf8")));
const ofProduct = imports.filter(({ from }) => !isTest(from));

const layerOf = (path: string): string => path.split("/")[0] ?? "";
const rank = (path: string): number => layers.indexOf(layerOf(path));
const featureOf = (path: string): string | undefined => /^features\/([^/]+)\//.exec(path)?.[1];

/** Chains of folders that import each other, each from its smallest name on. */
function cyclesBetweenFolders(imports: readonly Import[]): string[] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [own, other] = [dirname(from), dirname(to)];
    if (own !== other) targets.set(own, (targets.get(own) ?? new Set()).add(other));
  }
  const reaches = (start: string, end: string): boolean => {
    const seen = new Set<string>();
    const open = [...(targets.get(start) ?? [])];
    for (const next of open) {
      if (next === end) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(targets.get(next) ?? []));
    }
    return false;
  };
  return [...targets.keys()].filter((one) => reaches(one, one)).sort();
}

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

  test("has no cycle between folders, of values or of types", () => {
    expect(cyclesBetweenFolders(ofProduct)).toEqual([]);
  });

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
    expect(
      importsOf("calls/x.ts", source)
        .map(({ to }) => to)
        .sort(),
    ).toEqual(["api/a.ts", "calls/c.ts", "calls/d.ts", "list/f.ts", "session/e.ts", "ui/b.ts"].sort());
    expect(ofProduct.length).toBeGreaterThan(500);
  });

  test("see a cycle through a third folder", () => {
    const chain = [
      { from: "a/1.ts", to: "b/1.ts" },
      { from: "b/2.ts", to: "c/1.ts" },
      { from: "c/2.ts", to: "a/2.ts" },
      { from: "c/2.ts", to: "d/1.ts" },
    ];
    expect(cyclesBetweenFolders(chain)).toEqual(["a", "b", "c"]);
  });
});
