import { archiveFiles } from "../../archive/files.ts";
import { defaultLimits } from "../../package-file.ts";
import type { StoredPackage } from "../vignettes.ts";

/** The files of a package that its manual is made of ("Writing R Extensions", 2), as they are. */
export interface DocumentationFiles {
  description: Uint8Array;
  /** `man/*.Rd`, and those below `man/unix`, by path and in its order. */
  pages: ReadonlyMap<string, Uint8Array>;
  /** `man/macros/*.Rd` likewise. */
  macros: ReadonlyMap<string, Uint8Array>;
  /** `man/figures/*` likewise, if they were asked for; their names are harmless. */
  figures: ReadonlyMap<string, Uint8Array>;
}

/** More than ten times what the largest manuals on CRAN are made of. */
const mostBytes = 32 * 1024 * 1024;
const page = /^(DESCRIPTION|man\/((macros|unix)\/)?[^/]+\.[Rr]d)$/;
const figure = /^man\/figures\/[A-Za-z0-9][A-Za-z0-9._-]*\.(png|jpe?g|pdf)$/;

/** Undefined where there are no Rd files, as in binaries, or more than a manual could hold. */
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
