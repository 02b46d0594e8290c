import type { ByteSource } from "./byte-source.ts";
import type { DependencyReader } from "./dependency.ts";
import type { PackageFile, ReadLimits } from "./package-file.ts";
import type { BinaryRequest, BinaryTarget } from "./r/binary-target.ts";
import type { FormatCode } from "./unacceptable-package.ts";

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
  /** Every rule that the fields of a record break, by the names that the API shows them under. */
  judgeMetadata(fields: { name: string; version: string } & Readonly<Record<string, unknown>>): FormatCode[];
  /** Equal for names that mean one package. */
  normalizeName(name: string): string;
  isVersion(version: string): boolean;
  compareVersions(a: string, b: string): number;
  versionKey(version: string): string;
  /** What a package needs, read from the fields of its metadata. */
  readonly dependencies: DependencyReader;
  /** What files of it are called; R's depend on the systems for which binaries are taken. */
  allowedFiles(distributions: readonly string[]): { mimetype: string; extension: string }[];
  /** What a source package of this name and version is called. */
  sourceFileName(name: string, version: string): string;
  /** Whether the uploader states what a binary was built for; otherwise its file name does. */
  readonly statesTarget: boolean;
  /** What a built package was built for, where only its contents show that; undefined for everything else. */
  readBuiltTarget(source: ByteSource, fileName: string): Promise<BinaryTarget | undefined>;
  /** Where README and vignettes are found. */
  readonly documentedIn: "archive" | "metadata";
  readonly hasManual: boolean;
  /** What repositories of this technology may be called, from start to end. */
  readonly repositoryName: RegExp;
}

export const fileTypes = {
  tarGz: { mimetype: "application/gzip", extension: ".tar.gz" },
  zip: { mimetype: "application/zip", extension: ".zip" },
  tgz: { mimetype: "application/gzip", extension: ".tgz" },
  wheel: { mimetype: "application/zip", extension: ".whl" },
} as const;
