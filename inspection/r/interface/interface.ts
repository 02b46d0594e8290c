import type { InspectedFile, InterfaceEntry } from "@packhouse/contract/review/inspection";
import type { Definition } from "../code/definitions.ts";
import { exportPattern } from "./export-pattern.ts";
import type { Namespace } from "./namespace.ts";

export interface DefinedAt extends Definition {
  file: string;
}

interface Sources {
  namespace: Namespace;
  /** Of all files in `R/`, in the order in which R reads them: later ones replace earlier ones. */
  definitions: readonly DefinedAt[];
  files: readonly InspectedFile[];
  /** `data/datalist`. */
  datalist: string | undefined;
}

/** Patterns that cannot be matched here select everything, so that nothing is missed. */
const select = (patterns: readonly string[]) => {
  const tests = patterns.map((pattern) => exportPattern(pattern) ?? (() => true));
  return (name: string) => tests.some((test) => test(name));
};

/** What users of the package can call or use, by name. */
export function interfaceOf({ namespace, definitions, files, datalist }: Sources): InterfaceEntry[] {
  const values = new Map<string, DefinedAt>();
  const classes = new Map<string, DefinedAt>();
  const methods: DefinedAt[] = [];
  for (const one of definitions) {
    if (one.kind === "s4-class") classes.set(one.name, one);
    else if (one.kind === "s4-method") methods.push(one);
    else values.set(one.name, one);
  }
  const entries = new Map<string, InterfaceEntry>();
  const add = (entry: InterfaceEntry) => {
    // Classes may have the names of functions.
    const key = entry.kind === "s4-class" ? `class ${entry.name}` : entry.name;
    if (!entries.has(key)) entries.set(key, { ...entry, name: stored(entry.name) });
  };

  for (const { generic, class: className, function: given } of namespace.s3Methods) {
    const name = `${generic}.${className}`;
    add({ ...entryOf(name, values.get(given ?? name)), kind: "s3-method" });
  }
  const isSelected = select(namespace.exportPatterns);
  const exported = new Map(namespace.exports);
  for (const name of values.keys()) if (isSelected(name)) exported.set(name, name);
  for (const [name, inside] of exported) add(entryOf(name, values.get(inside), namespace.lines.get(name)));

  const isSelectedClass = select(namespace.exportClassPatterns);
  const exportedClasses = [...namespace.exportClasses, ...[...classes.keys()].filter(isSelectedClass)];
  for (const name of exportedClasses) add({ ...entryOf(name, classes.get(name)), kind: "s4-class" });

  const generics = new Set([...namespace.exportMethods, ...exported.keys()]);
  const ofGeneric = Map.groupBy(methods, ({ name }) => name.split(",")[0] ?? name);
  for (const generic of generics)
    for (const method of ofGeneric.get(generic) ?? []) add({ ...entryOf(method.name, method), kind: "s4-method" });
  for (const generic of namespace.exportMethods) {
    const own = values.get(generic);
    if (own) add(entryOf(generic, own));
  }

  for (const { name, file } of dataSets(files, datalist))
    add({ name, kind: "object", parameters: null, file, line: null });
  return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

const longestName = 500;

/** As JSON and a database can have it: no zero bytes, no half characters. */
const stored = (name: string): string => name.slice(0, longestName).toWellFormed().replaceAll("\0", "\u{fffd}");

/** What is not defined in `R/` comes from another package. */
function entryOf(name: string, definition: DefinedAt | undefined, namespaceLine?: number): InterfaceEntry {
  if (!definition)
    return {
      name,
      kind: "object",
      parameters: null,
      file: namespaceLine ? "NAMESPACE" : null,
      line: namespaceLine ?? null,
    };
  const { kind, parameters, file, line } = definition;
  return { name, kind, parameters, file, line };
}

const dataFile = /^data\/([^/]+)\.(?:rda|rdata|r|tab|txt|csv)(?:\.(?:gz|bz2|xz))?$/i;

/** `data/datalist` names what files contain; otherwise a file is called like its data set. */
function dataSets(
  files: readonly InspectedFile[],
  datalist: string | undefined,
): { name: string; file: string | null }[] {
  const listed = new Map<string, string[]>();
  for (const line of datalist?.split("\n", 10_000) ?? []) {
    const [file = "", names] = line.split(":", 2);
    if (file.trim() !== "") listed.set(file.trim(), (names ?? file).trim().split(/\s+/));
  }
  return files.flatMap(({ path }) => {
    const stem = dataFile.exec(path)?.[1];
    return stem === undefined ? [] : (listed.get(stem) ?? [stem]).map((name) => ({ name, file: path }));
  });
}
