import { archiveFiles } from "../archive/files.ts";
import type { FurtherFiles } from "../archive/package-archive.ts";
import type { Documentation, DocumentedPackage } from "../documentation.ts";
import { metadataLimits } from "../metadata-limits.ts";
import { defaultLimits } from "../package-file.ts";
import { isVignette, type Vignette, vignetteBytes, vignetteOf } from "./vignettes.ts";

const longestReadme = 4 * 1024 * 1024;

/** Collects the documentation of an R package while its archive is read: vignettes, and the README next to DESCRIPTION. */
export class RDocumentation implements FurtherFiles {
  readonly #kind: DocumentedPackage["kind"];
  readonly #vignettes = new Map<string, Vignette>();
  #readme: Documentation["readme"] = null;

  constructor(kind: DocumentedPackage["kind"]) {
    this.#kind = kind;
  }

  wanted(path: string): number | undefined {
    if (this.#readme === null && isReadme(path)) return longestReadme;
    // There are packages from before their number was limited.
    if (this.#vignettes.size >= metadataLimits.vignettes || !isVignette(path, this.#kind)) return undefined;
    return vignetteBytes(path);
  }

  take(path: string, bytes: Uint8Array): void {
    if (isReadme(path)) {
      this.#readme = { kind: path.endsWith(".md") ? "text/markdown" : "text/plain", bytes: bytes.byteLength };
      return;
    }
    const vignette = vignetteOf(path, bytes);
    this.#vignettes.set(vignette.fileName, vignette);
  }

  /** What the archive had. */
  get found(): Documentation {
    const vignettes = [...this.#vignettes.values()].sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
    return { vignettes, readme: this.#readme, incomplete: [] };
  }
}

/** Reads it from the archive of a stored package. */
export async function rDocumentation({
  source,
  fileName,
  kind,
}: Pick<DocumentedPackage, "source" | "fileName" | "kind">): Promise<Documentation> {
  if (!source) return { vignettes: [], readme: null, incomplete: ["vignettes", "readme"] };
  const documentation = new RDocumentation(kind);
  const pathOf = (segments: readonly string[]) => segments.slice(1).join("/");
  const wanted = (segments: readonly string[]) => documentation.wanted(pathOf(segments)) !== undefined;
  for await (const { segments, content } of archiveFiles(source, fileName, wanted, defaultLimits)) {
    const path = pathOf(segments);
    documentation.take(path, await content(documentation.wanted(path)));
  }
  return documentation.found;
}

const isReadme = (path: string): boolean => /^README(\.md)?$/.test(path);
