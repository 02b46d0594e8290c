import type { ByteSource } from "./byte-source.ts";
import type { DependencyReader } from "./dependency.ts";
import { defaultLimits, type PackageFile, type ReadLimits } from "./package-file.ts";
import { checkFileName as checkDistributionName, readDistribution } from "./python/distribution.ts";
import { normalizeName } from "./python/name.ts";
import { pythonRequirements } from "./python/requirements.ts";
import * as pep440 from "./python/version.ts";
import { rDependencies } from "./r/dependencies.ts";
import { checkFileName as checkSourcePackageName, readSourcePackage } from "./r/source-package.ts";
import * as rVersion from "./r/version.ts";

/** What differs between the technologies. Features ask the format instead of asking which technology it is. */
export interface PackageFormat {
  readonly technology: "R" | "Python";
  /** Refuses a name from which no package could be read, before anything is. */
  checkFileName(fileName: string): void;
  /** Reads one file and judges it; throws `UnacceptablePackage` with every reason. */
  readPackage(source: ByteSource, fileName: string, limits?: ReadLimits): Promise<PackageFile>;
  /** Equal for names that mean one package. */
  normalizeName(name: string): string;
  compareVersions(a: string, b: string): number;
  versionKey(version: string): string;
  /** What a package needs, read from the fields of its metadata. */
  readonly dependencies: DependencyReader;
  readonly allowedFiles: readonly { mimetype: string; extension: string }[];
  /** What repositories of this technology may be called; a whole-text pattern. */
  readonly repositoryNamePattern: string;
}

const tarGz = { mimetype: "application/gzip", extension: ".tar.gz" };
const wheel = { mimetype: "application/zip", extension: ".whl" };

export const formats: Record<PackageFormat["technology"], PackageFormat> = {
  R: {
    technology: "R",
    checkFileName: checkSourcePackageName,
    readPackage: (source, fileName, limits = defaultLimits) => readSourcePackage(source, fileName, limits),
    normalizeName: (name) => name,
    compareVersions: rVersion.compareVersions,
    versionKey: rVersion.versionKey,
    dependencies: rDependencies,
    allowedFiles: [tarGz],
    repositoryNamePattern: "^[A-Za-z0-9 \\-_.]+$",
  },
  Python: {
    technology: "Python",
    checkFileName: checkDistributionName,
    readPackage: (source, fileName, limits = defaultLimits) => readDistribution(source, fileName, limits),
    normalizeName,
    compareVersions: pep440.compareVersions,
    versionKey: pep440.versionKey,
    dependencies: pythonRequirements,
    allowedFiles: [tarGz, wheel],
    repositoryNamePattern: "^[A-Za-z0-9\\-_.~]+$",
  },
};

export const formatOf = (technology: PackageFormat["technology"]): PackageFormat => formats[technology];
