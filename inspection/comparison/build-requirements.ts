import type { Inspection } from "@packhouse/contract/review/inspection";
import { normalizeName } from "@packhouse/formats/python/name";
import { wellKnownPackages } from "@packhouse/formats/well-known-packages";
import { type ComparisonRule, saidIn } from "./comparison-rule.ts";

/** Tools that many packages are built with, in addition to the packages that many use. */
const builders = new Set(
  [
    "setuptools-rust setuptools-git-versioning setuptools-dso hatchling hatch-vcs hatch-fancy-pypi-readme",
    "hatch-nodejs-version hatch-jupyter-builder hatch-mypyc hatch-requirements-txt flit-core flit flit-scm poetry-core",
    "poetry-dynamic-versioning pdm-backend pdm-pep517 uv-build maturin meson-python scikit-build scikit-build-core sip",
    "py-build-cmake jupyter-packaging extension-helpers versioneer versioningit pbr incremental expandvars pkgconfig",
    "pybind11 nanobind swig cmake ninja meson cppy pythran oldest-supported-numpy toml trove-classifiers editables pathspec",
    "build pip",
  ].flatMap((line) => line.split(" ")),
);

/** These packages run when this one is built from its source: an unknown one that joins them is news. */
export const buildRequirementsRule: ComparisonRule = {
  id: "py-build-requirements",
  *examine(compared) {
    if (![compared.before, compared.after].every(isSourceDistribution)) return;
    for (const { name, before, after } of compared.dependencies)
      if (buildFields.has((after ?? before)?.field ?? ""))
        yield {
          subject: name,
          file: "pyproject.toml",
          excerpt: `${declared(before)} → ${declared(after)}`,
          ...(before === null && !isKnown(name) ? {} : ({ level: "notice" } as const)),
        };
  },
};

const buildFields = new Set(["build-system.requires", "setup_requires"]);

const undeclaredFields = new Set(["project.dependencies", "install_requires"]);

/** What installing the package from its source needs as well, although its metadata does not say so. */
export const undeclaredDependencyRule: ComparisonRule = {
  id: "undeclared-dependency",
  *examine({ after: release, dependencies }) {
    // Old tools write no requirements into the metadata, and what is dynamic is found out by the build.
    const lists = saidIn(release, "Requires-Dist") !== "";
    const isDynamic = saidIn(release, "Dynamic").toLowerCase().split("\n").includes("requires-dist");
    for (const { name, change, after } of dependencies)
      if (change === "added" && after !== null && undeclaredFields.has(after.field))
        yield {
          subject: name,
          excerpt: declared(after),
          ...(lists && !isDynamic ? {} : ({ level: "notice" } as const)),
        };
  },
};

function isKnown(name: string): boolean {
  const named = normalizeName(name);
  return builders.has(named) || wellKnownPackages.Python.includes(named);
}

/** A wheel does not say what built it. */
const isSourceDistribution = ({ files }: Inspection): boolean => files.some(({ path }) => path === "PKG-INFO");

const declared = (dependency: { name: string; constraint: string } | null): string =>
  dependency === null ? "–" : `${dependency.name} ${dependency.constraint}`.trim();
