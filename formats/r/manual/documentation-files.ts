import { archiveFiles } from "../../archive/files.ts";
import { defaultLimits } from "../../package-file.ts";
import type { StoredPackage } from "../vignettes.ts";

/** The unmodified files that a package's manual is made of ("Writing R Extensions", 2). */
export interface DocumentationFiles {
  description: Uint8Array;
  /** `man/*.Rd` and `man/unix/*.Rd`, by path and sorted by it. */
  pages: ReadonlyMap<string, Uint8Array>;
  /** `man/macros/*.Rd`, in the same form. */
  macros: ReadonlyMap<string, Uint8Array>;
  /** `man/figures/*`, if requested; their names are safe. */
  figures: ReadonlyMap<string, Uint8Array>;
}

/** More than ten times the size of the largest manuals on CRAN. */
const mostBytes = 32 * 1024 * 1024;
const page = /^(DESCRIPTION|man\/((macros|unix)\/)?[^/]+\.[Rr]d)$/;
const figure = /^man\/figures\/[A-Za-z0-9][A-Za-z0-9._-]*\.(png|jpe?g|pdf)$/;

/** Undefined without Rd files, as in binaries, or with more than a manual may contain. */
export async function readDocumentation(
  stored: StoredPackage,
  { figures }: { figures: boolean },
): Promise<DocumentationFiles | undefined> {
  const found = new Map<string, Uint8Array>();
  let size = 0;
  const pathOf = (segments: readonly string[]) => segments.slice(1).join("/");
  const isWanted = (path: string) => page.test(path) || (figures && figure.test(path));
  const files = archiveFiles(stored.source, stored.fileName, (segments) => isWanted(pathOf(segments)), defaultLimits);
  for await (const file of files) {
    const bytes = await file.content();
    size += bytes.byteLength;
    if (size > mostBytes) return undefined;
    found.set(pathOf(file.segments), bytes);
  }
  const description = found.get("DESCRIPTION");
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  const those = (pattern: RegExp) => new Map(sorted.filter(([path]) => pattern.test(path)));
  const pages = those(/^man\/(unix\/)?[^/]+\.[Rr]d$/);
  if (!description || pages.size === 0) return undefined;
  return {
    description,
    pages,
    macros: those(/^man\/macros\//),
    figures: those(figure),
  };
}
