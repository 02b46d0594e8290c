import { type DocumentationFiles, readDocumentation } from "@packhouse/formats/r/manual/documentation-files";
import { readManualSource } from "@packhouse/formats/r/manual/manual-source";
import { renderManual } from "@packhouse/formats/r/manual/render-manual";
import { readVignette } from "@packhouse/formats/r/vignettes";
import { type ArchiveInput, sourceOf, type TaskContext } from "../../platform/workers/task.ts";

/** Help pages of a package, with their figures if requested. A worker task. */
export function documentation(
  { figures, ...archive }: ArchiveInput & { figures: boolean },
  context: TaskContext,
): Promise<DocumentationFiles | undefined> {
  return readDocumentation({ ...archive, source: sourceOf(context) }, { figures });
}

const pieceBytes = 256 * 1024;

/** Emits the vignette; its size, undefined if there is none of this name, `null` if it is larger than requested. */
export async function vignette(
  { wanted, mostBytes, ...archive }: ArchiveInput & { wanted: string; mostBytes: number },
  context: TaskContext,
): Promise<number | null | undefined> {
  const bytes = await readVignette({ ...archive, source: sourceOf(context) }, wanted);
  if (!bytes) return undefined;
  if (bytes.byteLength > mostBytes) return null;
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) await context.emit(bytes.slice(at, at + pieceBytes));
  return bytes.byteLength;
}

/** The manual as a page; undefined where the package has no documentation. */
export async function manual(archive: ArchiveInput, context: TaskContext): Promise<string | undefined> {
  const source = await readManualSource({ ...archive, source: sourceOf(context) });
  return source && renderManual(source);
}
