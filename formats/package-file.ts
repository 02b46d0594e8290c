/** The fields of an R DESCRIPTION beyond those that every package has; named as in the API. */
export interface RMetadata {
  depends: string | null;
  imports: string | null;
  suggests: string | null;
  enhances: string | null;
  linkingTo: string | null;
  priority: string | null;
  systemRequirements: string | null;
  maintainer: string | null;
  needsCompilation: "yes" | "no";
  built: string | null;
  /** The first two numbers of the R version a binary was built with; this and the next two are null for sources. */
  rversion: string | null;
  architecture: string | null;
  distribution: string | null;
  encoding: string | null;
  bugReports: string | null;
  osType: string | null;
  licenseIsFoss: string | null;
  licenseRestrictsUse: string | null;
  archs: string | null;
}

/** The fields of PKG-INFO or METADATA beyond those that every package has; repeated headers are joined by `, `. */
export interface PythonMetadata {
  authorEmail: string | null;
  classifiers: string | null;
  homePage: string | null;
  keywords: string | null;
  maintainer: string | null;
  maintainerEmail: string | null;
  platform: string | null;
  projectUrl: string | null;
  providesExtra: string | null;
  requiresDist: string | null;
  requiresExternal: string | null;
  requiresPython: string | null;
  summary: string | null;
  /** From a wheel's file name: `py3-none-any`. */
  compatibilityTags: string | null;
  builtTag: string | null;
  pythonTag: string | null;
  abiTag: string | null;
  platformTag: string | null;
  /** The METADATA file of a wheel, to be served next to it (PEP 658); null for sdists. */
  coreMetadata: string | null;
}

/** One package file that was read and follows all rules. */
interface CommonPackageFile {
  name: string;
  version: string;
  /** R: the name itself. Python: normalized (PEP 503). */
  normalizedName: string;
  /** Equal for equal versions. */
  versionKey: string;
  /** Sorts by code point in version order. */
  versionOrder: string;
  kind: "source" | "binary";
  /**
   * Distinguishes files of one version: empty for sources, the file name of a wheel, the folder in which an R binary is
   * published (`bin/linux/jammy/x86_64/4.2`).
   */
  target: string;
  /** The name under which it is published and downloaded. */
  fileName: string;
  title: string | null;
  description: string | null;
  descriptionContentType: string;
  author: string | null;
  url: string | null;
  license: string | null;
}

export type RPackageFile = CommonPackageFile & { technology: "R"; metadata: RMetadata };
export type PythonPackageFile = CommonPackageFile & { technology: "Python"; metadata: PythonMetadata };
export type PackageFile = RPackageFile | PythonPackageFile;

/** How much an archive may cost its reader. */
export interface ReadLimits {
  maxUnpackedBytes: number;
  /** Ratio of unpacked to read bytes, checked once 64 MiB are unpacked. */
  maxRatio: number;
  maxMembers: number;
  maxMetadataBytes: number;
  /** Nesting depth of folders. */
  maxDepth: number;
  maxMilliseconds: number;
}

/**
 * Names and versions that together are no longer than this fit into a file name of 255 bytes and
 * into the indexes of the database.
 */
export const longestName = 140;
export const longestVersion = 100;

const mebibyte = 1024 * 1024;

export const defaultLimits: ReadLimits = {
  maxUnpackedBytes: 2048 * mebibyte,
  maxRatio: 200,
  maxMembers: 100_000,
  maxMetadataBytes: 4 * mebibyte,
  maxDepth: 100,
  maxMilliseconds: 120_000,
};
