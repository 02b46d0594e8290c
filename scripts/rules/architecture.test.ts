import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { type Import, specifiersIn } from "./imports.ts";

const project = resolve(import.meta.dirname, "../..");

const notSource = /(^|\/)(node_modules|dist|packages\/(r|python))\//;
const isTest = (path: string) => /\.test\.tsx?$|\/testing\/|\.spec\.ts$/.test(path);

/** As they are written. */
function specifiersOf(workspace: string): { from: string; specifier: string }[] {
  const files = readdirSync(join(project, workspace), { recursive: true, encoding: "utf8" })
    .map((path) => join(workspace, path))
    .filter((path) => /\.tsx?$/.test(path) && !notSource.test(`${path}/`) && !path.includes("node_modules"));
  return files.flatMap((from) =>
    specifiersIn(from, readFileSync(join(project, from), "utf8")).map((specifier) => ({ from, specifier })),
  );
}

/** Each from a path inside the project, or the name of a package. */
const importsOf = (workspace: string): Import[] =>
  specifiersOf(workspace).map(({ from, specifier }) => ({ from, to: resolved(from, specifier) }));

/** Our own packages by their folder, relative imports by their path, others by their name. */
function resolved(from: string, specifier: string): string {
  if (specifier.startsWith(".")) return relative(project, normalize(join(project, dirname(from), specifier)));
  return specifier.startsWith("@packhouse/") ? `${specifier.slice("@packhouse/".length)}.ts` : specifier;
}

/** Files of the server that come with one when it is loaded; what is imported for its types alone does not. */
function loadedBy(entry: string): string[] {
  const found = new Set([entry]);
  for (const path of found) {
    const text = readFileSync(join(project, path), "utf8");
    const specifiers = text.matchAll(
      /(?:^|\n)(?:import|export) (?!type\b)(?:[^"'`;]*? from )?"(\.[^"]+)"|import\(\s*"(\.[^"]+)"\s*\)/g,
    );
    for (const [, loaded, later] of specifiers) {
      const to = relative(project, normalize(join(project, dirname(path), loaded ?? later ?? "")));
      if (to.startsWith("server/") && to.endsWith(".ts")) found.add(to);
    }
  }
  return [...found];
}

const workspaces = ["contract", "formats", "inspection", "fixtures", "server", "console", "e2e", "bench", "scripts"];
const workspaceOf = (path: string): string | undefined => workspaces.find((name) => path.startsWith(`${name}/`));

/** What each part may import of the others; what is not here is refused. */
const allowed: Record<string, readonly string[]> = {
  contract: [],
  formats: [],
  inspection: ["contract", "formats"],
  fixtures: ["contract"],
  server: ["contract", "formats", "inspection", "fixtures"],
  console: ["contract", "formats"],
  e2e: ["contract", "fixtures", "server"],
  bench: ["contract", "formats", "inspection", "fixtures", "server", "e2e", "scripts"],
  scripts: ["server", "e2e", "inspection"],
};

describe("imports", () => {
  test.for(workspaces)("of %s go only where they may", (workspace) => {
    const wrong = importsOf(workspace).filter(({ from, to }) => {
      const target = workspaceOf(to);
      return !isTest(from) && target !== undefined && target !== workspace && !allowed[workspace]?.includes(target);
    });
    expect(wrong).toEqual([]);
  });

  // The rules about layers and cycles read relative imports.
  test.for(workspaces)("of %s from itself are relative", (workspace) => {
    const own = `@packhouse/${workspace}`;
    expect(specifiersOf(workspace).filter(({ specifier }) => `${specifier}/`.startsWith(`${own}/`))).toEqual([]);
  });

  test("of the contract and the formats need no server and no browser", () => {
    const outside = [...importsOf("contract"), ...importsOf("formats")].filter(
      ({ from, to }) => !isTest(from) && to.startsWith("node:"),
    );
    expect(outside).toEqual([]);
  });

  test("of the process that answers requests name nothing that parses what users and other servers sent", () => {
    const parsers =
      /\b(archiveFiles|gunzip|tarMembers|zipDirectory|zipBeginning|zipContent|vignetteOf|documentationReader|readVignette|readDocumentation|readDocumentationOf|rDocumentation|readManualSource|renderManual|readPackagesIndex|readProjectList|readProjectPage|brokenRules|readCoreMetadata|readDescription|readRPackage|readDistribution|readWheel|readSdist|readBuiltTarget|rDependencies|pythonRequirements)\b/;
    const called = /\.readPackage\(|\.checkMetadata\(|\.readBuiltTarget\(|\bdependencies\.read\(/;
    const wrong = loadedBy("server/entry/packhouse.ts").filter((path) => {
      const text = readFileSync(join(project, path), "utf8");
      const fromFormats = text.match(/\nimport (?!type)[^;]*?from "@packhouse\/formats\/[^"]+"/g) ?? [];
      return called.test(text) || fromFormats.some((one) => parsers.test(one.replaceAll(/\btype \w+/g, "")));
    });
    expect(wrong).toEqual([]);
    // Of the inspection, the server knows the number alone.
    const inspecting = loadedBy("server/entry/packhouse.ts").filter((path) =>
      /\nimport (?!type)[^;]*?from "@packhouse\/inspection\/(?!inspector-version")/.test(
        readFileSync(join(project, path), "utf8"),
      ),
    );
    expect(inspecting).toEqual([]);
    expect(loadedBy("server/app/worker.ts")).toContain("server/features/review/inspections/inspect-package.ts");
    // The rule sees what it is about: workers load parsers, and the server does not load the workers' tasks.
    expect(loadedBy("server/app/worker.ts")).toContain("server/features/packages/contents/read-facts.ts");
    expect(loadedBy("server/entry/packhouse.ts")).not.toContain("server/app/worker-tasks.ts");
  });

  test("are found at all", () => {
    expect(importsOf("server").length).toBeGreaterThan(200);
  });
});
