import type { ByteSource } from "@packhouse/formats/byte-source";

/**
 * What workers can be asked for: a function of its input and its bytes that reaches neither database nor network. Each
 * layer adds its tasks by declaration merging, and `app/worker-tasks.ts` has a function for each.
 */
// biome-ignore lint/suspicious/noEmptyInterface: others add to it
export interface Tasks {}

export type TaskName = keyof Tasks;

/** The entry of a task in the table, from the function that does it. */
export interface TaskOf<Function extends (input: never, context: TaskContext) => unknown> {
  input: Parameters<Function>[0];
  output: Awaited<ReturnType<Function>>;
}

/**
 * Tasks of one lane wait for each other: what a request waits for with a lock in hand is never behind an archive, and
 * reading documents never behind uploads.
 */
export type Lane = "requests" | "archives" | "documents";

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

export function sourceOf({ source }: TaskContext): ByteSource {
  if (!source) throw new Error("this task needs bytes");
  return source;
}
