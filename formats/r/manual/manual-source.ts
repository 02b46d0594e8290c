import { archiveFiles } from "../../archive/files.ts";
import { defaultLimits } from "../../package-file.ts";
import { readDescription } from "../dcf.ts";
import type { StoredPackage } from "../vignettes.ts";
import { decodeRd } from "./decode-rd.ts";
import type { ManualSource } from "./render-manual.ts";

/** More than ten times what the largest manuals on CRAN are made of. */
const mostBytes = 32 * 1024 * 1024;

/**
 * What the manual of a package is made of: its DESCRIPTION, and its Rd files as for a Unix system ("Writing R
 * Extensions", 2). Undefined where there are none, as in binaries, or more than a manual could hold.
 */
export async function readManualSource(stored: StoredPackage): Promise<ManualSource | undefined> {
  let description: Uint8Array | undefined;
  const pages = new Map<string, Uint8Array>();
  let size = 0;
  for await (const file of archiveFiles(stored.source, stored.fileName, defaultLimits)) {
    const path = file.segments.slice(1).join("/");
    if (path === "DESCRIPTION") description = await file.content();
    if (!/^man\/(macros\/|unix\/)?[^/]+\.[Rr]d$/.test(path)) continue;
    const bytes = await file.content();
    size += bytes.byteLength;
    if (size > mostBytes) return undefined;
    pages.set(path, bytes);
  }
  if (!description || pages.size === 0) return undefined;
  return sourceOf(readDescription(description), pages);
}

function sourceOf(fields: ReadonlyMap<string, string>, pages: ReadonlyMap<string, Uint8Array>): ManualSource {
  const all = [...pages]
    .map(([path, bytes]) => ({ path, text: decodeRd(bytes, fields.get("Encoding")) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const isMacros = ({ path }: { path: string }) => path.startsWith("man/macros/");
  return {
    packageName: fields.get("Package") ?? "",
    version: fields.get("Version") ?? "",
    title: fields.get("Title") ?? "",
    fields,
    files: all.filter((page) => !isMacros(page)),
    macros: all.filter(isMacros).map(({ text }) => text),
  };
}
