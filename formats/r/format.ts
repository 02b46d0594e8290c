import { fileTypes, type PackageFormat } from "../package-format.ts";
import { binaryExtension } from "./binary-target.ts";
import { rDependencies } from "./dependencies.ts";
import { brokenRules } from "./description-rules.ts";
import { checkFileName, readBuiltTarget, readRPackage } from "./package-archive.ts";
import * as version from "./version.ts";

const { tarGz, zip, tgz } = fileTypes;
const text = (value: unknown): string => (typeof value === "string" ? value : "");

export const rFormat: PackageFormat = {
  technology: "R",
  checkFileName,
  readPackage: readRPackage,
  checkMetadata: ({ name, version, description, author, license, title }) =>
    brokenRules({
      name,
      version,
      description: text(description),
      author: text(author),
      license: text(license),
      title: text(title),
    }),
  normalizeName: (name) => name,
  isVersion: version.isVersion,
  compareVersions: version.compareVersions,
  versionKey: version.versionKey,
  aroundVersionOrder: version.aroundVersionOrder,
  dependencies: rDependencies,
  allowedFiles: (distributions) => {
    const taken = new Set(distributions.map((distribution) => binaryExtension({ distribution })));
    return [tarGz, ...[zip, tgz].filter(({ extension }) => taken.has(extension))];
  },
  sourceFileName: (name, version) => `${name}_${version}.tar.gz`,
  statesTarget: true,
  readBuiltTarget,
  documentedIn: "archive",
  hasManual: true,
  repositoryName: /^[A-Za-z0-9 \-_.]+$/,
};
