import type { Technology } from "@packhouse/contract/technology";
import { pythonRequirements } from "@packhouse/formats/python/requirements";
import { isPreRelease } from "@packhouse/formats/python/version";
import { rDependencies } from "@packhouse/formats/r/dependencies";
import type { OfferedFile } from "./impact-store.ts";

/** How clients of a technology choose among the files of one package. Files are sorted, the newest first. */
export interface Installation {
  /** Versions of the language for which the choice may differ, oldest first. */
  languagesOf(release: readonly OfferedFile[]): readonly string[];
  /** The version that is installed by the package's name; null if none can be. */
  installed(files: readonly OfferedFile[], language: string, release: readonly OfferedFile[]): string | null;
  /** Versions that a dependency can be satisfied with. */
  offered(files: readonly OfferedFile[]): readonly string[];
  /** The version that leaves the index for the archive. */
  archived(files: readonly OfferedFile[], release: readonly OfferedFile[]): string | null;
  /** Where a dependency is declared. */
  fieldOf(kind: string, condition: string): string;
}

const rVersions = ["3.6", "4.0", "4.1", "4.2", "4.3", "4.4", "4.5", "4.6"];
const pythonVersions = ["3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14", "3.15"];

/** The name by which `Depends` requires a version of R. */
const rItself = "R";

/** The latest patch of a minor version: what people have who follow it. */
const latest = (minor: string): string => `${minor}.99`;

/**
 * Each folder of a repository lists the newest version alone. R looks no further when that needs a newer R.
 */
const r: Installation = {
  languagesOf(release) {
    const builtFor = release.find(({ kind }) => kind === "binary")?.builtFor;
    return release.every(({ kind }) => kind === "binary") && builtFor ? [builtFor] : rVersions;
  },
  installed(files, language, release) {
    const target = release.every(({ kind }) => kind === "binary") ? (release[0]?.target ?? "") : "";
    const newest = files.find((file) => (target === "" ? file.kind === "source" : file.target === target));
    if (!newest) return null;
    const bounds = rDependencies.read({ depends: newest.language }).filter(({ name }) => name === rItself);
    return bounds.every(({ constraint }) => rDependencies.satisfies(latest(language), constraint))
      ? newest.version
      : null;
  },
  offered: (files) => files.slice(0, 1).map(({ version }) => version),
  archived(files, release) {
    const released = release.find(({ kind }) => kind === "source");
    const listed = files.find(({ kind }) => kind === "source");
    return released && listed && isAbove(released, listed) ? listed.version : null;
  },
  fieldOf: (kind) => kind.slice(0, 1).toUpperCase() + kind.slice(1),
};

const isAbove = (one: OfferedFile, other: OfferedFile): boolean =>
  rDependencies.satisfies(one.version, `> ${other.version}`);

/** pip chooses the newest version that has a file for it; pre-releases only where there is nothing else. */
const python: Installation = {
  languagesOf: () => pythonVersions,
  installed(files, language) {
    const usable = files.filter(
      (file) =>
        (file.language === null || pythonRequirements.satisfies(latest(language), file.language)) &&
        (file.kind === "source" || runsOn(file.builtFor ?? "", language)),
    );
    return (usable.find(({ version }) => !isPreRelease(version)) ?? usable[0])?.version ?? null;
  },
  // Of those that fulfill a constraint, pre-releases only where there is nothing else: one of them is enough.
  offered: (files) => [...new Set(files.map(({ version }) => version))],
  archived: () => null,
  fieldOf(_kind, condition) {
    const extra = /\bextra\s*==\s*["']([^"']+)["']/.exec(condition)?.[1];
    return extra === undefined ? "Requires-Dist" : `Requires-Dist [${extra}]`;
  },
};

/** Whether the tags of a wheel admit this Python, on whatever platform the wheel is for. */
function runsOn(tags: string, language: string): boolean {
  const [pythonTag = "", abi = ""] = tags.split("-");
  const minor = Number(language.split(".")[1]);
  return pythonTag.split(".").some((tag) => {
    const [, implementation, digits = ""] = /^(py|cp)3(\d*)$/.exec(tag) ?? [];
    if (implementation === undefined) return false;
    const since = digits === "" ? 0 : Number(digits);
    return implementation === "py" || digits === "" || abi.split(".").includes("abi3")
      ? since <= minor
      : since === minor;
  });
}

export const installations: Record<Technology, Installation> = { R: r, Python: python };
