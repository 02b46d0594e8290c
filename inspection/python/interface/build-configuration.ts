import { parse } from "smol-toml";
import { nameOf } from "../../rules/places.ts";
import type { SetupCall } from "../facts.ts";
import { type IniSections, readIni, valuesOf } from "./ini.ts";

const mostCharacters = 500_000;

/** Where a project keeps its modules and what building it runs, from `pyproject.toml`, `setup.cfg` and `setup.py`. */
export interface BuildConfiguration {
  /** Folders whose contents are importable at the top: `src`. */
  roots: string[];
  /** Packages in a folder of another name: `orchard` in `lib/orchard`. */
  placed: { module: string; folder: string }[];
  /** Modules and packages that are listed; empty where tools find them. */
  listed: string[];
  /** The name at the top that is installed, whatever else there is: flit packs one. Null where several may be. */
  only: string | null;
  entryPoints: EntryPoint[];
  /** `hatchling.build`; null for the default. */
  backend: string | null;
  /** Folders of the archive that the build loads its backend from. */
  backendPath: string[];
  /** Files of the project that the build runs, apart from `setup.py`. */
  buildFiles: string[];
  /** Commands of setuptools that the project replaces. */
  commandClasses: string[];
  /** What the files of the build require, and in which of their fields. */
  requirements: { field: string; text: string }[];
  /** Addresses that setuptools gets what it requires from. */
  indexes: string[];
  /** `pyproject.toml`, if it is there and cannot be read. */
  unreadable: string | null;
}

export interface EntryPoint {
  group: string;
  name: string;
  target: string;
}

export function buildConfiguration(texts: ReadonlyMap<string, string>, setup: SetupCall | null): BuildConfiguration {
  const configuration: BuildConfiguration = {
    roots: [],
    placed: [],
    listed: [],
    only: null,
    entryPoints: [],
    backend: null,
    backendPath: [],
    buildFiles: [],
    commandClasses: [],
    requirements: [],
    indexes: [],
    unreadable: null,
  };
  const project = texts.get("pyproject.toml");
  if (project !== undefined) readProject(project, configuration);
  const sections = texts.get("setup.cfg");
  if (sections !== undefined && sections.length <= mostCharacters)
    readSetupConfiguration(readIni(sections), configuration);
  const hatch = tomlTable(texts.get("hatch.toml") ?? "");
  if (hatch) readHatch(hatch, configuration);
  // Meson runs what its file names.
  for (const word of (texts.get("meson.build") ?? "").slice(0, mostCharacters).split(/['"\s,()]/))
    if (word.endsWith(".py") && configuration.buildFiles.length < 200) configuration.buildFiles.push(asFolder(word));
  if (setup) readSetupCall(setup, configuration);
  for (const [path, text] of texts)
    if (path.endsWith("entry_points.txt") && isMetadata(path))
      for (const entry of entryPointsIn(text)) addEntry(configuration, entry);
  return configuration;
}

/** `name.dist-info/entry_points.txt`, `name.egg-info/entry_points.txt`. */
const isMetadata = (path: string): boolean =>
  path.split("/").some((folder) => folder.endsWith(".dist-info") || folder.endsWith(".egg-info"));

function readProject(text: string, configuration: BuildConfiguration): void {
  const table = tomlTable(text);
  if (table === null) {
    configuration.unreadable = "pyproject.toml";
    return;
  }
  const build = table.at("build-system");
  configuration.backend = build.text("build-backend");
  configuration.backendPath = build.texts("backend-path").map(asFolder);

  const project = table.at("project");
  addScripts(configuration, "console_scripts", project.at("scripts"));
  addScripts(configuration, "gui_scripts", project.at("gui-scripts"));
  for (const group of project.at("entry-points").keys())
    addScripts(configuration, group, project.at("entry-points").at(group));

  addRequirements(configuration, "project.dependencies", project.texts("dependencies"));

  const tool = table.at("tool");
  const setuptools = tool.at("setuptools");
  const folders = setuptools.at("package-dir");
  addFolders(
    configuration,
    folders.keys().map((module) => [module, folders.text(module) ?? ""]),
  );
  configuration.roots.push(...setuptools.at("packages").at("find").texts("where").map(asFolder));
  configuration.listed.push(...setuptools.texts("packages"), ...setuptools.texts("py-modules"));
  configuration.commandClasses.push(...setuptools.at("cmdclass").keys());

  const poetry = tool.at("poetry");
  addScripts(configuration, "console_scripts", poetry.at("scripts"));
  for (const group of poetry.at("plugins").keys()) addScripts(configuration, group, poetry.at("plugins").at(group));
  for (const item of poetry.tables("packages")) {
    const from = item.text("from");
    if (from !== null) configuration.roots.push(asFolder(from));
  }
  for (const file of [poetry.text("build"), poetry.at("build").text("script")])
    if (file !== null) configuration.buildFiles.push(asFolder(file));
  addScripts(configuration, "console_scripts", tool.at("flit").at("scripts"));
  const name = tool.at("flit").at("module").text("name") ?? project.text("name");
  if (configuration.backend === "flit_core.buildapi" && configuration.backendPath.length === 0 && name !== null)
    configuration.only = name.replaceAll("-", "_").split(".")[0] ?? name;

  const hatch = tool.at("hatch").at("build");
  for (const path of hatch.at("targets").at("wheel").texts("packages")) addPlaced(configuration, path);
  configuration.roots.push(...hatch.texts("sources").map(asFolder));
  readHatch(tool.at("hatch"), configuration);
  for (const path of tool.at("scikit-build").at("wheel").texts("packages")) addPlaced(configuration, path);
  const pdm = tool.at("pdm").at("build");
  const others = [
    tool.at("maturin").text("python-source"),
    tool.at("uv").at("build-backend").text("module-root"),
    pdm.text("package-dir"),
  ];
  for (const folder of others) if (folder !== null) configuration.roots.push(asFolder(folder));
  configuration.buildFiles.push(asFolder(pdm.text("custom-hook") ?? "pdm_build.py"));
  addModule(configuration, tool.at("pdm").at("version").text("getter"));
  // setuptools imports what it cannot read without running it.
  const dynamic = setuptools.at("dynamic");
  for (const field of dynamic.keys()) addAttribute(configuration, dynamic.at(field).text("attr"));
  const commands = setuptools.at("cmdclass");
  for (const command of commands.keys()) addAttribute(configuration, commands.text(command));
}

/** Code of the project that hatchling runs, also as `hatch.toml` names it. */
function readHatch(hatch: TomlTable, { buildFiles }: BuildConfiguration): void {
  const build = hatch.at("build");
  const targets = build.at("targets");
  const hooks = [build, hatch.at("metadata"), ...targets.keys().map((target) => targets.at(target))];
  for (const table of hooks.map((owner) => owner.at("hooks")))
    if (table.keys().includes("custom")) buildFiles.push(asFolder(table.at("custom").text("path") ?? "hatch_build.py"));
  const builder = targets.at("custom").text("path");
  if (targets.keys().includes("custom")) buildFiles.push(asFolder(builder ?? "hatch_build.py"));
  const version = hatch.at("version");
  if (version.text("source") === "code" && version.text("path") !== null)
    buildFiles.push(asFolder(version.text("path") ?? ""));
}

/** `tools.gen:version` */
function addModule({ buildFiles }: BuildConfiguration, target: string | null): void {
  const module = target?.split(":")[0]?.trim().replaceAll(".", "/");
  if (module) buildFiles.push(`${module}.py`, `${module}/__init__.py`);
}

/** `tools.gen.version` */
const addAttribute = (configuration: BuildConfiguration, target: string | null): void =>
  addModule(configuration, target?.includes(".") ? target.slice(0, target.lastIndexOf(".")) : null);

function readSetupConfiguration(sections: IniSections, configuration: BuildConfiguration): void {
  const options = sections.get("options");
  const folders = valuesOf(options?.get("package_dir")).map((line): [string, string] => {
    const [module = "", folder = ""] = line.split("=");
    return [module.trim(), folder.trim()];
  });
  addFolders(configuration, folders);
  configuration.roots.push(...valuesOf(sections.get("options.packages.find")?.get("where")).map(asFolder));
  configuration.listed.push(
    ...[...valuesOf(options?.get("packages")), ...valuesOf(options?.get("py_modules"))].filter(isModuleName),
  );
  configuration.commandClasses.push(
    ...valuesOf(options?.get("cmdclass")).map((line) => line.split("=")[0]?.trim() ?? ""),
  );
  for (const field of requiring) addRequirements(configuration, field, requirementsOf(options?.get(field)));
  const installer = sections.get("easy_install");
  for (const option of ["index_url", "index-url", "find_links", "find-links"])
    configuration.indexes.push(...valuesOf(installer?.get(option)));
  configuration.indexes.push(...valuesOf(options?.get("dependency_links")));
  for (const line of valuesOf(options?.get("cmdclass")))
    addAttribute(configuration, line.split("=")[1]?.trim() ?? null);
  for (const value of sections.get("metadata")?.values() ?? [])
    if (value.startsWith("attr:")) addAttribute(configuration, value.slice("attr:".length).trim());
  for (const [group, lines] of sections.get("options.entry_points") ?? [])
    for (const line of valuesOf(lines)) addLine(configuration, group, line);
}

function readSetupCall(setup: SetupCall, configuration: BuildConfiguration): void {
  const folders = Object.entries(setup.tables.package_dir ?? {});
  addFolders(
    configuration,
    folders.map(([module, paths]) => [module, paths[0] ?? ""]),
  );
  configuration.listed.push(...(setup.lists.packages ?? []), ...(setup.lists.py_modules ?? []));
  configuration.commandClasses.push(...Object.keys(setup.tables.cmdclass ?? {}));
  for (const field of requiring)
    addRequirements(configuration, field, setup.lists[field] ?? requirementsOf(setup.texts[field]));
  configuration.indexes.push(...(setup.lists.dependency_links ?? []));
  for (const [group, lines] of Object.entries(setup.tables.entry_points ?? {}))
    for (const line of lines) addLine(configuration, group, line);
  for (const entry of entryPointsIn(setup.texts.entry_points ?? "")) addEntry(configuration, entry);
  for (const path of setup.lists.scripts ?? [])
    addEntry(configuration, { group: "console_scripts", name: nameOf(path), target: path });
}

/** Fields of setuptools that name what is installed with a package, and before it is built. */
const requiring = ["install_requires", "setup_requires"];

/** One in each line: commas are part of them. */
const requirementsOf = (text: string | undefined): string[] =>
  (text ?? "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#") && !line.startsWith("file:"));

function addRequirements(configuration: BuildConfiguration, field: string, texts: readonly string[]): void {
  configuration.requirements.push(...texts.slice(0, 500).map((text) => ({ field, text: text.slice(0, 1_000) })));
}

const isModuleName = (name: string): boolean => /^[\w.]+$/.test(name);

const asFolder = (path: string): string =>
  path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");

function addFolders(configuration: BuildConfiguration, folders: readonly (readonly [string, string])[]): void {
  for (const [module, folder] of folders)
    if (module === "") configuration.roots.push(asFolder(folder));
    else configuration.placed.push({ module, folder: asFolder(folder) });
}

/** `src/orchard` is the package `orchard`. */
function addPlaced(configuration: BuildConfiguration, path: string): void {
  const folder = asFolder(path);
  configuration.placed.push({ module: nameOf(folder), folder });
}

function addScripts(configuration: BuildConfiguration, group: string, scripts: TomlTable): void {
  for (const name of scripts.keys()) {
    const target = scripts.text(name) ?? scripts.at(name).text("reference") ?? scripts.at(name).text("callable");
    if (target !== null) addEntry(configuration, { group, name, target });
  }
}

function addLine(configuration: BuildConfiguration, group: string, line: string): void {
  const equals = line.indexOf("=");
  if (equals > 0)
    addEntry(configuration, { group, name: line.slice(0, equals).trim(), target: line.slice(equals + 1).trim() });
}

function addEntry(configuration: BuildConfiguration, entry: EntryPoint): void {
  const { entryPoints } = configuration;
  const isKnown = entryPoints.some(({ group, name }) => group === entry.group && name === entry.name);
  if (!isKnown && entryPoints.length < 2_000) entryPoints.push(entry);
}

function entryPointsIn(text: string): EntryPoint[] {
  if (text.length > mostCharacters) return [];
  return [...readIni(text)].flatMap(([group, entries]) =>
    [...entries].map(([name, target]) => ({ group, name, target: target.trim() })),
  );
}

/** A table of a TOML document; what is missing, or is something else, counts as empty. */
class TomlTable {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(value: unknown) {
    this.#values = isRecord(value) ? value : {};
  }

  at(key: string): TomlTable {
    return new TomlTable(this.#get(key));
  }

  keys(): string[] {
    return Object.keys(this.#values);
  }

  text(key: string): string | null {
    const value = this.#get(key);
    return typeof value === "string" ? value : null;
  }

  texts(key: string): string[] {
    const value = this.#get(key);
    return Array.isArray(value) ? value.filter((item) => typeof item === "string").slice(0, 2_000) : [];
  }

  tables(key: string): TomlTable[] {
    const value = this.#get(key);
    return Array.isArray(value) ? value.slice(0, 2_000).map((item) => new TomlTable(item)) : [];
  }

  #get(key: string): unknown {
    return Object.hasOwn(this.#values, key) ? this.#values[key] : undefined;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function tomlTable(text: string): TomlTable | null {
  if (text.length > mostCharacters) return null;
  try {
    return new TomlTable(parse(text, { maxDepth: 100 }));
  } catch {
    return null;
  }
}
