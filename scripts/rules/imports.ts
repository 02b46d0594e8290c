import { readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { parseSync } from "oxc-parser";

export interface Import {
  from: string;
  to: string;
}

/** Everything that a file imports, lazily or for its types alone: by the parser, so that no way of writing it hides one. */
export function specifiersIn(path: string, source: string): string[] {
  const { module, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join("; ")}`);
  return [
    ...new Set([
      ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...module.staticExports.flatMap(({ entries }) =>
        entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
      ),
      ...module.dynamicImports.map(({ moduleRequest }) => source.slice(moduleRequest.start + 1, moduleRequest.end - 1)),
      ...[...source.matchAll(/import\("([^"]+)"\)\.\w/g)].flatMap(([, specifier]) => specifier ?? []),
    ]),
  ];
}

/** The imports of a folder's files from each other, by paths within the folder. */
export const importsWithin = (folder: string, paths: readonly string[]): Import[] =>
  paths.flatMap((from) =>
    specifiersIn(from, readFileSync(join(folder, from), "utf8"))
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => ({ from, to: relative(folder, normalize(join(folder, dirname(from), specifier))) })),
  );

/**
 * Folders that import each other in a circle, in the order of the circle; undefined if there is none. Up to a `depth`,
 * a folder includes those in it.
 */
export function circleOfFolders(imports: readonly Import[], depth = Number.POSITIVE_INFINITY): string[] | undefined {
  const folderOf = (path: string) => dirname(path).split("/").slice(0, depth).join("/");
  const next = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [importing, imported] = [folderOf(from), folderOf(to)];
    if (importing !== imported) next.set(importing, (next.get(importing) ?? new Set()).add(imported));
  }
  const done = new Set<string>();
  const visit = (folder: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder];
    if (done.has(folder)) return undefined;
    for (const one of next.get(folder) ?? []) {
      const found = visit(one, [...path, folder]);
      if (found) return found;
    }
    done.add(folder);
    return undefined;
  };
  for (const folder of next.keys()) {
    const found = visit(folder, []);
    if (found) return found;
  }
  return undefined;
}
