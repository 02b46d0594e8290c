import { Refusal } from "../errors/refusal.ts";
import type { WorkLimit } from "./messages.ts";

const code = "package.processing.limit";

/** A task took more time or memory than it may. */
export class LimitReached extends Refusal {
  readonly limit: WorkLimit;

  constructor(limit: WorkLimit, most: string) {
    super("error.validation", [code, `${code}: processing takes more than ${most}`]);
    this.limit = limit;
  }
}

/** A task failed in a way that its program does not foresee: with the same bytes it fails again. */
export class TaskDefect extends Error {}
