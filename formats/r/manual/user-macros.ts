/** A macro that expands to other Rd text. */
interface UserMacro {
  /** The text between arguments, and which argument goes into each gap. */
  texts: readonly string[];
  places: readonly number[];
  argumentCount: number;
  /** A transformation of arguments before they are inserted. */
  prepare: (argument: string) => string;
}

/** Limits the expansion of user macros: a dozen, each doubling the previous one, would exhaust any memory. */
export interface ExpansionBudget {
  left: number;
}

/** Proportional to the input, so that a manual of any size may use its macros. */
export const expansionBudget = (writtenLength: number): ExpansionBudget => ({ left: 250_000 + 2 * writtenLength });

/** Charged per use in addition to its text, since a macro that only expands to itself never ends either. */
const costOfUse = 16;

const asWritten = (argument: string): string => argument;

/** Macros by name: its own, and those of `outer`, which stays unchanged. */
export class UserMacros {
  readonly #own = new Map<string, UserMacro>();
  readonly #outer: UserMacros | undefined;

  constructor(outer?: UserMacros) {
    this.#outer = outer;
  }

  define(name: string, definition: string, prepare = asWritten): void {
    const places = [...definition.matchAll(/#([1-9])/g)].map((match) => Number(match[1]));
    const argumentCount = places.reduce((most, place) => Math.max(most, place), 0);
    this.#own.set(name, { texts: definition.split(/#[1-9]/), places, argumentCount, prepare });
  }

  /** A macro that ignores its one argument. */
  defineConstant(name: string, text: string): void {
    this.#own.set(name, { texts: [text], places: [], argumentCount: 1, prepare: asWritten });
  }

  /** How many arguments a macro has; undefined for unknown macros. */
  argumentCount(name: string): number | undefined {
    return this.#find(name)?.argumentCount;
  }

  /** The expansion of a macro; undefined once the budget is spent. */
  expand(name: string, args: readonly string[], budget: ExpansionBudget): string | undefined {
    const macro = this.#find(name);
    if (!macro || budget.left < 0) return undefined;
    const prepared = args.map(macro.prepare);
    const argument = (index: number) => prepared[(macro.places[index] ?? 0) - 1] ?? "";
    budget.left -= macro.texts.reduce((sum, text, index) => sum + text.length + argument(index).length, costOfUse);
    if (budget.left < 0) return undefined;
    return macro.texts.map((text, index) => text + argument(index)).join("");
  }

  #find(name: string): UserMacro | undefined {
    return this.#own.get(name) ?? (this.#outer ? this.#outer.#find(name) : undefined);
  }
}
