import type { InterfaceEntry } from "@packhouse/contract/review/inspection";
import type { Definition, ImportedName, ModuleFacts, PythonFacts } from "../facts.ts";
import { isPublicName } from "../syntax/literals.ts";
import { storable } from "../syntax/storable.ts";
import type { EntryPoint } from "./build-configuration.ts";
import { absoluteName, type InstalledModule } from "./modules.ts";

/** More than any library has. */
const mostEntries = 20_000;
/** Re-exports of re-exports are followed this far. */
const mostSteps = 12;

export interface PublicInterface {
  entries: InterfaceEntry[];
  /** Public modules, classes, functions and methods, and those of them that have a docstring. */
  documentable: number;
  documented: number;
}

/** What users of the modules can import and call. */
export function publicInterface(
  modules: readonly InstalledModule[],
  code: ReadonlyMap<string, PythonFacts>,
  entryPoints: readonly EntryPoint[],
): PublicInterface {
  return new InterfaceReader(modules, code).read(entryPoints);
}

interface Located {
  definition: Definition;
  path: string;
}

/** A module with its names, looked up by name. */
interface KnownModule {
  module: InstalledModule;
  facts: ModuleFacts | undefined;
  definitions: ReadonlyMap<string, Definition>;
  aliases: ReadonlyMap<string, string>;
  imports: ReadonlyMap<string, ImportedName>;
}

const knownModule = (module: InstalledModule, facts: ModuleFacts | undefined): KnownModule => ({
  module,
  facts,
  definitions: new Map(facts?.definitions.map((definition) => [definition.name, definition])),
  aliases: new Map(facts?.aliases.filter(({ name, of }) => name !== of).map(({ name, of }) => [name, of])),
  imports: new Map(facts?.imports.map((imported) => [imported.name, imported])),
});

class InterfaceReader {
  readonly #modules = new Map<string, KnownModule>();
  readonly #exports = new Map<string, ReadonlySet<string>>();
  readonly #places = new Map<string, Located | "module" | undefined>();
  readonly #entries = new Map<string, InterfaceEntry>();
  #documentable = 0;
  #documented = 0;

  constructor(modules: readonly InstalledModule[], code: ReadonlyMap<string, PythonFacts>) {
    for (const module of modules) {
      const known = this.#modules.get(module.name);
      // Code counts before its stub, and both before a compiled file.
      if (known?.facts && (known.module.path.endsWith(".py") || !module.path.endsWith(".py"))) continue;
      this.#modules.set(module.name, knownModule(module, code.get(module.path)?.module));
    }
  }

  read(entryPoints: readonly EntryPoint[]): PublicInterface {
    for (const [name, { module, facts }] of [...this.#modules].sort(([one], [other]) => (one < other ? -1 : 1))) {
      if (!isPublicModule(name)) continue;
      if (this.#entries.size >= mostEntries) break;
      this.#add({ name, kind: "module", parameters: null, file: module.path, line: null });
      if (facts === undefined) continue;
      this.#count(facts.documented);
      for (const exported of this.#exportsOf(name)) this.#addExport(name, exported);
    }
    for (const { group, name } of entryPoints) {
      const isCommand = group === "console_scripts" || group === "gui_scripts";
      const kind = isCommand ? "command" : "entry-point";
      this.#add({ name: isCommand ? name : `${group}:${name}`, kind, parameters: null, file: null, line: null });
    }
    return {
      entries: [...this.#entries.values()],
      documentable: this.#documentable,
      documented: this.#documented,
    };
  }

  #add(entry: InterfaceEntry): boolean {
    const key = `${entry.kind === "command" ? "command " : ""}${entry.name}`;
    if (this.#entries.has(key) || this.#entries.size >= mostEntries) return false;
    this.#entries.set(key, { ...entry, name: storable(entry.name, 500) });
    return true;
  }

  #count(isDocumented: boolean): void {
    this.#documentable += 1;
    if (isDocumented) this.#documented += 1;
  }

  #addExport(module: string, exported: string): void {
    const located = this.#find(module, exported);
    const name = `${module}.${exported}`;
    if (located === "module") return;
    if (located === undefined) {
      const path = this.#modules.get(module)?.module.path ?? null;
      this.#add({ name, kind: "object", parameters: null, file: path, line: null });
      return;
    }
    const { definition, path } = located;
    const { kind, parameters, line, members } = definition;
    if (!this.#add({ name, kind, parameters, file: path, line })) return;
    if (kind === "function" || kind === "class") this.#count(definition.documented);
    for (const member of members) {
      const entry = { name: `${name}.${member.name}`, kind: member.kind, parameters: member.parameters };
      const isNew = this.#add({ ...entry, file: path, line: member.line });
      if (isNew && member.kind === "method") this.#count(member.documented);
    }
  }

  /** The public names of a module: `__all__`, or those without a leading underscore. */
  #exportsOf(name: string, steps = mostSteps): ReadonlySet<string> {
    const known = this.#exports.get(name);
    if (known) return known;
    // Modules that import each other's names add nothing to each other.
    this.#exports.set(name, new Set());
    const exported = this.#listExports(name, steps);
    this.#exports.set(name, exported);
    return exported;
  }

  #listExports(name: string, steps: number): ReadonlySet<string> {
    const entry = this.#modules.get(name);
    const facts = entry?.facts;
    if (entry === undefined || facts === undefined || steps === 0) return new Set();
    if (facts.all !== null || facts.allOf.length > 0) {
      const listed = new Set(facts.all ?? []);
      for (const other of facts.allOf) {
        const target = this.#moduleNamed(name, other);
        if (target !== undefined) for (const exported of this.#exportsOf(target, steps - 1)) listed.add(exported);
      }
      return listed;
    }
    const found = new Set(facts.definitions.map((definition) => definition.name).filter(isPublicName));
    for (const from of facts.starImports) {
      const target = absoluteName(entry.module, from);
      if (this.#modules.has(target)) for (const exported of this.#exportsOf(target, steps - 1)) found.add(exported);
    }
    if (!entry.module.isPackage) return found;
    // A package offers what it imports from its own modules.
    for (const { name: local, from, imported } of facts.imports) {
      const target = absoluteName(entry.module, from);
      const isOwn = imported !== null && target.split(".")[0] === name.split(".")[0];
      const isModule = this.#modules.has(`${target}.${imported}`);
      if (isOwn && isPublicName(local) && !isModule) found.add(local);
    }
    return found;
  }

  /** `rows` in `rows.__all__`, after `from . import rows`. */
  #moduleNamed(name: string, local: string): string | undefined {
    const entry = this.#modules.get(name);
    if (entry === undefined) return undefined;
    const found = entry.imports.get(local);
    const candidates = [
      found?.imported ? `${absoluteName(entry.module, found.from)}.${found.imported}` : found?.from,
      `${name}.${local}`,
      local,
    ];
    return candidates.find((candidate) => candidate !== undefined && this.#modules.has(candidate));
  }

  /** Where a name of a module is defined; `module` if it is one. */
  #find(module: string, name: string, steps = mostSteps): Located | "module" | undefined {
    const key = `${module} ${name}`;
    if (this.#places.has(key) || steps === 0) return this.#places.get(key);
    this.#places.set(key, undefined);
    const located = this.#look(module, name, steps);
    this.#places.set(key, located);
    return located;
  }

  #look(module: string, name: string, steps: number): Located | "module" | undefined {
    const entry = this.#modules.get(module);
    if (entry === undefined) return undefined;
    const { facts } = entry;
    const alias = entry.aliases.get(name);
    if (alias !== undefined) {
      const located = this.#find(module, alias, steps - 1);
      if (located && located !== "module") return located;
    }
    const definition = entry.definitions.get(name);
    if (definition) return { definition, path: entry.module.path };
    const imported = entry.imports.get(name);
    if (imported?.imported) {
      const target = absoluteName(entry.module, imported.from);
      const located = this.#find(target, imported.imported, steps - 1);
      if (located) return located;
      if (this.#modules.has(`${target}.${imported.imported}`)) return "module";
    }
    for (const from of facts?.starImports ?? []) {
      const located = this.#find(absoluteName(entry.module, from), name, steps - 1);
      if (located) return located;
    }
    return this.#modules.has(`${module}.${name}`) ? "module" : undefined;
  }
}

/** Every part of a public module's name is public, and it is neither a program nor a test. */
const isPublicModule = (name: string): boolean =>
  name.split(".").every((part) => isPublicName(part) && part !== "tests" && part !== "conftest");
