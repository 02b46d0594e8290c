import { readDescription } from "../dcf.ts";
import type { StoredPackage } from "../vignettes.ts";
import { decodeRd } from "./decode-rd.ts";
import { type DocumentationFiles, readDocumentation } from "./documentation-files.ts";
import type { ManualSource } from "./render-manual.ts";

/** The sources of a package's manual as text; undefined if the package documents nothing. */
export async function readManualSource(stored: StoredPackage): Promise<ManualSource | undefined> {
  const files = await readDocumentation(stored, { figures: false });
  return files && sourceOf(files);
}

function sourceOf({ description, pages, macros }: DocumentationFiles): ManualSource {
  const fields = readDescription(description);
  const decoded = (bytes: Uint8Array) => decodeRd(bytes, fields.get("Encoding"));
  return {
    packageName: fields.get("Package") ?? "",
    version: fields.get("Version") ?? "",
    title: fields.get("Title") ?? "",
    fields,
    files: [...pages].map(([path, bytes]) => ({ path, text: decoded(bytes) })),
    macros: [...macros.values()].map(decoded),
  };
}
