import type { Inspection } from "@packhouse/contract/review/inspection";
import { type InspectionLimits, mostPathsNamed } from "../limits.ts";

type Reason = Inspection["incomplete"][number]["reason"];

/** What an inspection has used of its limits, and what it therefore did not examine. */
export class Progress {
  readonly limits: InspectionLimits;
  readonly #end: number;
  readonly #signal: AbortSignal | undefined;
  readonly #unexamined = new Map<Reason, string[]>();

  constructor(limits: InspectionLimits, signal?: AbortSignal) {
    this.limits = limits;
    this.#signal = signal;
    this.#end = performance.now() + limits.milliseconds;
  }

  get isOver(): boolean {
    return performance.now() > this.#end || this.#signal?.aborted === true;
  }

  leaveOut(reason: Reason, path?: string): void {
    const paths = this.#unexamined.get(reason) ?? [];
    this.#unexamined.set(reason, paths);
    if (path !== undefined && paths.length < mostPathsNamed && !paths.includes(path)) paths.push(path.toWellFormed());
  }

  get incomplete(): Inspection["incomplete"] {
    return [...this.#unexamined].map(([reason, paths]) => ({ reason, paths }));
  }
}
