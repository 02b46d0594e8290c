import type { Technology } from "@packhouse/contract/technology";
import { formatOf } from "@packhouse/formats/format";
import { isOneEditFrom } from "@packhouse/formats/similar-name";
import { wellKnownPackages } from "@packhouse/formats/well-known-packages";
import { ownerOf } from "../python/signals/known-names.ts";
import { type ComparisonRule, saidIn } from "./comparison-rule.ts";

/** A new dependency that may be taken for a package that many use, or for another one of this package. */
const similarDependencyRule: ComparisonRule = {
  id: "similar-dependency",
  *examine({ before, after, dependencies }) {
    const { normalizeName } = formatOf(after.technology);
    const named = (name: string) => normalizeName(name).toLowerCase();
    const known = new Set(wellKnownPackages[after.technology].map(named));
    const own = [after.name, ...before.dependencies.map(({ name }) => name)].map(named);
    for (const { name, change } of dependencies) {
      if (change !== "added" || known.has(named(name))) continue;
      const meant =
        [...known, ...own].find((other) => isLike(named(name), other)) ?? ownerOfModule[after.technology](name);
      if (meant !== undefined) yield { subject: name, excerpt: meant };
    }
  },
};

/** The package that a name is a module of: `sklearn` of scikit-learn. Packages of R have no modules. */
const ownerOfModule: Readonly<Record<Technology, (name: string) => string | undefined>> = {
  Python: (name) => ownerOf(name, name),
  R: () => undefined,
};

/** What two names look like to those who read them fast. */
const seen = (name: string): string =>
  name
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replaceAll("0", "o")
    .replaceAll("1", "l")
    .replaceAll("5", "s")
    .replaceAll("-", "");
/** What people add to a name to say that it is for Python. */
const additions = ["python-", "python3-", "py-", "-python", "-python3", "-py"];

function isLike(name: string, other: string): boolean {
  if (name === other) return false;
  if (isOneEditFrom(name, other) || (name.length >= 5 && seen(name) === seen(other))) return true;
  return additions.some((added) => name === (added.startsWith("-") ? `${other}${added}` : `${added}${other}`));
}

/** Fields of R that name where packages come from. */
const sourceFields = ["Additional_repositories", "Remotes"];

/** Dependencies that no repository offers: from an address, or from a repository that the package names. */
const otherSourceRule: ComparisonRule = {
  id: "other-source",
  *examine({ before, after, dependencies }) {
    for (const { name, before: old, after: now } of dependencies)
      if (now?.constraint.includes("://") && now.constraint !== old?.constraint)
        yield { subject: name, excerpt: now.constraint };
    for (const field of sourceFields) {
      const now = saidIn(after, field);
      if (now !== "" && now !== saidIn(before, field)) yield { subject: field, excerpt: now };
    }
  },
};

export const dependencyRules: readonly ComparisonRule[] = [similarDependencyRule, otherSourceRule];
