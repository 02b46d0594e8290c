import { readGiven } from "@packhouse/contract/given-values";
import { longestPointer } from "@packhouse/contract/limits";
import { z } from "zod";
import { malformedPatch, Refusal } from "../../platform/errors/refusal.ts";
import type { Workers } from "../../platform/workers/pool.ts";
import { applyPatch, measure, PatchFailure, type PatchOperation, patchLimits } from "./apply-patch.ts";
import { applyPatchTask } from "./patch-task.ts";

/**
 * RFC 6902, section 4. A missing member is reported as a malformed patch, a body that is not an array as a bad request.
 */
const path = z
  .string()
  .max(longestPointer)
  .refine((pointer) => pointer === "" || pointer.startsWith("/"));
const value = z.unknown().refine((given) => given !== undefined);
const operation = z.discriminatedUnion("op", [
  z.object({ op: z.literal("add"), path, value }),
  z.object({ op: z.literal("replace"), path, value }),
  z.object({ op: z.literal("test"), path, value }),
  z.object({ op: z.literal("remove"), path }),
  z.object({ op: z.literal("move"), path, from: path }),
  z.object({ op: z.literal("copy"), path, from: path }),
]);

export type { PatchOperation };

/** Names through which a pointer would leave the record itself. */
const outside = /\/(__proto__|constructor|prototype)(\/|$)/;
const mostOperations = 1000;

export function readPatch(body: unknown): PatchOperation[] {
  if (!Array.isArray(body)) throw new Refusal("bad.request");
  if (body.length > mostOperations) throw malformedPatch("too many operations");
  return body.map((entry: unknown) => {
    const result = operation.safeParse(entry);
    if (!result.success)
      throw malformedPatch(`not a patch operation: ${result.error.issues[0]?.path.join(".") || "op"}`);
    const { data } = result;
    const pointers = "from" in data ? [data.path, data.from] : [data.path];
    if (pointers.some((pointer) => outside.test(pointer) || pointer.includes("\0")))
      throw malformedPatch(shortened(`no such property: ${data.path}`));
    return data;
  });
}

/** Larger patches are applied by a worker. */
export const mostPatchBytesHere = 16 * 1024;

/**
 * Applies a patch to the record as it is served (without its links) and reads the result by `schema`. A required text
 * that is removed or null is an empty one, for which the rules of the record have a code.
 */
export async function patched<Schema extends z.ZodType>(
  workers: Workers,
  schema: Schema,
  record: object,
  operations: readonly PatchOperation[],
): Promise<z.output<Schema>> {
  const document = await applied(workers, record, operations);
  const asSent = readGiven(schema, document);
  if (asSent.success) return asSent.data;
  const filled = withEmptyTexts(document, record, asSent.error.issues);
  const result = filled ? readGiven(schema, filled) : asSent;
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw malformedPatch(shortened(issue ? reasonOf(issue, document) : "wrong value"));
}

/** The document with empty texts where the issues miss texts that the record has; undefined if they miss none. */
function withEmptyTexts(document: object, record: object, issues: readonly z.core.$ZodIssue[]): object | undefined {
  const missing = issues.filter(
    ({ path }) => typeof valueAt(record, path) === "string" && (valueAt(document, path) ?? null) === null,
  );
  // A large document that is refused anyway is not copied and read once more.
  if (missing.length === 0) return undefined;
  const filled = structuredClone(document);
  for (const { path } of missing) {
    const place = valueAt(filled, path.slice(0, -1));
    if (isRecord(place)) place[String(path.at(-1))] = "";
  }
  return filled;
}

/** Why a patched record is none, in words of ours. */
function reasonOf(issue: z.core.$ZodIssue, document: object): string {
  if (issue.code === "unrecognized_keys") return `No such property: ${pointerTo([...issue.path, issue.keys[0] ?? ""])}`;
  const path = pointerTo(issue.path);
  if ((valueAt(document, issue.path) ?? null) === null) return `Value required at path: ${path}`;
  return issue.code === "invalid_type" ? `Value of a wrong type at path: ${path}` : `Wrong value at path: ${path}`;
}

const pointerTo = (path: readonly PropertyKey[]): string => path.map((key) => `/${String(key)}`).join("");

const valueAt = (record: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (isRecord(value) ? value[String(key)] : undefined), record);

async function applied(workers: Workers, record: object, operations: readonly PatchOperation[]): Promise<object> {
  const { bytes, depth } = measure(operations, Number.POSITIVE_INFINITY);
  // Values deeper than the stack cannot even be sent to a worker. The patch and its operation are two levels.
  if (depth > patchLimits.depth + 2)
    throw malformedPatch(`values may not be nested deeper than ${patchLimits.depth} levels`);
  if (bytes > mostPatchBytesHere) {
    const answer = await workers.run(applyPatchTask, { document: record, operations });
    if ("failure" in answer) throw malformedPatch(answer.failure);
    return answer.document;
  }
  const document = structuredClone(record);
  try {
    applyPatch(document, operations);
  } catch (error) {
    throw error instanceof PatchFailure ? malformedPatch(error.message) : error;
  }
  return document;
}

/** Names of properties may be as long as the whole patch. */
const shortened = (text: string): string => (text.length > 500 ? `${text.slice(0, 500)}…` : text);

/** Lists count too: their elements are members by their index. */
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
