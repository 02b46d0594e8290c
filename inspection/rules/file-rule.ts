import type { InspectedFile } from "@packhouse/contract/review/inspection";
import type { SignalId } from "@packhouse/contract/review/signals";
import type { Finding } from "../signal.ts";

/** One rule about single files, for packages of both technologies. */
export interface FileRule {
  id: SignalId;
  /** Reports each subject once in a package, where it is found first. */
  once?: true;
  examine(file: ExaminedFile): Iterable<Finding>;
}

/** A file as the rules see it. */
export interface ExaminedFile extends Pick<InspectedFile, "path" | "kind" | "size" | "mode"> {
  modified: number | null;
  /** Its first bytes. */
  head: Uint8Array;
  /** All bytes; null for a file that is too large to be examined. */
  bytes: Uint8Array | null;
  /** Null for what is no text. */
  text: ExaminedText | null;
  /** It is code by its name, and contains bytes that have no place in a text. */
  isDamaged: boolean;
  /** When the inspection takes place. */
  now: number;
}

/** A text with its lines. */
export class ExaminedText {
  readonly text: string;
  /** Where each line starts; found when a rule first asks. */
  #starts: number[] | undefined;
  /** Whether a line only comments, by where it starts: a line may have many places that someone asks about. */
  readonly #comments = new Map<number, boolean>();

  constructor(text: string) {
    this.text = text;
  }

  /** The number of the line of a place, from 1. */
  lineAt(index: number): number {
    const starts = this.#lineStarts();
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= index) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** What a reviewer should see of a place: its line, or the part of a long one around it. */
  found(index: number): { line: number; excerpt: string } {
    const line = this.lineAt(index);
    const start = this.#lineStarts()[line - 1] ?? 0;
    const from = index - start > 120 ? index - 60 : start;
    const shown = this.text.slice(from, from + 300);
    const end = shown.indexOf("\n");
    return { line, excerpt: end === -1 ? shown : shown.slice(0, end) };
  }

  /** The lines, each with where it starts. */
  *lines(): Generator<{ start: number; line: string }> {
    for (let start = 0; start < this.text.length; ) {
      const newline = this.text.indexOf("\n", start);
      const end = newline === -1 ? this.text.length : newline;
      yield { start, line: this.text.slice(start, end) };
      start = end + 1;
    }
  }

  /** Whether a place is in a line that only comments. */
  isInComment(index: number): boolean {
    const start = this.#lineStarts()[this.lineAt(index) - 1] ?? 0;
    const known = this.#comments.get(start) ?? this.#isComment(start);
    this.#comments.set(start, known);
    return known;
  }

  #isComment(start: number): boolean {
    const { text } = this;
    let at = start;
    while (text[at] === " " || text[at] === "\t") at += 1;
    return text[at] === "#" || text[at] === "*" || text.startsWith("//", at) || text.startsWith("/*", at);
  }

  #lineStarts(): number[] {
    if (this.#starts) return this.#starts;
    const starts = [0];
    for (let at = this.text.indexOf("\n"); at !== -1; at = this.text.indexOf("\n", at + 1)) starts.push(at + 1);
    this.#starts = starts;
    return starts;
  }
}
