import type { DependencyItem, PackageVersion } from "@packhouse/contract/dependencies";
import type { Technology } from "@packhouse/contract/technology";
import type { Dependency } from "@packhouse/formats/dependency";
import { formatOf } from "@packhouse/formats/format";

/** A version of a package that the caller may read. */
export interface Candidate extends PackageVersion {
  normalizedName: string;
}

export interface DependenciesToLocate {
  technology: Technology;
  /** The repository of the package that needs them. */
  repository: string;
  needed: readonly Dependency[];
  candidates: readonly Candidate[];
}

/** Versions that are compared with the constraints on one package; real ones need some thousands. */
const mostComparisons = 50_000;

/**
 * Where dependencies can be found; what exceeds the maximum of comparisons is left out. Runs in a worker: constraints
 * are parsed as users wrote them.
 */
export function locateDependencies({
  technology,
  repository,
  needed,
  candidates,
}: DependenciesToLocate): DependencyItem[] {
  const { dependencies, normalizeName, compareVersions } = formatOf(technology);
  const byName = Map.groupBy(candidates, ({ normalizedName }) => normalizedName);
  for (const all of byName.values()) all.sort((a, b) => compareVersions(b.version, a.version));
  let compared = 0;
  return needed.flatMap((one): DependencyItem[] => {
    if (dependencies.isBuiltIn(one.name)) return [{ ...one, availability: "builtIn", found: null }];
    const all = byName.get(normalizeName(one.name)) ?? [];
    // A long constraint has many parts to compare.
    compared += all.length * (1 + Math.floor(one.constraint.length / 20));
    if (compared > mostComparisons) return [];
    const fit = all.filter(({ version }) => dependencies.satisfies(version, one.constraint));
    const here = fit.find((it) => it.repository === repository);
    const found = here ?? fit[0] ?? all.find((it) => it.repository === repository) ?? all[0];
    const availability = here ? "here" : fit.length > 0 ? "elsewhere" : found ? "unfit" : "missing";
    return [{ ...one, availability, found: found ? withoutNormalizedName(found) : null }];
  });
}

const withoutNormalizedName = ({ normalizedName: _, ...version }: Candidate): PackageVersion => version;
