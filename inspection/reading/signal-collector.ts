import type { Signal } from "@packhouse/contract/review/inspection";
import { type ExaminedFile, ExaminedText } from "../rules/file-rule.ts";
import { fileRules } from "../rules/file-rules.ts";
import { signalOf } from "../signal.ts";
import type { Progress } from "./progress.ts";

/** Findings of one rule in one file; more of them show nothing new. */
const mostInFile = 20;

/** The signals of an archive, at most as many as the limits allow. */
export class SignalCollector {
  readonly #progress: Progress;
  readonly #now: number;
  readonly #signals: Signal[] = [];
  readonly #reported = new Set<string>();

  constructor(progress: Progress, now: number) {
    this.#progress = progress;
    this.#now = now;
  }

  /** Applies the rules that both technologies share. */
  examine(file: Omit<ExaminedFile, "text" | "now">, text: string | null): void {
    const examined = { ...file, text: text === null ? null : new ExaminedText(text), now: this.#now };
    for (const rule of fileRules) {
      if (this.#progress.isOver) {
        this.#progress.leaveOut("time", file.path);
        return;
      }
      let count = 0;
      for (const finding of rule.examine(examined)) {
        const signal = signalOf(rule.id, finding);
        if (rule.once && !this.#isFirst(signal)) continue;
        this.add([signal]);
        count += 1;
        if (count === mostInFile) break;
      }
    }
  }

  unparsed(path: string, text: string, line: number): void {
    const excerpt = text.split("\n", line)[line - 1] ?? "";
    this.add([signalOf("unparsed", { file: path, line, excerpt })]);
  }

  add(signals: readonly Signal[] | undefined): void {
    for (const signal of signals ?? []) {
      if (this.#signals.length < this.#progress.limits.signals) this.#signals.push(signal);
      else this.#progress.leaveOut("signals", signal.file ?? undefined);
    }
  }

  get signals(): Signal[] {
    return this.#signals;
  }

  #isFirst({ id, subject }: Signal): boolean {
    const key = `${id} ${subject}`;
    if (this.#reported.has(key)) return false;
    this.#reported.add(key);
    return true;
  }
}
