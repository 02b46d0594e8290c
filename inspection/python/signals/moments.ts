import { argumentsOf } from "../syntax/calls.ts";
import { isMainGuard, isTypeCheckingGuard } from "../syntax/guards.ts";
import type { Names } from "../syntax/names.ts";
import type { Place, Syntax } from "../syntax/syntax.ts";

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
  /** `__main__.py` runs with `python -m` alone. */
  readonly #isProgram: boolean;

  constructor(path: string, syntax: Syntax, names: Names) {
    this.#syntax = syntax;
    this.#isProgram = path.endsWith("__main__.py");
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
    } else if (parentKind === "lambda" && field === "body" && moment === onImport) moment = onCall;
    else if (parentKind === "if_statement" && field === "consequence" && moment === onImport) {
      if (isMainGuard(syntax, parent)) moment = asProgram;
      else if (isTypeCheckingGuard(syntax, names, parent)) moment = never;
    }
    this.#moment[place] = moment;
    this.#function[place] = inside;
  }

  #followCalls(syntax: Syntax, names: Names): void {
    const calledBy = new Map<Place, Place[]>();
    const waiting: Place[] = [];
    for (let place = 0; place < syntax.count; place++) {
      const kind = syntax.kind(place);
      if (kind !== "call" && kind !== "decorator") continue;
      const moment = this.#moment[place];
      if (moment !== onImport && moment !== onCall) continue;
      const called = kind === "call" ? functionsCalled(syntax, names, place) : decorating(syntax, names, place);
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
      names.add(this.#calledName(next));
      waiting.push(this.functionOf(next), ...(this.#callers.get(next) ?? []));
    }
    return [...names];
  }

  /** The function's own name, or that of the class whose instances it prepares. */
  #calledName(place: Place): string {
    const syntax = this.#syntax;
    const nameOf = (definition: Place) => {
      const name = syntax.child(definition, "name");
      return name === undefined ? "" : syntax.text(name);
    };
    const name = nameOf(place);
    if (name !== "__init__") return name;
    let owner = syntax.parent(place);
    while (owner !== 0 && syntax.kind(owner) !== "class_definition") owner = syntax.parent(owner);
    return owner === 0 ? name : nameOf(owner);
  }
}

/** Functions that call those given to them; others, as decorators, wrap them. */
const callers = new Set([
  ..."Thread Timer Process start_new_thread submit map apply apply_async run run_until_complete create_task".split(" "),
  ..."call_soon register starmap".split(" "),
]);

/** Functions of the file that a call runs: the one called, a class's constructor, `Thread(target=f)`. */
function functionsCalled(syntax: Syntax, names: Names, call: Place): Place[] {
  const callee = syntax.child(call, "function");
  if (callee === undefined) return [];
  const found: Place[] = [];
  if (syntax.kind(callee) === "identifier") found.push(...definedAs(syntax, names, syntax.text(callee)));
  else if (syntax.kind(callee) === "attribute") {
    const method = syntax.child(callee, "attribute");
    const object = syntax.child(callee, "object");
    if (method !== undefined && object !== undefined)
      for (const owner of classesOf(syntax, names, object))
        found.push(...methodsNamed(syntax, owner, syntax.text(method)));
  }
  const calls = syntax.kind(callee) === "attribute" ? syntax.child(callee, "attribute") : callee;
  if (calls === undefined || !callers.has(syntax.text(calls))) return found;
  for (const argument of argumentsOf(syntax, call).all.slice(0, 20))
    if (syntax.kind(argument) === "identifier") found.push(...(names.functions.get(syntax.text(argument)) ?? []));
  return found;
}

/** `@register` calls a function with what it decorates. */
const decorating = (syntax: Syntax, names: Names, decorator: Place): Place[] =>
  syntax.kind(decorator + 1) === "identifier" ? [...(names.functions.get(syntax.text(decorator + 1)) ?? [])] : [];

function definedAs(syntax: Syntax, names: Names, name: string): Place[] {
  const constructors = (names.classes.get(name) ?? []).flatMap((owner) => methodsNamed(syntax, owner, "__init__"));
  return [...(names.functions.get(name) ?? []), ...constructors];
}

/** The classes of the file that `Sender()` or a variable with one is an instance of. */
function classesOf(syntax: Syntax, names: Names, object: Place): Place[] {
  const instances = syntax.kind(object) === "identifier" ? [object, ...names.valuesOf(syntax.text(object))] : [object];
  return instances.flatMap((instance) => {
    const callee = syntax.kind(instance) === "call" ? syntax.child(instance, "function") : instance;
    return callee !== undefined && syntax.kind(callee) === "identifier"
      ? (names.classes.get(syntax.text(callee)) ?? [])
      : [];
  });
}

function methodsNamed(syntax: Syntax, owner: Place, name: string): Place[] {
  const body = syntax.child(owner, "body");
  if (body === undefined) return [];
  const found: Place[] = [];
  for (const statement of syntax.children(body)) {
    const place = syntax.kind(statement) === "decorated_definition" ? syntax.child(statement, "definition") : statement;
    const called = place === undefined ? undefined : syntax.child(place, "name");
    if (place !== undefined && called !== undefined && syntax.text(called) === name) found.push(place);
  }
  return found;
}
