import { longestPointer } from "@packhouse/contract/limits";
import { applyPatch } from "rfc6902";
import { z } from "zod";
import { malformedPatch, Refusal } from "./refusal.ts";

/** RFC 6902, section 4. A missing member is reported as a malformed patch, a body that is no array as a bad request. */
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
export type PatchOperation = z.infer<typeof operation>;

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
      throw malformedPatch(`no such property: ${data.path}`);
    return data;
  });
}

/**
 * Applies a patch to the record as it is served (without its links) and reads the result by `schema`.
 * Scalars may come as text (`"false"`, `"12"`), as existing clients send them.
 */
export function patched<Schema extends z.ZodType>(
  schema: Schema,
  record: object,
  operations: readonly PatchOperation[],
): z.output<Schema> {
  const document: unknown = structuredClone(record);
  const failures = applyPatch(
    document,
    operations.map((entry) => structuredClone(entry)) as Parameters<typeof applyPatch>[1],
  );
  const failed = failures.find((failure) => failure !== null);
  if (failed) throw malformedPatch(failed.message || failed.name);
  const result = schema.safeParse(sameScalars(record, document));
  if (!result.success) {
    const issue = result.error.issues[0];
    throw malformedPatch(`${issue?.path.join("/") ?? ""}: ${issue?.message ?? "wrong value"}`);
  }
  return result.data;
}

/** Turns texts back into the flags and numbers that stood in their places. */
function sameScalars(before: unknown, after: unknown): unknown {
  if (typeof before === "boolean" && (after === "true" || after === "false")) return after === "true";
  if (typeof before === "number" && typeof after === "string" && /^-?\d+$/.test(after)) return Number(after);
  if (typeof before === "string" && typeof after === "number") return String(after);
  if (isRecord(before) && isRecord(after))
    return Object.fromEntries(Object.entries(after).map(([key, value]) => [key, sameScalars(before[key], value)]));
  return after;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
