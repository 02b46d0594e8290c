import { nameOf } from "../rules/places.ts";
import type { ParsedFile, ReadArchive, TechnologyInspector } from "../technology-inspector.ts";
import type { Found, PythonFacts } from "./facts.ts";
import { type BuildConfiguration, buildConfiguration } from "./interface/build-configuration.ts";
import { moduleFacts } from "./interface/definitions.ts";
import { pythonIndicators } from "./interface/indicators.ts";
import { type InstalledModule, isLeftOut, isProjectPath, modulesOfSdist, modulesOfWheel } from "./interface/modules.ts";
import { publicInterface } from "./interface/public-interface.ts";
import { setupCall } from "./interface/setup-call.ts";
import { undeclaredDependencies } from "./interface/undeclared.ts";
import { archiveSignals, bytecodeSignals, isDataScript } from "./signals/archive-signals.ts";
import { codeSignals } from "./signals/code-signals.ts";
import { withImportTimeCalls } from "./signals/import-time-calls.ts";
import { packedCodeSignals } from "./signals/packed-code.ts";
import { isWatched } from "./signals/reach-rules.ts";
import { type FileRole, reportedSignals } from "./signals/reported.ts";
import { unimportedTests } from "./signals/unimported-tests.ts";
import { type Coding, hidingCoding } from "./syntax/coding.ts";
import { Names } from "./syntax/names.ts";
import { Syntax } from "./syntax/syntax.ts";

/** Files of the project that `setup.py` runs may import others; they are followed this far. */
const mostBuildFiles = 200;

const keptNames = new Set([
  "pyproject.toml",
  "hatch.toml",
  "meson.build",
  "setup.cfg",
  "top_level.txt",
  "entry_points.txt",
]);

export const pythonInspector: TechnologyInspector<PythonFacts> = {
  grammar: "python",
  isCode: (path) => path.endsWith(".py") || path.endsWith(".pyi") || path.endsWith(".pyw"),
  isKept(path) {
    const name = nameOf(path);
    return keptNames.has(name) || name.toLowerCase().endsWith(".pth") || isDataScript(path);
  },
  // For Python, also a carriage return alone ends a line, and a comment.
  withNewlines: (text) => (text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text),
  codeIn: (path, text) => (isScript(path) && startsPython(text) ? text : undefined),
  inspectCode,
  inspectBytes: (file, bytes) => [...bytecodeSignals(file, bytes), ...packedCodeSignals(file, bytes)],
  finish,
};

/** Whether a file is a command that a package installs, or that a project has. */
const isScript = (path: string): boolean => {
  const [folder = "", scheme] = path.split("/");
  return (folder.endsWith(".data") && scheme === "scripts") || folder === "bin" || folder === "scripts";
};

/** `#!python`, `#!/usr/bin/env python3` */
const startsPython = (text: string): boolean => {
  const first = text.slice(0, 200).split(/[\r\n]/, 1)[0] ?? "";
  return first.startsWith("#!") && first.includes("python");
};

function inspectCode({ path, text, root }: ParsedFile): PythonFacts {
  const syntax = new Syntax(text, root);
  const names = new Names(syntax, isWatched);
  const { found, importTimeCalls, namedFiles, isComplete } = codeSignals(path, syntax, names);
  const coding = hidingCoding(text);
  if (coding !== undefined) found.push(otherCoding(path, coding));
  if (!syntax.complete || !isComplete) found.push(unreadRest(path));
  return {
    module: moduleFacts(syntax, names),
    found,
    setup: path === "setup.py" ? setupCall(syntax, names) : null,
    importedModules: [...new Set(names.imports.map(({ from, imported }) => importedModule(from, imported)))].slice(
      0,
      500,
    ),
    importTimeCalls,
    namedFiles,
    tests: countTests(path, syntax),
  };
}

/** `from . import rows` imports the module `.rows`. */
const importedModule = (from: string, imported: string | null): string =>
  imported !== null && from.endsWith(".") ? `${from}${imported}` : from;

/** Of a file with more code than is read: it counts as not examined. */
const unreadRest = (path: string): Found => ({
  signal: { id: "incomplete", level: "warning", subject: "size", file: path, line: null, excerpt: null },
  when: "call",
  topic: path,
  isRaised: false,
  isQuiet: true,
  leading: [],
});

/** Python reads other code than what is written here. */
const otherCoding = (path: string, { coding, line, excerpt }: Coding): Found => ({
  signal: { id: "decoded-code", level: "danger", subject: `coding: ${coding}`, file: path, line, excerpt },
  when: "import",
  topic: "coding",
  isRaised: true,
  isQuiet: true,
  leading: [],
});

function countTests(path: string, syntax: Syntax): number {
  const name = nameOf(path);
  const isTest =
    name.startsWith("test_") || name.endsWith("_test.py") || path.split("/").slice(0, -1).includes("tests");
  if (!isTest) return 0;
  let count = 0;
  for (let place = 0; place < syntax.count; place++) {
    if (syntax.kind(place) !== "function_definition") continue;
    const called = syntax.child(place, "name");
    if (called !== undefined && syntax.text(called).startsWith("test")) count += 1;
  }
  return count;
}

function finish(archive: ReadArchive<PythonFacts>): ReturnType<TechnologyInspector<PythonFacts>["finish"]> {
  const { name, kind, files, code, texts } = archive;
  const paths = files.map((file) => file.path);
  const configuration = buildConfiguration(texts, code.get("setup.py")?.setup ?? null);
  const modules = kind === "binary" ? modulesOfWheel(paths) : modulesOfSdist({ name, paths, texts }, configuration);
  const offered = publicInterface(modules, code, configuration.entryPoints);
  const build = kind === "source" ? buildPaths(code, configuration, modules) : new Set<string>();
  const tests = unimportedTests({ modules, code, build, entryPoints: configuration.entryPoints });
  const roleOf = (path: string): FileRole => {
    if (build.has(path)) return "build";
    if (tests.has(path)) return "tests";
    return kind === "source" && (isProjectPath(path) || isLeftOut(path, configuration)) ? "project" : "installed";
  };
  return {
    interface: offered.entries,
    signals: [
      ...archiveSignals({ name, kind, files, texts, modules, configuration }),
      ...reportedSignals(withImportTimeCalls(code, modules, build), roleOf),
    ],
    dependencies: kind === "source" ? undeclaredDependencies(configuration, archive.fields) : [],
    indicators: pythonIndicators({ files, code, interface: offered }),
  };
}

/**
 * The files that run when the project is built: `setup.py`, the backend, and what they import of the project. Modules
 * that are installed count as such: what they do on import is noticed anyway.
 */
function buildPaths(
  code: ReadonlyMap<string, PythonFacts>,
  configuration: BuildConfiguration,
  modules: readonly InstalledModule[],
): Set<string> {
  const { backend, backendPath, buildFiles } = configuration;
  const module = (backend ?? "").split(":")[0]?.replaceAll(".", "/") ?? "";
  const waiting = ["setup.py", ...buildFiles];
  const installed = new Set(modules.map((installedModule) => installedModule.path));
  for (const folder of backendPath) waiting.push(...filesOf(module, folder));
  const byName = Map.groupBy(code.keys(), nameOf);
  const endingWith = (end: string): string[] =>
    (byName.get(nameOf(end)) ?? []).filter((path) => path === end || path.endsWith(`/${end}`)).slice(0, 20);
  const found = new Set<string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const facts = code.get(path);
    if (found.has(path) || facts === undefined || found.size === mostBuildFiles) continue;
    found.add(path);
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
    for (const imported of facts.importedModules) {
      const isRelative = imported.startsWith(".");
      const inside = imported.replace(/^\.+/, "").replaceAll(".", "/");
      const bases = isRelative ? [folder] : [folder, "", ...backendPath];
      const there = bases.flatMap((base) => filesOf(inside, base)).filter((file) => code.has(file));
      // `sys.path.insert(0, "tools")` makes modules of any folder importable.
      const elsewhere = isRelative || there.length > 0 ? [] : filesOf(inside, "").flatMap(endingWith);
      waiting.push(...[...there, ...elsewhere].filter((file) => !installed.has(file)));
    }
    // `exec(open("docs/about.py").read())`, `runpy.run_path("tools/gen.py")`
    for (const named of facts.namedFiles)
      waiting.push(...endingWith(named.replace(/^[./]+/, "")).filter((file) => !installed.has(file)));
  }
  return found;
}

const filesOf = (module: string, folder: string): string[] => {
  const base = folder === "" ? module : `${folder}/${module}`;
  return [`${base}.py`, `${base}/__init__.py`];
};
