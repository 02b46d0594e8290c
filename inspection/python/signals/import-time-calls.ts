import type { PythonFacts } from "../facts.ts";
import { absoluteName, type InstalledModule } from "../interface/modules.ts";

/** Marks what one module does on import of another, by a call of its functions: `from .net import send; send()`. */
export function withImportTimeCalls(
  code: ReadonlyMap<string, PythonFacts>,
  modules: readonly InstalledModule[],
  build: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, PythonFacts> {
  const called = new Set<string>();
  for (const module of modules)
    for (const name of code.get(module.path)?.importTimeCalls ?? []) called.add(absoluteName(module, name));
  // `setup.py` may call what it builds.
  for (const path of build) for (const name of code.get(path)?.importTimeCalls ?? []) called.add(name);
  for (const name of lookedUp(code, modules)) called.add(name);
  const result = new Map(code);
  for (const { name, path } of modules) {
    const facts = code.get(path);
    if (facts === undefined) continue;
    const found = facts.found.map((item) =>
      item.when === "call" &&
      item.signal.id !== "py-import-time-call" &&
      item.leading.some((leading) => called.has(`${name}.${leading}`))
        ? { ...item, when: "import" as const }
        : item,
    );
    result.set(path, { ...facts, found });
  }
  return result;
}

/** `from .net import missing` calls a function `__getattr__` of that module. */
function* lookedUp(code: ReadonlyMap<string, PythonFacts>, modules: readonly InstalledModule[]): Generator<string> {
  const paths = new Map(modules.map((module) => [module.name, module.path]));
  for (const module of modules)
    for (const { from, imported } of code.get(module.path)?.module.imports ?? []) {
      if (imported === null) continue;
      const name = absoluteName(module, from);
      const facts = code.get(paths.get(name) ?? "");
      if (facts === undefined || paths.has(`${name}.${imported}`)) continue;
      const { definitions, imports, starImports, aliases } = facts.module;
      const isThere = [...definitions, ...imports, ...aliases].some((bound) => bound.name === imported);
      if (!isThere && starImports.length === 0) yield `${name}.__getattr__`;
    }
}
