import { normalizeName } from "@packhouse/formats/python/name";
import { wheelModulePath } from "@packhouse/formats/python/wheel-paths";
import type { BuildConfiguration } from "./build-configuration.ts";

/** A module that the archive installs. */
export interface InstalledModule {
  /** As it is imported: `orchard.rows`. */
  name: string;
  path: string;
  isPackage: boolean;
}

/** Folders of a project that its users do not get. */
const projectFolders = new Set([
  ..."t test tests testing doc docs documentation example examples sample samples demo demos benchmark benchmarks bench".split(
    " ",
  ),
  ..."tools tool scripts script ci build dist notebooks tutorials tutorial images assets requirements contrib fuzz".split(
    " ",
  ),
]);

/** Files next to the packages that belong to the project, not to what is installed. */
const projectFiles = new Set([
  "setup",
  "conftest",
  "noxfile",
  "tasks",
  "fabfile",
  "dodo",
  "hatch_build",
  "build",
  "versioneer",
  "manage",
]);

/** Whether a path of an sdist is in a folder that is not installed. */
export const isProjectPath = (path: string): boolean => {
  const [first = "", second] = path.split("/");
  if (second === undefined) return false;
  const folder = first.toLowerCase();
  return projectFolders.has(folder) || folder.startsWith("tests_") || folder.startsWith(".");
};

/** Whether a path of an sdist is next to the only thing that is installed. */
export function isLeftOut(path: string, { only }: BuildConfiguration): boolean {
  const [first = ""] = (path.startsWith("src/") ? path.slice(4) : path).split("/");
  return only !== null && first !== only && first !== `${only}.py`;
}

export interface SourceTree {
  name: string;
  paths: readonly string[];
  texts: ReadonlyMap<string, string>;
}

/** The modules of a wheel: paths are names. */
export function modulesOfWheel(paths: readonly string[]): InstalledModule[] {
  return paths.flatMap((path) => {
    const inside = wheelModulePath(path);
    return inside === undefined ? [] : moduleAt(inside, path);
  });
}

/** The modules of an sdist: where its configuration places them, or in `src/`, or next to `setup.py`. */
export function modulesOfSdist(tree: SourceTree, configuration: BuildConfiguration): InstalledModule[] {
  const top = {
    declared: configuration.only === null ? topLevelNames(tree) : new Set([configuration.only]),
    listed: new Set(configuration.listed.map((name) => name.split(".")[0] ?? "")),
    packages: topLevelPackages(tree),
    project: tree.name,
  };
  const roots = rootsOf(tree, configuration);
  const found = new Map<string, InstalledModule>();
  for (const path of tree.paths) {
    const inside = pathInside(path, roots, configuration);
    if (inside === undefined) continue;
    const [module] = moduleAt(inside.path, path);
    if (module === undefined || found.has(module.name)) continue;
    const isKnown = top.declared.size > 0 || top.listed.size > 0;
    const isInstalledHere = inside.isPlaced || (inside.root !== "" && !isKnown) || isInstalled(module, top);
    if (!isInstalledHere) continue;
    found.set(module.name, module);
  }
  return [...found.values()];
}

interface InsidePath {
  path: string;
  root: string;
  /** The configuration names its folder. */
  isPlaced: boolean;
}

function pathInside(path: string, roots: readonly string[], { placed }: BuildConfiguration): InsidePath | undefined {
  for (const { module, folder } of placed)
    if (path.startsWith(`${folder}/`) || path === folder)
      return {
        path: `${module.replaceAll(".", "/")}${path.slice(folder.length)}`,
        root: folder,
        isPlaced: true,
      };
  for (const root of roots) {
    if (root === "") return { path, root, isPlaced: false };
    if (path.startsWith(`${root}/`)) return { path: path.slice(root.length + 1), root, isPlaced: false };
  }
  return undefined;
}

function rootsOf({ paths }: SourceTree, configuration: BuildConfiguration): string[] {
  const roots = new Set(configuration.roots);
  const hasSource = paths.some((path) => path.startsWith("src/") && path.endsWith(".py"));
  const isInSource = hasSource && !paths.some((path) => path === "src/__init__.py");
  if (roots.size === 0 && isInSource) roots.add("src");
  // A project with both has single modules next to `src`.
  if (roots.size === 0) roots.add("");
  return [...roots].sort((one, other) => other.length - one.length);
}

/** What is known about the names at the top of a project. */
interface TopLevel {
  /** In `top_level.txt`, or what flit packs. */
  declared: ReadonlySet<string>;
  /** In the configuration. */
  listed: ReadonlySet<string>;
  /** Folders with an `__init__.py`. */
  packages: ReadonlySet<string>;
  project: string;
}

/** Whether a module is one that is installed, rather than a file of the project. */
function isInstalled(module: InstalledModule, { declared, listed, packages, project }: TopLevel): boolean {
  const [top = ""] = module.name.split(".");
  if (declared.size > 0) return declared.has(top);
  if (listed.size > 0) return listed.has(top);
  if (isOwnName(top, project)) return true;
  const isFolder = module.name.includes(".") || module.isPackage;
  return isFolder ? packages.has(top) : packages.size === 0 && !projectFiles.has(top);
}

const topLevelPackages = ({ paths }: SourceTree): Set<string> =>
  new Set(
    paths
      .filter((path) => path.endsWith("/__init__.py") && path.split("/").length === 2 && !isProjectPath(path))
      .map((path) => path.slice(0, path.indexOf("/"))),
  );

/** `top_level.txt`, which setuptools writes into an sdist. */
function topLevelNames({ texts }: SourceTree): Set<string> {
  for (const [path, text] of texts)
    if (path.endsWith(".egg-info/top_level.txt") || path.endsWith(".dist-info/top_level.txt"))
      return new Set(
        text
          .split("\n")
          .map((line) => line.trim())
          .filter((line) => line !== ""),
      );
  return new Set();
}

export const declaredTopLevel = (texts: ReadonlyMap<string, string>): Set<string> =>
  topLevelNames({ name: "", paths: [], texts });

/** `ruamel` of `ruamel.yaml`, `harbor_tools` of `harbor-tools`. */
export function isOwnName(top: string, project: string): boolean {
  const [name, own] = [normalizeName(top), normalizeName(project)];
  return name === own || own.startsWith(`${name}-`) || name === `py-${own}` || own === `python-${name}`;
}

function moduleAt(inside: string, path: string): InstalledModule[] {
  const parts = inside.split("/");
  const file = parts.pop() ?? "";
  const dot = file.indexOf(".");
  const stem = dot === -1 ? "" : file.slice(0, dot);
  const extension = file.slice(file.lastIndexOf(".") + 1);
  if (!["py", "pyi", "so", "pyd"].includes(extension) || stem === "") return [];
  const isPackage = stem === "__init__";
  const names = isPackage ? parts : [...parts, stem];
  if (names.length === 0 || !names.every(isIdentifier)) return [];
  return [{ name: names.join("."), path, isPackage }];
}

const isIdentifier = (name: string): boolean => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name);

/** `..rows` in `orchard.fields.trees` is `orchard.rows`. */
export function absoluteName(module: InstalledModule, from: string): string {
  if (!from.startsWith(".")) return from;
  let dots = 0;
  while (from[dots] === ".") dots++;
  const parts = module.name.split(".");
  const base = parts.slice(0, parts.length - (dots - (module.isPackage ? 1 : 0)));
  const rest = from.slice(dots);
  return [...base, ...(rest === "" ? [] : [rest])].join(".");
}
