import type { PythonFacts } from "../facts.ts";
import { absoluteName, type InstalledModule } from "../interface/modules.ts";

/** Marks what one module does on import of another, by a call of its functions: `from .net import send; send()`. */
export function withImportTimeCalls(
  code: ReadonlyMap<string, PythonFacts>,
  modules: readonly InstalledModule[],
): ReadonlyMap<string, PythonFacts> {
  const called = new Set<string>();
  for (const module of modules)
    for (const name of code.get(module.path)?.importTimeCalls ?? []) called.add(absoluteName(module, name));
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
