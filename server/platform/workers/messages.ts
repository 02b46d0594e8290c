import { type FormatCode, UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import { UpstreamFailure } from "../errors/upstream-failure.ts";

/** Which of a worker's limits a task exceeded. */
export type WorkLimit = "time" | "memory";

/** Messages to a worker process. */
export type ToWorker =
  | { type: "run"; name: string; input: unknown; sources: SourceOfTask[] }
  | { type: "bytes"; bytes: Uint8Array }
  | { type: "bytes-failed" };

/** Messages from a worker process. `ready` is sent once, when its code is loaded. */
export type FromWorker =
  | { type: "ready" }
  | { type: "read"; source: number; offset: number; length: number }
  | { type: "piece"; bytes: Uint8Array }
  | { type: "done"; output: unknown }
  | { type: "failed"; failure: TaskFailure };

/** A file that the worker opens itself, or all of its bytes, or the size of one whose bytes it requests. */
export type SourceOfTask = { path: string; size: number } | { bytes: Uint8Array } | { size: number };

/** What a task may throw, in serializable form. */
export type TaskFailure =
  | { kind: "unacceptable"; codes: readonly FormatCode[]; detail: string | undefined; of: UnacceptablePackage["kind"] }
  | { kind: "upstream"; message: string }
  | { kind: "limit"; limit: WorkLimit }
  | { kind: "defect"; message: string; stack: string | undefined };

export function failureOf(error: unknown): TaskFailure {
  if (error instanceof UnacceptablePackage)
    return { kind: "unacceptable", codes: error.codes, detail: error.detail, of: error.kind };
  if (error instanceof UpstreamFailure) return { kind: "upstream", message: error.message };
  // Engine limits: the stack, a string or an array would be too large.
  if (
    error instanceof RangeError &&
    /call stack|allocation|Invalid (string|array|typed array) length/i.test(error.message)
  )
    return { kind: "limit", limit: "memory" };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: "defect", message, stack };
}
