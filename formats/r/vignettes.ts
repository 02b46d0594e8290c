import { decodeHTML } from "entities";
import { ByteStream } from "../archive/byte-stream.ts";
import { gunzip } from "../archive/gunzip.ts";
import { safeSegments } from "../archive/member-paths.ts";
import { type TarMember, tarMembers } from "../archive/tar.ts";
import type { ByteSource } from "../byte-source.ts";
import { defaultLimits, type ReadLimits } from "../package-file.ts";

/** A vignette that was built before the package was: a page or a document in `inst/doc` (Writing R Extensions, 1.4). */
export interface Vignette {
  /** The title of a page; the name of a document, or of a page without a title, without its extension. */
  title: string;
  fileName: string;
}

/** Self-contained pages are megabytes long; their title stands at the top. */
const titleBytes = 256 * 1024;

/** The vignettes in the archive of a source package, by file name. */
export async function listVignettes(source: ByteSource, limits: ReadLimits = defaultLimits): Promise<Vignette[]> {
  const found = new Map<string, Vignette>();
  for await (const { fileName, member } of vignettesOf(source, limits)) {
    const stem = fileName.replace(/\.[^.]*$/, "");
    const title = fileName.endsWith(".html") ? titleOf(await member.content(titleBytes)) : "";
    found.set(fileName, { title: title || stem, fileName });
  }
  return [...found.values()].sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
}

/** The bytes of one vignette; undefined when the package has none of this name. */
export async function readVignette(
  source: ByteSource,
  wanted: string,
  limits: ReadLimits = defaultLimits,
): Promise<Uint8Array | undefined> {
  let bytes: Uint8Array | undefined;
  // Of two members of one name the later is what unpacking would leave.
  for await (const { fileName, member } of vignettesOf(source, limits))
    if (fileName === wanted) bytes = await member.content();
  return bytes;
}

async function* vignettesOf(
  source: ByteSource,
  limits: ReadLimits,
): AsyncGenerator<{ fileName: string; member: TarMember }> {
  const input = new ByteStream(gunzip(source, limits));
  try {
    for await (const member of tarMembers(input, limits)) {
      const [, inst, doc, fileName = "", ...deeper] = safeSegments(member.path);
      if (member.type !== "file" || inst !== "inst" || doc !== "doc" || deeper.length > 0) continue;
      if (/.\.(html|pdf)$/i.test(fileName)) yield { fileName, member };
    }
  } finally {
    await input.close();
  }
}

function titleOf(page: Uint8Array): string {
  const [, title = ""] = /<title[^>]*>([\s\S]*?)<\/title>/i.exec(new TextDecoder().decode(page)) ?? [];
  return decodeHTML(title).replace(/\s+/g, " ").trim();
}
