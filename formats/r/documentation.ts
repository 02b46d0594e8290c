import { archiveFiles } from "../archive/files.ts";
import type { ByteSource } from "../byte-source.ts";
import type { Documentation, DocumentedPackage } from "../documentation.ts";
import { defaultLimits } from "../package-file.ts";
import { listVignettes } from "./vignettes.ts";

const longestReadme = 4 * 1024 * 1024;

/** The vignettes of an R package, and the README next to its DESCRIPTION. */
export async function rDocumentation({ source, fileName, kind }: DocumentedPackage): Promise<Documentation> {
  if (!source) return { vignettes: [], readme: null, incomplete: ["vignettes", "readme"] };
  const vignettes = await listVignettes({ source, fileName, kind });
  return { vignettes, readme: await readmeOf(source, fileName), incomplete: [] };
}

async function readmeOf(source: ByteSource, fileName: string): Promise<Documentation["readme"]> {
  const isReadme = (segments: readonly string[]) => segments.length === 2 && /^README(\.md)?$/.test(segments[1] ?? "");
  for await (const { segments, content } of archiveFiles(source, fileName, isReadme, defaultLimits)) {
    const bytes = (await content(longestReadme)).byteLength;
    return { kind: segments[1]?.endsWith(".md") ? "text/markdown" : "text/plain", bytes };
  }
  return null;
}
