import type { Signal } from "@packhouse/contract/review/inspection";
import type { SignalId, SignalLevel } from "@packhouse/contract/review/signals";
import { signalOf } from "../../signal.ts";

/** What a line of a script or recipe does. */
export interface Found {
  id?: SignalId;
  level: SignalLevel;
  subject: string;
  excerpt: string | null;
}

const mostSignals = 100;

/** What was found in the lines of a file; of each kind, so many. */
export class LineFindings {
  readonly signals: Signal[] = [];
  readonly #path: string;
  readonly #id: SignalId;

  constructor(path: string, id: SignalId) {
    this.#path = path;
    this.#id = id;
  }

  add(index: number, { id = this.#id, level, subject, excerpt }: Found): void {
    const isWarning = level === "warning" || level === "danger";
    if (this.#counts[isWarning ? "warnings" : "others"]++ >= mostSignals) {
      if (isWarning) this.leaveOut();
      return;
    }
    this.signals.push(signalOf(id, { level, subject, file: this.#path, line: index + 1, excerpt }));
  }

  readonly #counts = { warnings: 0, others: 0 };
  #isCut = false;

  /** A part of the file was not read. */
  leaveOut(): void {
    if (!this.#isCut) this.signals.push(signalOf("incomplete", { subject: "size", file: this.#path, line: 1 }));
    this.#isCut = true;
  }
}
