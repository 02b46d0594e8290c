/** A macro that has other Rd text in its place. */
interface UserMacro {
  /** The texts between the places of arguments, and which argument stands in each of them. */
  texts: readonly string[];
  places: readonly number[];
  argumentCount: number;
  /** What an argument becomes before it is put in. */
  prepare: (argument: string) => string;
}

/** How much may come of user macros: a dozen of them, each doubling the one before, would fill any memory. */
export interface ExpansionBudget {
  left: number;
}

/** In proportion to what was written, so that a manual of any size may use its macros. */
export const expansionBudget = (writtenLength: number): ExpansionBudget => ({ left: 250_000 + 2 * writtenLength });

/** Counted for each use besides its text, since a macro that stands for nothing but itself never ends either. */
const costOfUse = 16;

const asWritten = (argument: string): string => argument;

/** Macros by name: its own, and those of `outer`, which learns nothing of them. */
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

  /** A macro with one argument that makes no difference. */
  defineConstant(name: string, text: string): void {
    this.#own.set(name, { texts: [text], places: [], argumentCount: 1, prepare: asWritten });
  }

  /** How many arguments a macro takes; undefined for one that nobody defined. */
  argumentCount(name: string): number | undefined {
    return this.#find(name)?.argumentCount;
  }

  /** What a macro stands for; undefined when the budget is spent. */
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
