import type { Inspection } from "@packhouse/contract/review/inspection";
import { type InspectionLimits, mostPathsNamed } from "../limits.ts";

type Reason = Inspection["incomplete"][number]["reason"];

/** What ends an inspection early, in addition to its limits. */
export interface Ends {
  /** Ends it as incomplete. */
  signal?: AbortSignal | undefined;
  /** Whether the process has taken as much memory as it may; then no more code is parsed. */
  isMemoryFull?: (() => boolean) | undefined;
}

/** The system knows how much memory a process has, but it takes time to answer. */
const charactersBetweenLooks = 32_000;

/** What an inspection has used of its limits, and what it therefore did not examine. */
export class Progress {
  readonly limits: InspectionLimits;
  readonly #end: number;
  readonly #signal: AbortSignal | undefined;
  readonly #isMemoryFull: () => boolean;
  /** Of code that was read since the memory was looked at. */
  #characters = 0;
  #isFull = false;
  readonly #unexamined = new Map<Reason, string[]>();

  constructor(limits: InspectionLimits, { signal, isMemoryFull = () => false }: Ends = {}) {
    this.limits = limits;
    this.#signal = signal;
    this.#isMemoryFull = isMemoryFull;
    this.#end = performance.now() + limits.milliseconds;
  }

  get isOver(): boolean {
    return performance.now() > this.#end || this.#signal?.aborted === true;
  }

  /** Whether there is memory for another file of code. */
  hasRoomFor({ length }: string): boolean {
    this.#characters += length;
    if (this.#characters > charactersBetweenLooks) {
      this.#characters = 0;
      this.#isFull = this.#isMemoryFull();
    }
    return !this.#isFull;
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
