import type { RMetadata } from "../package-file.ts";
import { type Cell, characters } from "./rds.ts";

/** What the index contains about one package. */
export interface Indexed {
  name: string;
  version: string;
  license: string | null;
  md5: string;
  metadata: Pick<
    RMetadata,
    | "depends"
    | "imports"
    | "linkingTo"
    | "suggests"
    | "enhances"
    | "priority"
    | "osType"
    | "archs"
    | "licenseIsFoss"
    | "licenseRestrictsUse"
    | "needsCompilation"
    | "built"
  >;
}

/**
 * The fields of PACKAGES that R reads (`tools:::.get_standard_repository_db_fields`), in the order in which we write
 * them.
 */
const fields: readonly { name: string; value(it: Indexed): string | null }[] = [
  { name: "Package", value: (it) => it.name },
  { name: "Version", value: (it) => it.version },
  { name: "Priority", value: (it) => it.metadata.priority },
  { name: "Depends", value: (it) => it.metadata.depends },
  { name: "Imports", value: (it) => it.metadata.imports },
  { name: "LinkingTo", value: (it) => it.metadata.linkingTo },
  { name: "Suggests", value: (it) => it.metadata.suggests },
  { name: "Enhances", value: (it) => it.metadata.enhances },
  { name: "OS_type", value: (it) => it.metadata.osType },
  { name: "Archs", value: (it) => it.metadata.archs },
  { name: "License", value: (it) => it.license },
  { name: "License_is_FOSS", value: (it) => it.metadata.licenseIsFoss },
  { name: "License_restricts_use", value: (it) => it.metadata.licenseRestrictsUse },
  // R reads `MD5sum`; it would ignore `MD5Sum`.
  { name: "MD5sum", value: (it) => it.md5 },
  { name: "NeedsCompilation", value: (it) => it.metadata.needsCompilation },
  // Only for binaries. R reads it from the packages themselves; other clients read it here.
  { name: "Built", value: (it) => it.metadata.built },
];

/** The fields of a binary index; the source index has all but the last. */
export const binaryFields: readonly string[] = fields.map((field) => field.name);
export const sourceFields: readonly string[] = binaryFields.slice(0, -1);

/** Values as the index has them: on one line, with folds replaced by a blank. */
const valuesOf = (it: Indexed): (string | null)[] =>
  fields.map(({ value }) => value(it)?.replace(/\s+/g, " ").trim() || null);

/** The records of PACKAGES. */
export const packagesText = (packages: readonly Indexed[]): Uint8Array => textOf(packages.map(valuesOf));

const textOf = (rows: readonly (readonly (string | null)[])[]): Uint8Array =>
  new TextEncoder().encode(rows.map(indexRecord).join(""));

/** One record of PACKAGES, including the empty line that ends it. */
function indexRecord(values: readonly (string | null)[]): string {
  const lines = values.flatMap((value, index) => (value === null ? [] : [`${binaryFields[index]}: ${value}`]));
  return `${lines.join("\n")}\n\n`;
}

/** A column in which this many rows have no value. */
export const emptyColumn = (rows: number): Uint8Array => characters(Array.from({ length: rows }, (): Cell => null));

/** A contiguous range of packages; ranges can be concatenated into every form of the index. */
export interface PackagesShard {
  rows: number;
  text: Uint8Array;
  /** Names of the rows, as elements of an R character vector. */
  names: Uint8Array;
  /** One for each field, as elements of an R character vector. */
  columns: Uint8Array[];
}

/** `packages` has the newest version of each name, by name in code-point order; `fields` are those of their index. */
export function packagesShard(packages: readonly Indexed[], fields: readonly string[]): PackagesShard {
  const rows = packages.map(valuesOf);
  return {
    rows: packages.length,
    text: textOf(rows),
    names: characters(packages.map((it): Cell => it.name)),
    columns: fields.map((_name, column) => characters(rows.map((row): Cell => row[column] ?? null))),
  };
}
