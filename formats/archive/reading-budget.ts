import type { ReadLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";

/** All names together, which readers keep to the end; a hundred thousand names of normal length fit. */
const mostNameLength = 16 * 1024 * 1024;

/** Counts what an archive costs its reader; exceeding a limit ends the reading. */
export class ReadingBudget {
  readonly #limits: ReadLimits;
  readonly #end: number;
  #members = 0;
  #nameLength = 0;

  constructor(limits: ReadLimits) {
    this.#limits = limits;
    this.#end = performance.now() + limits.maxMilliseconds;
  }

  /** Counts one more member, with all of its names. */
  spend(segments: readonly string[], nameLength: number): void {
    const { maxMembers, maxDepth } = this.#limits;
    this.#members += 1;
    this.#nameLength += nameLength;
    if (this.#members > maxMembers) throw tooMuch(`there are more than ${maxMembers} files`);
    if (this.#nameLength > mostNameLength) throw tooMuch("names that are too long");
    if (segments.length > maxDepth) throw tooMuch("folders are nested too deeply");
    this.checkTime();
  }

  checkTime(): void {
    if (performance.now() > this.#end) throw tooMuch("reading it takes too long");
  }
}

const tooMuch = (why: string) => new UnacceptablePackage(["archive.too.large"], why);
