import { fileTypes, type PackageFormat } from "../package-format.ts";
import { brokenRules } from "./core-metadata.ts";
import { checkFileName, readDistribution } from "./distribution.ts";
import { normalizeName } from "./name.ts";
import { pythonRequirements } from "./requirements.ts";
import * as version from "./version.ts";

export const pythonFormat: PackageFormat = {
  technology: "Python",
  checkFileName: (fileName) => checkFileName(fileName),
  readPackage: (source, fileName, options) => readDistribution(source, fileName, options),
  checkMetadata: brokenRules,
  normalizeName,
  isVersion: version.isVersion,
  compareVersions: version.compareVersions,
  versionKey: version.versionKey,
  aroundVersionOrder: { before: "", after: "" },
  dependencies: pythonRequirements,
  allowedFiles: () => [fileTypes.tarGz, fileTypes.wheel],
  sourceFileName: (name, version) => `${name}-${version}.tar.gz`,
  statesTarget: false,
  readBuiltTarget: async () => undefined,
  documentedIn: "metadata",
  hasManual: false,
  repositoryName: /^[A-Za-z0-9\-_.~]+$/,
};
