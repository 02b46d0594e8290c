import type { DeclaredDependency, MetadataField } from "@packhouse/contract/review/inspection";

/** What a package states about itself. */
export interface PackageMetadata {
  name: string;
  version: string;
  fields: MetadataField[];
  /** An SPDX expression, if the license can be read as one. */
  spdx: string | null;
  dependencies: DeclaredDependency[];
}

/** How one technology's packages state it. */
export interface MetadataReader {
  isMetadata(path: string): boolean;
  /** From the name of its file alone. */
  named(fileName: string): { name: string; version: string };
  /** Throws `UnacceptablePackage` for metadata that is none. */
  read(files: ReadonlyMap<string, Uint8Array>): PackageMetadata;
}

const longestValue = 10_000;
const mostDependencies = 2_000;

export const field = (name: string, value: string): MetadataField => ({
  name,
  value: value.length > longestValue ? `${value.slice(0, longestValue).toWellFormed()}…` : value,
});

export const bounded = (dependencies: DeclaredDependency[]): DeclaredDependency[] =>
  dependencies.slice(0, mostDependencies);
