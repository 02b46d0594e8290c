import type { RMetadata } from "../package-file.ts";
import { type Cell, characters } from "./rds.ts";

/** What the index says of one package. */
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

/** The fields of PACKAGES that R reads (`tools:::.get_standard_repository_db_fields`), in the order in which we write them. */
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
  // R knows `MD5sum`; `MD5Sum` would be ignored.
  { name: "MD5sum", value: (it) => it.md5 },
  { name: "NeedsCompilation", value: (it) => it.metadata.needsCompilation },
  // R asks binaries themselves; other clients read it here.
  { name: "Built", value: (it) => it.metadata.built },
];

export const indexFields: readonly string[] = fields.map((field) => field.name);

/** Values as the index has them: on one line, folds become one blank. */
const valuesOf = (it: Indexed): (string | null)[] =>
  fields.map(({ value }) => value(it)?.replace(/\s+/g, " ").trim() || null);

/** One record of PACKAGES, with the empty line that ends it. */
function indexRecord(it: Indexed): string {
  const lines = valuesOf(it).flatMap((value, index) => (value === null ? [] : [`${indexFields[index]}: ${value}`]));
  return `${lines.join("\n")}\n\n`;
}

/** A contiguous range of packages, made so that ranges can be put one behind the other into every form of the index. */
export interface PackagesShard {
  rows: number;
  text: Uint8Array;
  /** Names of the rows, as elements of an R character vector. */
  names: Uint8Array;
  /** One for each of `indexFields`, as elements of an R character vector. */
  columns: Uint8Array[];
}

/** `packages` are the newest of each name, by name in code-point order. */
export function packagesShard(packages: readonly Indexed[]): PackagesShard {
  const rows = packages.map(valuesOf);
  return {
    rows: packages.length,
    text: new TextEncoder().encode(packages.map(indexRecord).join("")),
    names: characters(packages.map((it): Cell => it.name)),
    columns: indexFields.map((_name, column) => characters(rows.map((row): Cell => row[column] ?? null))),
  };
}
