/**
 * Finds what an `exportPattern` of NAMESPACE selects, without the regular expressions of JavaScript: a package's own
 * pattern must not cost more than its length times that of the names. Understands extended regular expressions
 * (POSIX, and `\w`, `\d`, `\s`); undefined for anything else.
 */

type Test = (character: string) => boolean;

type Step =
  | { kind: "one"; test: Test; next: number }
  | { kind: "both"; next: number; other: number }
  | { kind: "start" | "end"; next: number }
  | { kind: "found" };

const longestPattern = 500;
const mostSteps = 5000;

class NotUnderstood extends Error {}

export function exportPattern(pattern: string): ((name: string) => boolean) | undefined {
  if (pattern.length > longestPattern) return undefined;
  try {
    const machine = new Machine(pattern);
    return (name) => machine.finds(name);
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

/** A part of the pattern: given the step that follows, adds its own steps and returns the first. */
type Part = (next: number) => number;

class Machine {
  readonly #steps: Step[] = [];
  readonly #first: number;
  readonly #pattern: string;
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
    const part = this.#alternatives();
    if (this.#at < pattern.length) throw new NotUnderstood();
    this.#first = part(this.#add({ kind: "found" }));
  }

  /** Follows all ways through the pattern at once. */
  finds(name: string): boolean {
    let current = new Set<number>();
    for (let place = 0; place <= name.length; place++) {
      current.add(this.#first);
      const reached = this.#reach(current, place, name.length);
      if (reached === "found") return true;
      const next = new Set<number>();
      const character = name[place];
      if (character !== undefined)
        for (const index of reached) {
          const step = this.#steps[index];
          if (step?.kind === "one" && step.test(character)) next.add(step.next);
        }
      current = next;
    }
    return false;
  }

  #reach(from: ReadonlySet<number>, place: number, length: number): Set<number> | "found" {
    const reached = new Set(from);
    for (const index of reached) {
      const step = this.#steps[index];
      if (step?.kind === "found") return "found";
      if (step?.kind === "both") reached.add(step.next).add(step.other);
      if ((step?.kind === "start" && place === 0) || (step?.kind === "end" && place === length)) reached.add(step.next);
    }
    return reached;
  }

  #add(step: Step): number {
    if (this.#steps.length >= mostSteps) throw new NotUnderstood();
    return this.#steps.push(step) - 1;
  }

  #alternatives(): Part {
    const parts = [this.#sequence()];
    while (this.#take("|")) parts.push(this.#sequence());
    return (next) =>
      parts.map((part) => part(next)).reduce((one, other) => this.#add({ kind: "both", next: one, other }));
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#pattern.length && !"|)".includes(this.#pattern[this.#at] ?? ""))
      parts.push(this.#repeated());
    return (next) => parts.reduceRight((after, part) => part(after), next);
  }

  #repeated(): Part {
    let part = this.#single();
    for (;;) {
      if (this.#take("*")) part = this.#times(part, 0, Number.POSITIVE_INFINITY);
      else if (this.#take("+")) part = this.#times(part, 1, Number.POSITIVE_INFINITY);
      else if (this.#take("?")) part = this.#times(part, 0, 1);
      else if (this.#pattern[this.#at] === "{") part = this.#counted(part);
      else return part;
    }
  }

  #counted(part: Part): Part {
    const end = this.#pattern.indexOf("}", this.#at);
    const [from = "", to] = this.#pattern.slice(this.#at + 1, end).split(",");
    const least = Number(from);
    const most = to === undefined ? least : to === "" ? Number.POSITIVE_INFINITY : Number(to);
    const isCount = (value: number) => Number.isInteger(value) && value >= 0 && value <= 50;
    if (end === -1 || from === "" || !isCount(least) || (most !== Number.POSITIVE_INFINITY && !isCount(most)))
      throw new NotUnderstood();
    this.#at = end + 1;
    return this.#times(part, least, most);
  }

  #times(part: Part, least: number, most: number): Part {
    return (next) => {
      let first = next;
      if (most === Number.POSITIVE_INFINITY) {
        const loop = this.#add({ kind: "both", next, other: next });
        const step = this.#steps[loop];
        const body = part(loop);
        if (step?.kind === "both") step.other = body;
        first = loop;
      } else
        for (let count = least; count < most; count++) first = this.#add({ kind: "both", next, other: part(first) });
      for (let count = 0; count < least; count++) first = part(first);
      return first;
    };
  }

  #single(): Part {
    const character = this.#pattern[this.#at];
    this.#at += 1;
    switch (character) {
      case "^":
        return (next) => this.#add({ kind: "start", next });
      case "$":
        return (next) => this.#add({ kind: "end", next });
      case "(":
        return this.#group();
      case "[":
        return this.#one(this.#class());
      case ".":
        return this.#one(() => true);
      case "\\":
        return this.#one(this.#escape());
      case "*":
      case "+":
      case "?":
      case "{":
      case undefined:
        throw new NotUnderstood();
      default:
        return this.#one((one) => one === character);
    }
  }

  #one(test: Test): Part {
    return (next) => this.#add({ kind: "one", test, next });
  }

  #group(): Part {
    this.#depth += 1;
    if (this.#depth > 50 || this.#pattern[this.#at] === "?") throw new NotUnderstood();
    const part = this.#alternatives();
    if (!this.#take(")")) throw new NotUnderstood();
    this.#depth -= 1;
    return part;
  }

  #escape(): Test {
    const character = this.#pattern[this.#at] ?? "";
    this.#at += 1;
    const known = escapes[character];
    if (known) return known;
    if (character === "" || /[A-Za-z0-9<>]/.test(character)) throw new NotUnderstood();
    return (one) => one === character;
  }

  /** After `[`. A `\` is an escape, as R reads it. */
  #class(): Test {
    const negated = this.#take("^");
    const tests: Test[] = [];
    for (let isFirst = true; isFirst || this.#pattern[this.#at] !== "]"; isFirst = false) tests.push(this.#classItem());
    this.#at += 1;
    return (one) => tests.some((test) => test(one)) !== negated;
  }

  #classItem(): Test {
    const from = this.#pattern[this.#at];
    if (from === undefined) throw new NotUnderstood();
    if (from === "[" && this.#pattern[this.#at + 1] === ":") {
      const end = this.#pattern.indexOf(":]", this.#at);
      const named = namedClasses[this.#pattern.slice(this.#at + 2, Math.max(end, 0))];
      if (!named) throw new NotUnderstood();
      this.#at = end + 2;
      return named;
    }
    this.#at += 1;
    if (from === "\\") return this.#escape();
    const to = this.#pattern[this.#at + 1];
    if (this.#pattern[this.#at] !== "-" || to === undefined || to === "]") return (one) => one === from;
    this.#at += 2;
    return (one) => one >= from && one <= to;
  }

  #take(character: string): boolean {
    if (this.#pattern[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }
}

const namedClasses: Readonly<Record<string, Test>> = {
  alpha: (one) => /\p{L}/u.test(one),
  alnum: (one) => /[\p{L}\p{N}]/u.test(one),
  digit: (one) => /[0-9]/.test(one),
  xdigit: (one) => /[0-9A-Fa-f]/.test(one),
  lower: (one) => /\p{Ll}/u.test(one),
  upper: (one) => /\p{Lu}/u.test(one),
  punct: (one) => /[!-/:-@[-`{-~]/.test(one),
  space: (one) => /\s/.test(one),
  blank: (one) => one === " " || one === "\t",
};

const isWord: Test = (one) => /[\p{L}\p{N}_]/u.test(one);
const isDigit: Test = (one) => /[0-9]/.test(one);
const isSpace: Test = (one) => /\s/.test(one);

const escapes: Readonly<Record<string, Test>> = {
  w: isWord,
  W: (one) => !isWord(one),
  d: isDigit,
  D: (one) => !isDigit(one),
  s: isSpace,
  S: (one) => !isSpace(one),
};
