import type { TechnologyInspector } from "../technology-inspector.ts";

/** What a file of code shows on its own: it depends on its path and its bytes alone. */
export interface ReadCode<Facts> {
  /** Undefined for code that cannot be examined. */
  found: { facts: Facts } | undefined;
  /** Where it stops being its language; null if all of it is. */
  errorLine: number | null;
}

/** As much code as the largest package may have, and what changed in its next version. */
const mostCharacters = 8 * 1024 * 1024;

/**
 * The code that this process read last. Most files of a version are those of the version before, and the wheels of a
 * release share theirs: they are not parsed again.
 */
export class KnownCode<Facts> {
  readonly #entries = new Map<string, { read: ReadCode<Facts>; characters: number }>();
  readonly #mostCharacters: number;
  #characters = 0;

  constructor(most = mostCharacters) {
    this.#mostCharacters = most;
  }

  get(path: string, sha256: string): ReadCode<Facts> | undefined {
    const key = keyOf(path, sha256);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // The first one is the one that was not asked for longest.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.read;
  }

  /** Facts may keep the text alive that they were read from: its length counts. */
  add(path: string, sha256: string, read: ReadCode<Facts>, characters: number): void {
    const key = keyOf(path, sha256);
    this.#remove(key);
    this.#entries.set(key, { read, characters });
    this.#characters += characters;
    for (const oldest of this.#entries.keys()) {
      if (this.#characters <= this.#mostCharacters) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#characters -= this.#entries.get(key)?.characters ?? 0;
    this.#entries.delete(key);
  }
}

const keyOf = (path: string, sha256: string): string => `${sha256} ${path}`;

const known = new WeakMap<object, KnownCode<unknown>>();

/** What an inspector has read in this process. */
export function knownCodeOf<Facts>(inspector: TechnologyInspector<Facts>): KnownCode<Facts> {
  const its = known.get(inspector) ?? new KnownCode<Facts>();
  known.set(inspector, its);
  return its as KnownCode<Facts>; // by an inspector of these facts
}
