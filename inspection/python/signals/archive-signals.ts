import type { InspectedFile, Signal } from "@packhouse/contract/review/inspection";
import { type SignalId, type SignalLevel, signalRules } from "@packhouse/contract/review/signals";
import { normalizeName } from "@packhouse/formats/python/name";
import { wheelModulePath } from "@packhouse/formats/python/wheel-paths";
import { nameOf } from "../../rules/places.ts";
import { isHiddenCommand, suspiciousCommand } from "../../rules/suspicious-texts.ts";
import type { BuildConfiguration } from "../interface/build-configuration.ts";
import { declaredTopLevel, type InstalledModule, isOwnName, isProjectPath } from "../interface/modules.ts";
import { storable } from "../syntax/storable.ts";
import { isOthersCommand, ownerOf } from "./known-names.ts";

export interface ArchiveContents {
  name: string;
  kind: "source" | "binary";
  files: readonly InspectedFile[];
  texts: ReadonlyMap<string, string>;
  modules: readonly InstalledModule[];
  configuration: BuildConfiguration;
}

/** What the names and kinds of an archive's files show, and its declarations. */
export function archiveSignals(archive: ArchiveContents): Signal[] {
  return [
    ...archive.files.flatMap((file) => [...pathFiles(archive, file), ...siteCustomizations(archive, file)]),
    ...bytecodeWithoutSource(archive.files),
    ...(archive.kind === "binary" ? [...outsideOwnNames(archive), ...dataFiles(archive)] : []),
    ...othersModules(archive),
    ...wellKnownCommands(archive),
    ...buildSignals(archive),
  ];
}

interface Evidence {
  subject: string;
  level?: SignalLevel;
  file?: string | null;
  line?: number | null;
  excerpt?: string | null;
}

const signal = (id: SignalId, { subject, level, file = null, line = null, excerpt = null }: Evidence): Signal => ({
  id,
  level: level ?? signalRules[id].level,
  subject: storable(subject),
  file,
  line,
  excerpt: excerpt === null ? null : storable(excerpt),
});

/** A `.pth` file is read whenever Python starts; its lines that begin with `import` are run. */
function pathFiles({ texts, kind }: ArchiveContents, { path }: InspectedFile): Signal[] {
  if (!path.toLowerCase().endsWith(".pth") || (kind === "source" && isProjectPath(path))) return [];
  const name = nameOf(path);
  const lines = (texts.get(path) ?? "").split("\n");
  const line = lines.findIndex((text) => text.startsWith("import ") || text.startsWith("import\t"));
  const excerpt = line === -1 ? null : (lines[line] ?? "").trim();
  // Paths alone make other folders importable.
  const level = line === -1 && texts.has(path) ? "warning" : "danger";
  return [signal("py-pth-file", { subject: name, level, file: path, line: line === -1 ? null : line + 1, excerpt })];
}

/** `sitecustomize` and `usercustomize` are imported whenever Python starts. */
function siteCustomizations({ kind }: ArchiveContents, { path }: InspectedFile): Signal[] {
  const inside = kind === "binary" ? wheelModulePath(path) : path.startsWith("src/") ? path.slice(4) : path;
  const top = inside?.split("/")[0]?.split(".")[0];
  const isPython = path.endsWith(".py") || path.endsWith(".pyc") || path.endsWith(".so") || path.endsWith(".pyd");
  if (!isPython || (top !== "sitecustomize" && top !== "usercustomize")) return [];
  return [signal("py-site-customize", { subject: top, file: path })];
}

/** Under another name than Python gives it, bytecode has no source. */
function bytecodeWithoutSource(files: readonly InspectedFile[]): Signal[] {
  const paths = new Set(files.map((file) => file.path));
  return files
    .filter(({ path, kind }) => kind === "python-bytecode" || isBytecodeName(path))
    .filter(({ path }) => !isBytecodeName(path) || !paths.has(sourceOf(path)))
    .map(({ path }) => signal("bytecode-without-source", { subject: path, file: path }));
}

const isBytecodeName = (path: string): boolean => path.endsWith(".pyc") || path.endsWith(".pyo");

/** The first version that knows bytecode with a digest of its source in place of a time (PEP 552). */
const firstWithDigests = 3390;
const firstOfPython2 = 50_000;

/**
 * Bytecode that Python runs in place of its source, whatever that contains: nothing compares the two, or only the digest
 * that the bytecode itself states. Bytecode with a time is older than what an installer writes, and made again.
 */
export function bytecodeSignals({ path, kind }: InspectedFile, bytes: Uint8Array): Signal[] {
  if ((kind !== "python-bytecode" && !isBytecodeName(path)) || bytes.byteLength < 8) return [];
  const version = (bytes[0] ?? 0) + (bytes[1] ?? 0) * 256;
  const hasDigest = bytes.subarray(4, 8).some((byte) => byte !== 0);
  if (!hasDigest || version < firstWithDigests || version >= firstOfPython2) return [];
  const isChecked = ((bytes[4] ?? 0) & 2) !== 0;
  const level = isChecked ? "warning" : "danger";
  const subject = isChecked ? "checked-hash" : "unchecked-hash";
  return [signal("bytecode-without-source", { subject, level, file: path })];
}

/** `orchard/__pycache__/rows.cpython-312.pyc` was compiled from `orchard/rows.py`. */
function sourceOf(path: string): string {
  const parts = path.split("/");
  const stem = (parts.pop() ?? "").split(".")[0] ?? "";
  if (parts.at(-1) === "__pycache__") parts.pop();
  return [...parts, `${stem}.py`].join("/");
}

/** What a wheel installs at the top of `site-packages` under a name that is not its own. */
function outsideOwnNames({ name, files, texts, modules }: ArchiveContents): Signal[] {
  const found = new Map<string, string>();
  for (const { path } of files) {
    const inside = wheelModulePath(path);
    const top = inside?.split("/")[0];
    if (inside === undefined || top === undefined || top.endsWith(".pth")) continue;
    const isFile = top === inside;
    const stem = isFile && isModuleFile(top) ? (top.split(".")[0] ?? top) : top;
    if (!found.has(stem)) found.set(stem, path);
  }
  const declared = declaredTopLevel(texts);
  const packages = new Set(modules.map((module) => module.name.split(".")[0] ?? ""));
  const own = declared.size > 0 ? declared : ownOf(packages, name);
  return [...found]
    .filter(([top]) => !own.has(top) && !isOwnName(top.replace(/^_+/, ""), name) && !isAkin(top, name))
    .map(([top, path]) =>
      // Folders of a project and texts that were packed by mistake.
      signal("py-outside-own-names", {
        subject: top,
        file: path,
        level: packages.has(top) && !isProjectPath(`${top}/`) ? "warning" : "notice",
      }),
    );
}

const isModuleFile = (name: string): boolean =>
  ["py", "pyi", "so", "pyd", "pyc"].includes(name.slice(name.lastIndexOf(".") + 1));

/** `attr` of attrs, `orchard_cli` of orchard: one name begins with the other. */
function isAkin(top: string, project: string): boolean {
  const [one, other] = [normalizeName(top), normalizeName(project)];
  return one.length > 3 && other.length > 3 && (one.startsWith(other) || other.startsWith(one));
}

/** Without a declaration: the names like the project's, or else all: `yaml` of PyYAML is its own. */
function ownOf(packages: ReadonlySet<string>, project: string): ReadonlySet<string> {
  const like = [...packages].filter((top) => isOwnName(top, project));
  if (like.length > 0) return new Set(like);
  const only = [...packages].filter((top) => !isProjectPath(`${top}/`));
  return only.length === 1 ? new Set(only) : new Set();
}

/** Whether a file of a wheel becomes a command, or a script that people load into their shells. */
export const isDataScript = (path: string): boolean => /^[^/]*\.data\/(?:scripts|data\/bin)\//.test(path);

/** Where files of a wheel replace those that Python and its tools read themselves. */
const replacing: readonly ((scheme: string, inside: string) => boolean)[] = [
  (_, inside) => inside.includes("site-packages/") || inside.startsWith("etc/") || inside.startsWith("lib/systemd"),
  (scheme, inside) => scheme === "data" && (inside === "pyvenv.cfg" || /^(?:bin|Scripts)\/activate/i.test(inside)),
  (_, inside) => inside.startsWith("share/jupyter/kernels/python3/"),
  (scheme, inside) => scheme === "headers" && /^(?:Python\.h|pyconfig\.h|cpython\/.*|internal\/.*)$/.test(inside),
];

/** Lines of shell scripts among the commands that fetch, unpack or hide what they run. */
function shellCommands({ texts }: ArchiveContents, path: string): Signal[] {
  const text = isDataScript(path) ? texts.get(path) : undefined;
  if (text === undefined || (text.startsWith("#!") && text.slice(0, 200).split("\n", 1)[0]?.includes("python")))
    return [];
  const found: Signal[] = [];
  for (const [index, written] of text.slice(0, 200_000).split("\n").entries()) {
    const line = written.trim();
    if (line.startsWith("#") || suspiciousCommand(line) === undefined) continue;
    const id = isHiddenCommand(line) ? "decoded-code" : "process";
    found.push(signal(id, { subject: nameOf(path), file: path, line: index + 1, excerpt: line }));
    if (found.length === 20) break;
  }
  return found;
}

/** Files of a wheel that go elsewhere than below `site-packages`. */
function dataFiles(archive: ArchiveContents): Signal[] {
  const { name, files } = archive;
  return files.flatMap(({ path }) => {
    const [folder = "", scheme = "", ...rest] = path.split("/");
    if (!folder.endsWith(".data") || rest.length === 0 || scheme === "purelib" || scheme === "platlib") return [];
    const inside = rest.join("/");
    const isCommand = scheme === "scripts" || inside.startsWith("bin/") || inside.startsWith("Scripts/");
    const command = nameOf(inside);
    const isOther = isCommand && isOthersCommand(command, name);
    const isReplacing = replacing.some((replaces) => replaces(scheme, inside));
    return [
      signal("py-data-scripts", {
        subject: `${scheme}/${inside}`,
        file: path,
        ...(isReplacing ? { level: "warning" } : {}),
      }),
      ...(isOther ? [signal("well-known-command", { subject: command, file: path })] : []),
      ...shellCommands(archive, path),
    ];
  });
}

function othersModules({ name, modules }: ArchiveContents): Signal[] {
  const tops = new Map<string, string>();
  for (const module of modules) {
    const top = module.name.split(".")[0] ?? "";
    if (!tops.has(top)) tops.set(top, module.path);
  }
  return [...tops].flatMap(([top, path]) => {
    const owner = ownerOf(top, name);
    return owner === undefined ? [] : [signal("others-module", { subject: top, file: path, excerpt: owner })];
  });
}

const wellKnownCommands = ({ name, configuration }: ArchiveContents): Signal[] =>
  configuration.entryPoints
    .filter(({ group }) => group === "console_scripts" || group === "gui_scripts")
    .filter((entry) => isOthersCommand(entry.name, name))
    .map((entry) => signal("well-known-command", { subject: entry.name, excerpt: `${entry.name} = ${entry.target}` }));

/** Entry points that setuptools loads in the build of every project in the same environment. */
const loadedByBuilds = new Set([
  "setuptools.finalize_distribution_options",
  "distutils.setup_keywords",
  "egg_info.writers",
]);

/** Entry points that common programs load wherever they are installed, without being asked to. */
const loadedByPrograms = new Set([
  ..."pytest11 hypothesis tox keyring.backends setuptools.file_finders distutils.commands".split(" "),
  ..."virtualenv.activate virtualenv.create virtualenv.discovery virtualenv.seed".split(" "),
]);

/** Commands that run when a package is installed from its source. */
const installCommands = new Set([
  ..."install develop egg_info dist_info install_lib install_scripts install_data install_headers".split(" "),
  ..."build build_py build_ext build_clib build_scripts bdist_egg bdist_wheel editable_wheel sdist".split(" "),
]);

function buildSignals({ kind, configuration }: ArchiveContents): Signal[] {
  const { backend, backendPath, commandClasses, entryPoints, unreadable } = configuration;
  const loaded = entryPoints
    .filter(({ group }) => loadedByBuilds.has(group))
    .map(({ group, name, target }) => signal("py-setup-code", { subject: group, excerpt: `${name} = ${target}` }));
  for (const { group, name, target } of entryPoints)
    if (loadedByPrograms.has(group))
      loaded.push(signal("import-hook", { subject: group, excerpt: `${name} = ${target}` }));
  if (kind === "binary") return loaded;
  for (const index of configuration.indexes)
    loaded.push(signal("py-setup-code", { subject: "index_url", excerpt: index }));
  return [
    ...loaded,
    ...(backendPath.length > 0
      ? [signal("py-in-tree-backend", { subject: backend ?? "", file: "pyproject.toml" })]
      : []),
    ...commandClasses.map((command) =>
      signal("py-setup-code", {
        subject: `cmdclass ${command}`,
        level: installCommands.has(command) ? "warning" : "notice",
      }),
    ),
    ...(unreadable === null ? [] : [signal("unparsed", { subject: unreadable, file: unreadable })]),
  ];
}
