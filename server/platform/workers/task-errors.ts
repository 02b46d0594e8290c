import { Refusal } from "../errors/refusal.ts";
import type { WorkLimit } from "./messages.ts";

const code = "package.processing.limit";

/** A task took more time or memory than it may. */
export class LimitReached extends Refusal {
  readonly limit: WorkLimit;
  /** The system ended the worker, as it does when the whole machine runs out of memory. */
  readonly isGuess: boolean;

  constructor(limit: WorkLimit, most: string, isGuess = false) {
    super("error.validation", [code, `${code}: processing takes more than ${most}`]);
    this.limit = limit;
    this.isGuess = isGuess;
  }
}

/** A task failed in a way that its program does not foresee: with the same bytes it fails again. */
export class TaskDefect extends Error {}

/** The process that ran a task ended on its own. */
export class WorkerEnded extends TaskDefect {}

/** Whether a worker was lost without showing that its task is to blame: with the same bytes it may succeed. */
export const isLoss = (error: unknown): boolean =>
  error instanceof WorkerEnded || (error instanceof LimitReached && error.isGuess);
