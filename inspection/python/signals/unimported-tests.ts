import { isTestFile } from "../../rules/places.ts";
import type { PythonFacts } from "../facts.ts";
import type { EntryPoint } from "../interface/build-configuration.ts";
import { absoluteName, type InstalledModule } from "../interface/modules.ts";

interface Project {
  modules: readonly InstalledModule[];
  code: ReadonlyMap<string, PythonFacts>;
  /** Files that run when the project is built. */
  build: ReadonlySet<string>;
  entryPoints: readonly EntryPoint[];
}

/**
 * Paths of the tests and benchmarks that a package installs and nothing else of it imports: they run only for those who
 * run them by name.
 */
export function unimportedTests({ modules, code, build, entryPoints }: Project): Set<string> {
  const tests = new Map(modules.filter(isTest).map((module) => [module.name, module]));
  if (tests.size === 0) return new Set();
  const waiting = modules.filter((module) => !tests.has(module.name));
  const reach = (name: string): void => {
    // Importing a module also runs the packages around it.
    for (let end = name.length; end > 0; end = name.lastIndexOf(".", end - 1)) {
      const module = tests.get(name.slice(0, end));
      if (module !== undefined && tests.delete(module.name)) waiting.push(module);
    }
  };
  for (const { target } of entryPoints) reach(target.split(/[:[ ]/, 1)[0] ?? "");
  for (const path of build) for (const name of importsOf(code.get(path), (from) => from)) reach(name);
  for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
    const { path } = module;
    for (const name of importsOf(code.get(path), absoluteNameIn(module))) reach(name);
  }
  return new Set([...tests.values()].map(({ path }) => path));
}

const absoluteNameIn =
  (module: InstalledModule) =>
  (from: string): string =>
    absoluteName(module, from);

/** Modules, and names that may be modules. */
function* importsOf(facts: PythonFacts | undefined, absolute: (from: string) => string): Generator<string> {
  if (facts === undefined) return;
  for (const from of [...facts.importedModules, ...facts.module.starImports]) yield absolute(from);
  for (const { from, imported } of facts.module.imports) if (imported !== null) yield `${absolute(from)}.${imported}`;
}

/** Not `testing` or `fixtures`, which packages offer to the tests of others. */
const testFolders = new Set(["test", "tests", "benchmark", "benchmarks"]);

/** By its name, within a package. */
function isTest({ name, path }: InstalledModule): boolean {
  const [, ...inside] = name.split(".");
  return inside.some((part) => testFolders.has(part)) || (inside.length > 0 && isTestFile(path));
}
