import type { InspectedFile, Inspection, InterfaceEntry } from "@packhouse/contract/review/inspection";
import { wheelModulePath } from "@packhouse/formats/python/wheel-paths";

/** Of a wheel that was built from other sources altogether, the first ones say enough. */
const mostFiles = 20;

export interface DifferingFile {
  path: string;
  /** The source has no file of this name. */
  missing: boolean;
  /** Builds write versions and the like into a file: it defines nothing to call and does nothing. */
  isRecord: boolean;
}

/**
 * Python files and scripts of a built package that its source does not have in the same form. A source keeps its modules
 * where it likes, in its top-level folder, in `src/`, or deeper, but what is next to its tests is not what is installed.
 * Of a source that was not examined as a whole, nothing is known to be missing.
 */
export function differingFiles(
  built: Pick<Inspection, "files" | "interface" | "signals">,
  source: Pick<Inspection, "files" | "incomplete">,
): DifferingFile[] {
  if (source.incomplete.length > 0) return [];
  const byName = Map.groupBy(source.files, ({ path }) => nameOf(path));
  const modules = built.files.flatMap((file) => {
    const inside = isRun(file.path) && file.kind !== "empty" ? wheelModulePath(file.path) : undefined;
    return inside === undefined ? [] : [{ ...file, inside, like: foundIn(byName.get(nameOf(inside)) ?? [], inside) }];
  });
  const roots = rootsOf(modules);
  const differing = modules.flatMap(({ path, inside, sha256, like }) => {
    const its = itsSource(like, roots.get(topOf(inside)));
    if (its?.file.sha256 === sha256) return [];
    const missing = its === undefined;
    // Builds fill in templates, such as `__config__.py.in`.
    const isFilled = missing && foundIn(byName.get(`${nameOf(inside)}.in`) ?? [], `${inside}.in`).length > 0;
    return [{ path, missing, isRecord: isFilled || isRecord(built, path) }];
  });
  const scripts = built.files.filter(({ path, kind }) => kind === "text" && script.test(path));
  return [...differing, ...scripts.flatMap((file) => differingScript(file, byName.get(nameOf(file.path)) ?? []))]
    .sort((a, b) => Number(a.isRecord) - Number(b.isRecord) || Number(a.missing) - Number(b.missing))
    .slice(0, mostFiles);
}

/** Whether Python runs files of this name. */
const isRun = (path: string): boolean => path.endsWith(".py") || path.endsWith(".pyw");
const topOf = (inside: string): string => inside.split("/")[0] ?? "";

/** A file of the source, and the folder below which it has the path of an installed file. */
interface Like {
  file: InspectedFile;
  root: string;
}

const foundIn = (files: readonly InspectedFile[], inside: string): Like[] =>
  files
    .filter(({ path }) => path === inside || path.endsWith(`/${inside}`))
    .map((file) => ({ file, root: file.path.slice(0, -inside.length) }));

/** Where the source keeps what is installed under each name at the top: at its own top, or where most of its files are. */
function rootsOf(modules: readonly { inside: string; like: readonly Like[] }[]): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { inside, like } of modules) {
    const roots = counts.get(topOf(inside)) ?? new Map<string, number>();
    counts.set(topOf(inside), roots);
    for (const { root } of like) roots.set(root, (roots.get(root) ?? 0) + 1);
  }
  return new Map([...counts].flatMap(([top, roots]) => bestOf(roots).map((root) => [top, root] as const)));
}

const bestOf = (roots: ReadonlyMap<string, number>): string[] =>
  [...roots]
    .sort(([a, ofA], [b, ofB]) => rankOf(a) - rankOf(b) || ofB - ofA || a.length - b.length)
    .slice(0, 1)
    .map(([root]) => root);
const asides = new Set(
  "t test tests testing doc docs example examples sample samples demo demos fixtures testdata".split(" "),
);
const isAside = (root: string): boolean => root.split("/").some((folder) => asides.has(folder.toLowerCase()));
const rankOf = (root: string): number => (root === "" || root === "src/" ? 0 : isAside(root) ? 2 : 1);

const itsSource = (like: readonly Like[], best: string | undefined): Like | undefined =>
  like.find(({ root }) => root === best) ?? like.find(({ root }) => !isAside(root));

/** Scripts that a wheel installs as commands. */
const script = /^[^/]+\.data\/scripts\/[^/]+$/;
/** Builds put another first line into a script, which names the interpreter. */
const longestFirstLine = 120;

function differingScript(
  { path, size, lines, sha256 }: InspectedFile,
  like: readonly InspectedFile[],
): DifferingFile[] {
  const isSame = like.some(
    (its) => its.sha256 === sha256 || (its.lines === lines && Math.abs(its.size - size) < longestFirstLine),
  );
  return isSame ? [] : [{ path, missing: like.length === 0, isRecord: false }];
}

/** By its name, what it offers, and what was noticed in it. */
function isRecord({ interface: offered, signals }: Pick<Inspection, "interface" | "signals">, path: string): boolean {
  return (
    /version|metadata|build_?info/i.test(nameOf(path)) &&
    !offered.some(({ file, kind }) => file === path && !inert.has(kind)) &&
    !signals.some(({ file }) => file === path)
  );
}
const inert: ReadonlySet<InterfaceEntry["kind"]> = new Set(["constant", "module", "object"]);

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
