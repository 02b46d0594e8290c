import type { Documentation, DocumentedPackage } from "../documentation.ts";

/** The README of a Python package is its description. */
export async function longDescription({
  description,
  descriptionContentType,
}: DocumentedPackage): Promise<Documentation> {
  const readme = description
    ? { kind: descriptionContentType, bytes: new TextEncoder().encode(description).byteLength }
    : null;
  return { vignettes: [], readme, incomplete: [] };
}
