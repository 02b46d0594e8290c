import type { Technology } from "@packhouse/contract/technology";
import type { ByteSource } from "@packhouse/formats/byte-source";
import { formatOf } from "@packhouse/formats/format";
import type { PackageFile, ReadLimits } from "@packhouse/formats/package-file";
import type { BinaryRequest } from "@packhouse/formats/r/binary-target";
import { type DocumentationFiles, readDocumentation } from "@packhouse/formats/r/manual/documentation-files";
import { readManualSource } from "@packhouse/formats/r/manual/manual-source";
import { renderManual } from "@packhouse/formats/r/manual/render-manual";
import { readVignette } from "@packhouse/formats/r/vignettes";
import { readPythonProject, readPythonProjects } from "../features/mirrors/upstream/read-python-index.ts";
import { readRIndex } from "../features/mirrors/upstream/read-r-index.ts";
import { judgeMetadata } from "../features/packages/judge-metadata.ts";
import { locateDependencies } from "../features/packages/locate-dependencies.ts";
import type { PackageFacts } from "../features/packages/package-facts.ts";
import { type FactsInput, readFacts } from "../features/packages/read-facts.ts";
import { applyPatch, PatchFailure, type PatchOperation } from "../http/apply-patch.ts";

/** What a task is given in addition to its input. */
export interface TaskContext {
  /** The bytes that it was sent with. */
  source: ByteSource | undefined;
  /** Hands out a part of a large result, which the server takes as it comes. */
  emit(bytes: Uint8Array): Promise<void>;
}

/** An archive, as its record describes it. */
export interface ArchiveInput {
  fileName: string;
  kind: "source" | "binary";
}

/**
 * Everything that a worker can be asked for: a function of its input and its source that reaches neither database nor
 * network. A new task is a line here and one in `pool.ts`, where it is said which tasks it waits for.
 */
export const tasks = {
  "apply-patch": applyPatchTo,
  "judge-metadata": judgeMetadata,
  "locate-dependencies": locateDependencies,
  "read-package": readPackage,
  "read-facts": (input: FactsInput, context: TaskContext) => readFacts(context.source, input),
  "read-r-index": readRIndex,
  "read-python-project": readPythonProject,
  "read-python-projects": readPythonProjects,
  "read-documentation": documentation,
  "read-vignette": vignette,
  "render-manual": manual,
} satisfies Record<string, (input: never, context: TaskContext) => unknown>;

export type TaskName = keyof typeof tasks;
export type Tasks = {
  [Name in TaskName]: {
    input: Parameters<(typeof tasks)[Name]>[0];
    output: Awaited<ReturnType<(typeof tasks)[Name]>>;
  };
};

function sourceOf({ source }: TaskContext): ByteSource {
  if (!source) throw new Error("this task needs bytes");
  return source;
}

/** A new document, or why the patch cannot be applied. */
function applyPatchTo(input: {
  document: object;
  operations: readonly PatchOperation[];
}): { document: object } | { failure: string } {
  try {
    applyPatch(input.document, input.operations);
    return { document: input.document };
  } catch (error) {
    if (error instanceof PatchFailure) return { failure: error.message };
    throw error;
  }
}

async function readPackage(
  input: {
    technology: Technology;
    fileName: string;
    limits: ReadLimits;
    binary: BinaryRequest | undefined;
    mirrored: boolean;
  },
  context: TaskContext,
): Promise<{ file: PackageFile; facts: PackageFacts; dependencyNames: string[] }> {
  const { technology, fileName, limits, binary, mirrored } = input;
  const format = formatOf(technology);
  const source = sourceOf(context);
  const file = await format.readPackage(source, fileName, { limits, binary, mirrored });
  const facts = await readFacts(source, { ...file, fileName, metadata: { ...file.metadata } });
  return {
    file,
    facts,
    dependencyNames: [...new Set(facts.dependencies.map(({ name }) => format.normalizeName(name)))],
  };
}

function documentation(
  { figures, ...archive }: ArchiveInput & { figures: boolean },
  context: TaskContext,
): Promise<DocumentationFiles | undefined> {
  return readDocumentation({ ...archive, source: sourceOf(context) }, { figures });
}

const pieceBytes = 256 * 1024;

/** Emits the vignette; its size, undefined when there is none of this name, and `null` when it is larger than asked for. */
async function vignette(
  { wanted, mostBytes, ...archive }: ArchiveInput & { wanted: string; mostBytes: number },
  context: TaskContext,
): Promise<number | null | undefined> {
  const bytes = await readVignette({ ...archive, source: sourceOf(context) }, wanted);
  if (!bytes) return undefined;
  if (bytes.byteLength > mostBytes) return null;
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) await context.emit(bytes.slice(at, at + pieceBytes));
  return bytes.byteLength;
}

/** The manual as a page; undefined where the package documents nothing. */
async function manual(archive: ArchiveInput, context: TaskContext): Promise<string | undefined> {
  const source = await readManualSource({ ...archive, source: sourceOf(context) });
  return source && renderManual(source);
}
