import { decodeHTML } from "entities";
import { type ArchiveFile, archiveFiles } from "../archive/files.ts";
import type { ByteSource } from "../byte-source.ts";
import { metadataLimits } from "../metadata-limits.ts";
import { defaultLimits } from "../package-file.ts";

/** The archive of a validated package. */
export interface StoredPackage {
  source: ByteSource;
  fileName: string;
  kind: "source" | "binary";
}

/**
 * A vignette that was built before the package was: a page or a document in `inst/doc`, or `doc` in binaries
 * (Writing R Extensions, 1.4).
 */
export interface Vignette {
  /** The title of a page, or the file name without its extension for documents and pages without a title. */
  title: string;
  fileName: string;
}

/** Self-contained pages are megabytes long, but their title is at the top. */
const titleBytes = 256 * 1024;

/** How much of a vignette's file is read to list it. */
export const vignetteBytes = (path: string): number => (path.endsWith(".html") ? titleBytes : 0);

/** A vignette by its path in the archive and the beginning of its file. */
export function vignetteOf(path: string, beginning: Uint8Array): Vignette {
  const fileName = path.split("/").at(-1) ?? "";
  const title = path.endsWith(".html") ? titleOf(beginning) : "";
  return { title: title || fileName.replace(/\.[^.]*$/, ""), fileName };
}

/** The bytes of one vignette; undefined if the package has none with this name. */
export async function readVignette(stored: StoredPackage, wanted: string): Promise<Uint8Array | undefined> {
  for await (const { fileName, file } of vignettesOf(stored)) if (fileName === wanted) return await file.content(); // before the archive is closed
  return undefined;
}

async function* vignettesOf({
  source,
  fileName,
  kind,
}: StoredPackage): AsyncGenerator<{ fileName: string; file: ArchiveFile }> {
  const wanted = (segments: readonly string[]) => isVignette(segments.slice(1).join("/"), kind);
  let count = 0;
  for await (const file of archiveFiles(source, fileName, wanted, defaultLimits)) {
    // Packages from before there was a limit.
    if (++count > metadataLimits.vignettes) return;
    yield { fileName: file.segments.at(-1) ?? "", file };
  }
}

/** Whether a file is a vignette, by its path in the package's folder. */
export function isVignette(path: string, kind: StoredPackage["kind"]): boolean {
  const folder = kind === "source" ? "inst/doc/" : "doc/";
  return path.startsWith(folder) && !path.includes("/", folder.length) && /[^/]\.(html|pdf)$/i.test(path);
}

/** The content of the first `<title>`. Each step continues from the end of the previous one. */
function titleOf(page: Uint8Array): string {
  const text = new TextDecoder().decode(page);
  const tag = text.search(/<title[\s>]/i);
  const start = tag === -1 ? -1 : text.indexOf(">", tag);
  if (start === -1) return "";
  const rest = text.slice(start + 1);
  const end = rest.search(/<\/title>/i);
  return end === -1 ? "" : decodeHTML(rest.slice(0, end)).replace(/\s+/g, " ").trim();
}
