import type { FurtherFiles } from "./archive/package-archive.ts";
import type { ByteSource } from "./byte-source.ts";
import type { DependencyReader } from "./dependency.ts";
import type { PackageFile, ReadLimits } from "./package-file.ts";
import type { BinaryRequest, BinaryTarget } from "./r/binary-target.ts";
import type { FormatCode } from "./unacceptable-package.ts";

export interface ReadOptions {
  limits?: ReadLimits | undefined;
  /** R: set for a binary, with its target; a Python file states this itself. */
  binary?: BinaryRequest | undefined;
  /** Whether it is a copy from another repository: then Python sdists may also be a `.zip`. */
  mirrored?: boolean | undefined;
  /** `listed`: skips comparing a wheel's files with its RECORD, for a quick first look. */
  contents?: "compared" | "listed" | undefined;
  /** R: what else to read from the archive in the same pass. */
  further?: FurtherFiles | undefined;
}

/** What differs between the technologies. Features use the format instead of checking the technology. */
export interface PackageFormat {
  readonly technology: "R" | "Python";
  /** Refuses a file name that no package can have, before anything is read. */
  checkFileName(fileName: string, binary?: boolean): void;
  /** Reads and validates one file; throws `UnacceptablePackage` with every reason. */
  readPackage(source: ByteSource, fileName: string, options?: ReadOptions): Promise<PackageFile>;
  /** Every rule that a record's fields break, by the names that the API uses for them. */
  checkMetadata(fields: { name: string; version: string } & Readonly<Record<string, unknown>>): FormatCode[];
  /** Equal for names that refer to the same package. */
  normalizeName(name: string): string;
  isVersion(version: string): boolean;
  compareVersions(a: string, b: string): number;
  versionKey(version: string): string;
  /** Before and after the sort key of a version, these make it comparable with those of the other technologies. */
  readonly aroundVersionOrder: { readonly before: string; readonly after: string };
  /** The dependencies of a package, read from its metadata fields. */
  readonly dependencies: DependencyReader;
  /** File names that this technology accepts; for R they depend on the systems for which binaries are accepted. */
  allowedFiles(distributions: readonly string[]): { mimetype: string; extension: string }[];
  /** The file name of a source package with this name and version. */
  sourceFileName(name: string, version: string): string;
  /** Whether the uploader states the target of a binary; otherwise its file name does. */
  readonly statesTarget: boolean;
  /** The target of a built package if only its contents state it; undefined for everything else. */
  readBuiltTarget(source: ByteSource, fileName: string): Promise<BinaryTarget | undefined>;
  /** Where a package has its README and vignettes. */
  readonly documentedIn: "archive" | "metadata";
  readonly hasManual: boolean;
  /** Pattern for the full name of a repository of this technology. */
  readonly repositoryName: RegExp;
}

export const fileTypes = {
  tarGz: { mimetype: "application/gzip", extension: ".tar.gz" },
  zip: { mimetype: "application/zip", extension: ".zip" },
  tgz: { mimetype: "application/gzip", extension: ".tgz" },
  wheel: { mimetype: "application/zip", extension: ".whl" },
} as const;
