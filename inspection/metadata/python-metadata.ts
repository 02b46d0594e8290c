import type { DeclaredDependency } from "@packhouse/contract/review/inspection";
import { type CoreMetadata, readCoreMetadata } from "@packhouse/formats/python/core-metadata";
import { requirementsIn } from "@packhouse/formats/python/requirements";
import { partsOfSdistName } from "@packhouse/formats/python/sdist";
import { partsOfWheelName } from "@packhouse/formats/python/wheel";
import { UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import { parse } from "smol-toml";
import { z } from "zod";
import { bounded, field, type MetadataReader } from "./package-metadata.ts";
import { spdxOfPython } from "./spdx.ts";

/** `name-version.dist-info/METADATA` of a wheel, `PKG-INFO` of a source distribution. */
const isCoreMetadata = (path: string): boolean => path === "PKG-INFO" || /^[^/]+\.dist-info\/METADATA$/.test(path);

/** Headers as the specification writes them; others are shown with each word capitalized. */
const spellings = new Map(
  ["Home-page", "Author-email", "Maintainer-email", "Project-URL", "License-Expression", "License-File"].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

export const pythonMetadata: MetadataReader = {
  isMetadata: (path) => isCoreMetadata(path) || path === "pyproject.toml",
  named(fileName) {
    try {
      return /\.whl$/i.test(fileName) ? partsOfWheelName(fileName) : partsOfSdistName(fileName, true);
    } catch (error) {
      if (!(error instanceof UnacceptablePackage)) throw error;
      return { name: "", version: "" };
    }
  },
  read(files) {
    const bytes = [...files].find(([path]) => isCoreMetadata(path))?.[1];
    if (!bytes) throw new UnacceptablePackage(["read.python.pkg.info.exception"], "there is none");
    const metadata = readCoreMetadata(bytes);
    const description = metadata.body ?? metadata.first("Description");
    return {
      name: metadata.name,
      version: metadata.version,
      fields: [
        ...metadata.headers
          .filter((header) => header !== "description")
          .map((header) => field(spelled(header), metadata.values(header).join("\n"))),
        ...(description === null ? [] : [field("Description", description)]),
      ],
      spdx: spdxOf(metadata),
      dependencies: bounded([
        ...requirements("Requires-Dist", metadata.values("Requires-Dist")),
        ...requirements("build-system.requires", buildRequirements(files.get("pyproject.toml"))),
      ]),
    };
  },
};

const spelled = (header: string): string =>
  spellings.get(header) ?? header.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());

const spdxOf = (metadata: CoreMetadata): string | null =>
  spdxOfPython({
    expression: metadata.first("License-Expression"),
    license: metadata.first("License"),
    classifiers: metadata.values("Classifier"),
  });

const requirements = (name: string, texts: readonly string[]): DeclaredDependency[] =>
  texts.flatMap((requiresDist) =>
    requirementsIn({ requiresDist }).map(({ name: required, constraint, condition }) => ({
      field: name,
      name: required,
      constraint,
      condition,
    })),
  );

const buildSystem = z.object({ "build-system": z.object({ requires: z.array(z.string()) }) });
const longestProjectFile = 256 * 1024;

function buildRequirements(bytes: Uint8Array | undefined): readonly string[] {
  if (bytes === undefined || bytes.byteLength > longestProjectFile) return [];
  try {
    const read = buildSystem.safeParse(parse(new TextDecoder().decode(bytes)));
    return read.success ? read.data["build-system"].requires : [];
  } catch {
    return []; // no TOML: what builds the package reports it
  }
}
