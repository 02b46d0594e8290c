import type { ByteSource } from "./byte-source.ts";
import type { PackageFormat } from "./package-format.ts";
import { longDescription } from "./python/long-description.ts";
import { RDocumentation, rDocumentation } from "./r/documentation.ts";
import type { Vignette } from "./r/vignettes.ts";

/** A validated package, as its records have it; without bytes if they cannot be read. */
export interface DocumentedPackage {
  source: ByteSource | undefined;
  fileName: string;
  kind: "source" | "binary";
  description: string | null;
  descriptionContentType: string;
}

/** A package's own documentation beyond its fields. */
export interface Documentation {
  vignettes: readonly Vignette[];
  readme: { kind: string; bytes: number } | null;
  /** What could not be read. */
  incomplete: readonly ("vignettes" | "readme")[];
}

const collectors: Record<PackageFormat["technology"], (kind: DocumentedPackage["kind"]) => RDocumentation | undefined> =
  {
    R: (kind) => new RDocumentation(kind),
    Python: () => undefined,
  };

/** What collects the documentation while `readPackage` reads the archive; undefined if it is not in there. */
export const documentationReader = (
  technology: PackageFormat["technology"],
  kind: DocumentedPackage["kind"],
): RDocumentation | undefined => collectors[technology](kind);

/** Separate from the formats, because only the server reads it and browsers need not load it. */
const readers: Record<PackageFormat["technology"], (it: DocumentedPackage) => Promise<Documentation>> = {
  R: rDocumentation,
  Python: longDescription,
};

export const readDocumentationOf = (
  technology: PackageFormat["technology"],
  it: DocumentedPackage,
): Promise<Documentation> => readers[technology](it);
