import type { DeclaredDependency, MetadataField } from "@packhouse/contract/review/inspection";
import { normalizeName } from "@packhouse/formats/python/name";
import { requirementsIn } from "@packhouse/formats/python/requirements";
import type { BuildConfiguration } from "./build-configuration.ts";

/** A project has a few dozen. */
const mostRequirements = 500;

/**
 * What a source distribution needs by the files that build it, and `PKG-INFO` does not list: those who install it from
 * source get that as well.
 */
export function undeclaredDependencies(
  { requirements }: BuildConfiguration,
  fields: readonly MetadataField[],
): DeclaredDependency[] {
  const listed = new Set(
    fields
      .filter(({ name }) => name === "Requires-Dist")
      .flatMap(({ value }) => value.split("\n"))
      .flatMap((requiresDist) => requirementsIn({ requiresDist }))
      .map(({ name }) => normalizeName(name)),
  );
  return requirements.slice(0, mostRequirements).flatMap(({ field, text }) =>
    requirementsIn({ requiresDist: text })
      .filter(({ name }) => field === "setup_requires" || !listed.has(normalizeName(name)))
      .map(({ name, constraint, condition }) => ({ field, name, constraint, condition })),
  );
}
