import { isMainGuard, isTypeCheckingGuard } from "../syntax/guards.ts";
import type { Names } from "../syntax/names.ts";
import type { Place, Syntax } from "../syntax/syntax.ts";
import { isDeferring, isLater, Runs, running, runsWithInstance } from "./runs.ts";

const onImport = 0;
const onCall = 1;
const asProgram = 2;
const never = 3;

/** Of the functions that lead to one place. */
const mostLeading = 20;

export type Moment = "import" | "call" | "program" | "never";
const moments: readonly Moment[] = ["import", "call", "program", "never"];

/**
 * When each part of a file runs. A function that the module itself calls, directly or through another function of the
 * file, runs on import too.
 */
export class Moments {
  readonly #moment: Uint8Array;
  /** The function that a place is in; 0 in none. */
  readonly #function: Uint32Array;
  readonly #importedFunctions = new Set<Place>();
  /** Functions of the file by those that they call. */
  readonly #callers = new Map<Place, Set<Place>>();
  readonly #syntax: Syntax;
  /** `__main__.py` runs with `python -m` alone, a command when it is called. */
  readonly #isProgram: boolean;

  constructor(path: string, syntax: Syntax, names: Names) {
    this.#syntax = syntax;
    this.#isProgram = path.endsWith("__main__.py") || path.includes(".data/scripts/");
    this.#moment = new Uint8Array(syntax.count);
    this.#function = new Uint32Array(syntax.count);
    for (let place = 1; place < syntax.count; place++) this.#enter(syntax, names, place);
    this.#followCalls(syntax, names);
  }

  #enter(syntax: Syntax, names: Names, place: Place): void {
    const parent = syntax.parent(place);
    let moment = this.#moment[parent] ?? onImport;
    let inside = this.#function[parent] ?? 0;
    const parentKind = syntax.kind(parent);
    const field = syntax.field(place);
    if (parentKind === "function_definition" && field === "body") {
      inside = parent;
      if (moment === onImport) moment = onCall;
    } else if (parentKind === "lambda" && field === "body" && moment === onImport) {
      if (!isRun(syntax, parent)) moment = onCall;
    } else if (parentKind === "if_statement" && field === "consequence" && moment === onImport) {
      if (isMainGuard(syntax, parent)) moment = asProgram;
      else if (isTypeCheckingGuard(syntax, names, parent)) moment = never;
    }
    this.#moment[place] = moment;
    this.#function[place] = inside;
  }

  #followCalls(syntax: Syntax, names: Names): void {
    const runs = new Runs(syntax, names);
    const calledBy = new Map<Place, Place[]>();
    const waiting: Place[] = [];
    for (let place = 0; place < syntax.count; place++) {
      const kind = syntax.kind(place);
      if (!running.has(kind)) continue;
      const moment = this.#moment[place];
      if (moment !== onImport && moment !== onCall) continue;
      const called = runs.by(place, kind);
      if (called.length === 0) continue;
      const inside = this.#function[place] ?? 0;
      if (moment === onImport) waiting.push(...called);
      else calledBy.set(inside, [...(calledBy.get(inside) ?? []).slice(0, 500), ...called]);
    }
    for (const [caller, called] of calledBy)
      for (const place of called) this.#callers.set(place, (this.#callers.get(place) ?? new Set()).add(caller));
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (this.#importedFunctions.has(next)) continue;
      this.#importedFunctions.add(next);
      waiting.push(...(calledBy.get(next) ?? []));
    }
  }

  at(place: Place): Moment {
    const moment = this.#moment[place] ?? onImport;
    const isCalled = moment === onCall && this.#importedFunctions.has(this.#function[place] ?? 0);
    const when = isCalled ? "import" : (moments[moment] ?? "call");
    return when === "import" && this.#isProgram ? "program" : when;
  }

  /** The function that a place is in; 0 in none. */
  functionOf(place: Place): Place {
    return this.#function[place] ?? 0;
  }

  /** The functions and classes of the file whose call leads to a place. */
  leadingTo(place: Place): string[] {
    const waiting = [this.functionOf(place)];
    const seen = new Set<Place>([0]);
    const names = new Set<string>();
    for (let next = waiting.pop(); next !== undefined && names.size < mostLeading; next = waiting.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      for (const name of this.#calledNames(next)) names.add(name);
      waiting.push(this.functionOf(next), ...(this.#callers.get(next) ?? []));
    }
    return [...names];
  }

  /** The function's own name, that of the class whose instances it prepares, and its name as a part of its class. */
  #calledNames(place: Place): string[] {
    const syntax = this.#syntax;
    const nameOf = (definition: Place) => {
      const name = syntax.child(definition, "name");
      return name === undefined ? "" : syntax.text(name);
    };
    const name = nameOf(place);
    let owner = syntax.parent(place);
    while (owner !== 0 && !scopes.has(syntax.kind(owner))) owner = syntax.parent(owner);
    if (syntax.kind(owner) !== "class_definition") return [name];
    const whole = `${nameOf(owner)}.${name}`;
    return runsWithInstance(name) ? [nameOf(owner), whole] : [name, whole];
  }
}

const scopes = new Set(["class_definition", "function_definition"]);

/** Whether a lambda is called at once, or given to something that may call it. */
function isRun(syntax: Syntax, lambda: Place): boolean {
  let at = lambda;
  for (let step = 0; step < 10 && at !== 0; step++) {
    const parent = syntax.parent(at);
    const kind = syntax.kind(parent);
    if (kind === "call") return !isDeferring(syntax, parent);
    if (kind === "decorator") return true;
    if (kind === "keyword_argument" && isLater(syntax, parent)) return false;
    if (!passing.has(kind)) return false;
    at = parent;
  }
  return false;
}

const passing = new Set([
  ..."argument_list keyword_argument parenthesized_expression list tuple set dictionary pair subscript".split(" "),
  ..."list_splat conditional_expression attribute".split(" "),
]);
