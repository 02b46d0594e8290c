import type { ByteSource } from "@packhouse/formats/byte-source";

/**
 * Tasks of one lane wait for each other: tasks that a request awaits while holding a lock never queue behind an
 * archive, reading documents never behind uploads, and uploads never behind the inspection of what was uploaded before.
 */
export type Lane = "requests" | "archives" | "documents" | "inspections";

/** A task for a worker. */
export interface Task<Input, Output> {
  readonly name: string;
  readonly lane: Lane;
  /** For the compiler alone. */
  readonly types?: (input: Input) => Output;
}

/** What a task gets in addition to its input. */
export interface TaskContext {
  /** The bytes that were sent with it. */
  source: ByteSource | undefined;
  /** Further files of a task that compares. */
  others: readonly ByteSource[];
  /** Emits a part of a large result, which the server receives as it arrives. */
  emit(bytes: Uint8Array): Promise<void>;
}

type TaskFunction = (input: never, context: TaskContext) => unknown;

/**
 * Declares a task by the type of its function, which reaches neither database nor network. The server imports the
 * declaration only; `app/worker-tasks.ts` joins it to the function, which runs in a worker.
 */
export const task = <Function extends TaskFunction>(
  name: string,
  lane: Lane,
): Task<Parameters<Function>[0], Awaited<ReturnType<Function>>> => ({ name, lane });

/** A task with its function, by name. */
export type Implementation = readonly [name: string, run: (input: unknown, context: TaskContext) => unknown];

export const implemented = <Input, Output>(
  { name }: Task<Input, Output>,
  run: (input: Input, context: TaskContext) => Output | Promise<Output>,
): Implementation => [
  name,
  // Types are lost between processes; the server sends what the declaration requires.
  (input, context) => run(input as Input, context),
];

/** An archive, as its record describes it. */
export interface ArchiveInput {
  fileName: string;
  kind: "source" | "binary";
}

export function sourceOf({ source }: TaskContext): ByteSource {
  if (!source) throw new Error("this task needs bytes");
  return source;
}
