import { type FormatCode, UnacceptablePackage } from "./unacceptable-package.ts";

/**
 * Limits for metadata, which is stored, listed and searched. Each is several times what the largest packages on
 * CRAN and PyPI have (some have a thousand requirements, four hundred extras, or the licenses of all they bundle).
 */
export const metadataLimits = {
  /** Different fields of a DESCRIPTION, or headers of a PKG-INFO. */
  fields: 500,
  /** All headers of a PKG-INFO, including repeated ones. */
  headers: 20_000,
  fieldName: 200,
  dependencies: 5000,
  authors: 1000,
  classifiers: 1000,
  extras: 2000,
  vignettes: 1000,
} as const;

const kibibyte = 1024;
const longestField = 64 * kibibyte;

/** Maximum bytes of the fields with a limit other than the default. */
const longestFields: Readonly<Record<string, number>> = {
  description: 1024 * kibibyte,
  license: 512 * kibibyte,
  title: 16 * kibibyte,
  summary: 16 * kibibyte,
  author: 128 * kibibyte,
  classifiers: 128 * kibibyte,
  depends: 256 * kibibyte,
  imports: 256 * kibibyte,
  suggests: 256 * kibibyte,
  enhances: 256 * kibibyte,
  linkingTo: 256 * kibibyte,
  requiresDist: 1024 * kibibyte,
  // The whole METADATA file, whose size its reader limits.
  coreMetadata: Number.POSITIVE_INFINITY,
};

type Counted = Exclude<keyof typeof metadataLimits, "fieldName" | "headers">;
const codes: Readonly<Record<Counted, FormatCode>> = {
  fields: "too.many.fields",
  dependencies: "too.many.dependencies",
  authors: "too.many.authors",
  classifiers: "too.many.classifiers",
  extras: "too.many.extras",
  vignettes: "too.many.vignettes",
};

/** Refuses more entries of a kind than allowed. */
export function checkCount(what: Counted, count: number, most: number = metadataLimits[what]): void {
  if (count > most) throw new UnacceptablePackage([codes[what]], `there are more than ${most}`);
}

export function checkFieldName(name: string): void {
  if (name.length > metadataLimits.fieldName)
    throw new UnacceptablePackage(
      ["field.name.too.long"],
      `${JSON.stringify(name.slice(0, 50))}… has more than ${metadataLimits.fieldName} characters`,
    );
}

const utf8 = new TextEncoder();

/** Refuses fields that are too long to be stored. */
export function checkFieldLengths(fields: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(fields)) {
    const most = Object.hasOwn(longestFields, name) ? (longestFields[name] ?? longestField) : longestField;
    // A UTF-16 code unit takes up to three bytes.
    if (typeof value !== "string" || value.length * 3 <= most) continue;
    if (value.length > most || utf8.encode(value).byteLength > most)
      throw new UnacceptablePackage(["field.too.long"], `${name} has more than ${most} bytes`);
  }
}
