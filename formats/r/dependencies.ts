import { type Dependency, type DependencyReader, holds, textOf } from "../dependency.ts";
import { metadataLimits } from "../metadata-limits.ts";
import { compareVersions, isVersion } from "./version.ts";

/** Packages that are part of every R installation: those of priority `base`. */
const basePackages = new Set([
  "R",
  "base",
  "compiler",
  "datasets",
  "graphics",
  "grDevices",
  "grid",
  "methods",
  "parallel",
  "splines",
  "stats",
  "stats4",
  "tcltk",
  "tools",
  "utils",
]);

const kinds = ["depends", "imports", "linkingTo", "suggests", "enhances"] as const;

/** One entry of a field: `pkg (>= 1.2.3)` ("Writing R Extensions", 1.1.3). */
const entry = /^([A-Za-z][A-Za-z0-9.]*)\s*(?:\(\s*(<=|>=|<|>|==|!=)\s*([^)\s]+)\s*\))?$/;

/** All dependencies in the metadata, without a limit. */
export const dependenciesIn = (metadata: Readonly<Record<string, unknown>>): Dependency[] =>
  kinds.flatMap((kind) =>
    textOf(metadata, kind)
      .split(",")
      .flatMap((part): Dependency[] => {
        const [, name, operator, version] = entry.exec(part.trim()) ?? [];
        if (!name) return [];
        return [{ kind, name, constraint: operator ? `${operator} ${version}` : "", condition: "" }];
      }),
  );

export const rDependencies: DependencyReader = {
  read: (metadata) => dependenciesIn(metadata).slice(0, metadataLimits.dependencies),
  isBuiltIn: (name) => basePackages.has(name),
  satisfies(version, constraint) {
    const [operator, bound] = constraint.split(" ");
    if (!operator || !bound || !isVersion(bound)) return true;
    return holds(operator, compareVersions(version, bound));
  },
};
