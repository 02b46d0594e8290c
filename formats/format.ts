import type { ByteSource } from "./byte-source.ts";
import type { DependencyReader } from "./dependency.ts";
import type { PackageFile, ReadLimits } from "./package-file.ts";
import { checkFileName as checkDistributionName, readDistribution } from "./python/distribution.ts";
import { normalizeName } from "./python/name.ts";
import { pythonRequirements } from "./python/requirements.ts";
import * as pep440 from "./python/version.ts";
import { type BinaryRequest, binaryExtension } from "./r/binary-target.ts";
import { rDependencies } from "./r/dependencies.ts";
import { checkFileName as checkRPackageName, readRPackage } from "./r/package-archive.ts";
import * as rVersion from "./r/version.ts";

export interface ReadOptions {
  limits?: ReadLimits | undefined;
  /** R: that it is a binary, and for what; a file of Python says that itself. */
  binary?: BinaryRequest | undefined;
  /** Whether it is a copy of what another repository has: sdists of Python may be a `.zip` then. */
  mirrored?: boolean | undefined;
  /** `listed`: the files of a wheel are not compared with its RECORD, for a first look that must be quick. */
  contents?: "compared" | "listed" | undefined;
}

/** What differs between the technologies. Features ask the format instead of asking which technology it is. */
export interface PackageFormat {
  readonly technology: "R" | "Python";
  /** Refuses a name from which no package could be read, before anything is. */
  checkFileName(fileName: string, binary?: boolean): void;
  /** Reads one file and judges it; throws `UnacceptablePackage` with every reason. */
  readPackage(source: ByteSource, fileName: string, options?: ReadOptions): Promise<PackageFile>;
  /** Equal for names that mean one package. */
  normalizeName(name: string): string;
  isVersion(version: string): boolean;
  compareVersions(a: string, b: string): number;
  versionKey(version: string): string;
  /** What a package needs, read from the fields of its metadata. */
  readonly dependencies: DependencyReader;
  /** What files of it are called; R's depend on the systems for which binaries are taken. */
  allowedFiles(distributions: readonly string[]): { mimetype: string; extension: string }[];
  /** What repositories of this technology may be called, from start to end. */
  readonly repositoryName: RegExp;
}

const tarGz = { mimetype: "application/gzip", extension: ".tar.gz" };
const zip = { mimetype: "application/zip", extension: ".zip" };
const tgz = { mimetype: "application/gzip", extension: ".tgz" };
const wheel = { mimetype: "application/zip", extension: ".whl" };

export const formats: Record<PackageFormat["technology"], PackageFormat> = {
  R: {
    technology: "R",
    checkFileName: checkRPackageName,
    readPackage: readRPackage,
    normalizeName: (name) => name,
    isVersion: rVersion.isVersion,
    compareVersions: rVersion.compareVersions,
    versionKey: rVersion.versionKey,
    dependencies: rDependencies,
    allowedFiles: (distributions) => {
      const taken = new Set(distributions.map((distribution) => binaryExtension({ distribution })));
      return [tarGz, ...[zip, tgz].filter(({ extension }) => taken.has(extension))];
    },
    repositoryName: /^[A-Za-z0-9 \-_.]+$/,
  },
  Python: {
    technology: "Python",
    checkFileName: (fileName) => checkDistributionName(fileName),
    readPackage: (source, fileName, options) => readDistribution(source, fileName, options),
    normalizeName,
    isVersion: pep440.isVersion,
    compareVersions: pep440.compareVersions,
    versionKey: pep440.versionKey,
    dependencies: pythonRequirements,
    allowedFiles: () => [tarGz, wheel],
    repositoryName: /^[A-Za-z0-9\-_.~]+$/,
  },
};

export const formatOf = (technology: PackageFormat["technology"]): PackageFormat => formats[technology];
