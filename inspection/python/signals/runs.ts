import { argumentsOf } from "../syntax/calls.ts";
import type { Names } from "../syntax/names.ts";
import type { Place, Syntax } from "../syntax/syntax.ts";

/** What may run a function of the file. */
export const running = new Set(["call", "decorator", "class_definition", "with_item", "attribute", "for_statement"]);

/** Functions that keep what is given to them for later; decorators, too, wrap what they are given. */
const deferring = new Set([
  ..."property staticmethod classmethod cached_property partial partialmethod wraps lru_cache cache field Field".split(
    " ",
  ),
  ..."Factory attrib ib option argument add_argument set_defaults singledispatch defaultdict TypeVar NewType".split(
    " ",
  ),
]);
const laterArguments = new Set(["default_factory", "factory", "default", "callback", "converter", "validator"]);

/** Of all calls of a file: those within each other look at the same places. */
const mostLooked = 3_000_000;
const mostParts = 500;

/** Whether a call only keeps what is given to it. */
export function isDeferring(syntax: Syntax, call: Place): boolean {
  const callee = syntax.child(call, "function");
  if (callee === undefined) return false;
  const name = syntax.kind(callee) === "attribute" ? syntax.child(callee, "attribute") : callee;
  return name !== undefined && syntax.length(name) < 30 && deferring.has(syntax.text(name));
}

export function isLater(syntax: Syntax, argument: Place): boolean {
  const name = syntax.child(argument, "name");
  return name !== undefined && laterArguments.has(syntax.text(name));
}

/** Methods that only a call or a `with` of an instance runs. */
const onUse = new Set(["__call__", "__enter__", "__exit__", "__aenter__", "__aexit__"]);
/** Methods that creating an instance runs, or that nothing calls by their names. */
export const runsWithInstance = (method: string): boolean =>
  method.startsWith("__") && method.endsWith("__") && !onUse.has(method) && method !== "__init_subclass__";

/** Functions of a file that its calls, decorators, classes and `with` run. */
export class Runs {
  readonly #syntax: Syntax;
  readonly #names: Names;
  #left = mostLooked;

  constructor(syntax: Syntax, names: Names) {
    this.#syntax = syntax;
    this.#names = names;
  }

  by(place: Place, kind: string): Place[] {
    if (kind === "call") return this.#byCall(place);
    if (kind === "decorator") return this.#byDecorator(place);
    if (kind === "class_definition") return this.#byClass(place);
    if (kind === "with_item" || kind === "for_statement") return this.#byUse(place, kind);
    return this.#byAttribute(place);
  }

  #byCall(call: Place): Place[] {
    const syntax = this.#syntax;
    const callee = syntax.child(call, "function");
    if (callee === undefined) return [];
    const found: Place[] = [];
    const kind = syntax.kind(callee);
    if (kind === "identifier") found.push(...this.#named(syntax.text(callee)), ...this.#held(syntax.text(callee)));
    else if (kind === "attribute") found.push(...this.#methods(callee), ...this.#heldAs(callee));
    else found.push(...this.#mentionedIn(callee));
    for (const owner of this.#classesOf(callee)) found.push(...this.#methodsOf(owner, (name) => name === "__call__"));
    // What a function returns is called: `make(1)(f)`.
    if (kind === "call") found.push(...this.#innerOf(callee));
    if (isDeferring(syntax, call) || this.#isWrapping(call)) return found;
    for (const argument of argumentsOf(syntax, call).all.slice(0, 100))
      if (syntax.kind(syntax.parent(argument)) !== "keyword_argument" || !isLater(syntax, syntax.parent(argument)))
        found.push(...this.#mentionedIn(argument));
    return found;
  }

  /** `f = cached(f)` wraps a function as a decorator does. */
  #isWrapping(call: Place): boolean {
    const syntax = this.#syntax;
    const parent = syntax.parent(call);
    if (syntax.kind(parent) !== "assignment" || syntax.field(call) !== "right") return false;
    const left = syntax.child(parent, "left");
    const { all } = argumentsOf(syntax, call);
    const [first] = all;
    return (
      left !== undefined &&
      first !== undefined &&
      all.length === 1 &&
      syntax.kind(first) === "identifier" &&
      syntax.text(left) === syntax.text(first)
    );
  }

  /** `@register` calls a function with what it decorates, `@register("name")` also the one that it returns. */
  #byDecorator(decorator: Place): Place[] {
    const syntax = this.#syntax;
    const what = decorator + 1;
    const kind = syntax.kind(what);
    if (kind === "identifier") return this.#named(syntax.text(what));
    if (kind === "call") return this.#innerOf(what);
    return kind === "attribute" ? this.#methods(what) : [];
  }

  /** A class runs its metaclass, and what its base classes do with classes that extend them. */
  #byClass(place: Place): Place[] {
    const syntax = this.#syntax;
    const bases = syntax.child(place, "superclasses");
    if (bases === undefined) return [];
    const found: Place[] = [];
    for (const base of [...syntax.children(bases)].slice(0, 20)) {
      const isKeyword = syntax.kind(base) === "keyword_argument";
      const value = isKeyword ? syntax.child(base, "value") : base;
      for (const owner of value === undefined ? [] : this.#classesOf(value))
        found.push(
          ...this.#methodsOf(
            owner,
            isKeyword ? (name) => name.startsWith("__") : (name) => name === "__init_subclass__",
          ),
        );
    }
    return found;
  }

  #byUse(place: Place, kind: string): Place[] {
    const value = this.#syntax.child(place, kind === "with_item" ? "value" : "right");
    if (value === undefined) return [];
    const target = this.#syntax.kind(value) === "as_pattern" ? value + 1 : value;
    return this.#classesOf(target).flatMap((owner) => this.#methodsOf(owner, (name) => name.startsWith("__")));
  }

  /** `A().x` may be a property. */
  #byAttribute(place: Place): Place[] {
    return this.#syntax.field(place) === "function" ? [] : this.#methods(place);
  }

  #methods(attribute: Place): Place[] {
    const syntax = this.#syntax;
    const method = syntax.child(attribute, "attribute");
    const object = syntax.child(attribute, "object");
    if (method === undefined || object === undefined) return [];
    const owners = this.#classesOf(object);
    if (owners.length === 0) return [];
    const name = syntax.text(method);
    return owners.flatMap((owner) => this.#methodsOf(owner, (candidate) => candidate === name));
  }

  /** Functions that are defined within the one that a call runs: it may return them. */
  #innerOf(call: Place): Place[] {
    const syntax = this.#syntax;
    const callee = syntax.child(call, "function");
    if (callee === undefined || syntax.kind(callee) !== "identifier") return [];
    const found: Place[] = [];
    for (const outer of this.#names.functions.get(syntax.text(callee)) ?? []) {
      const body = syntax.child(outer, "body");
      if (body === undefined) continue;
      for (const inner of this.#statementsIn(body)) if (syntax.kind(inner) === "function_definition") found.push(inner);
    }
    return found;
  }

  /** Of a definition with decorators, the definition. */
  *#statementsIn(body: Place): Generator<Place> {
    const syntax = this.#syntax;
    for (const statement of syntax.children(body)) {
      this.#left -= 1;
      const isDecorated = syntax.kind(statement) === "decorated_definition";
      const place = isDecorated ? syntax.child(statement, "definition") : statement;
      if (place !== undefined) yield place;
    }
  }

  /** Functions and classes that are named anywhere in an expression, also as texts of `globals()["name"]`. */
  #mentionedIn(expression: Place): Place[] {
    const syntax = this.#syntax;
    const found: Place[] = [];
    for (const part of syntax.subtree(expression, mostParts)) {
      if (this.#left-- < 0) return found;
      const kind = syntax.kind(part);
      if (kind === "identifier" && syntax.field(part) !== "attribute" && syntax.field(part) !== "name")
        found.push(...this.#named(syntax.text(part)));
      else if (kind === "attribute") found.push(...this.#methods(part));
      else if (kind === "subscript") found.push(...this.#namedBy(part));
    }
    if (syntax.kind(expression) === "identifier") found.push(...this.#held(syntax.text(expression)));
    return found;
  }

  /** `globals()["send"]`, `jobs["send"]`. */
  #namedBy(subscript: Place): Place[] {
    const value = this.#syntax.child(subscript, "value");
    const key = this.#syntax.child(subscript, "subscript");
    if (value === undefined || key === undefined) return [];
    if (this.#syntax.kind(value) === "identifier") return this.#held(this.#syntax.text(value));
    const owner = this.#names.resolve(value)?.name;
    if (owner !== "globals()" && owner?.endsWith(".__dict__") !== true) return [];
    const text = this.#names.textOf(key)?.text;
    return text === undefined ? [] : this.#named(text);
  }

  /** What the values of a variable name: `jobs = [send]`, `later = partial(send)`. */
  #held(name: string): Place[] {
    const found: Place[] = [];
    for (const value of this.#names.valuesOf(name))
      for (const part of this.#syntax.subtree(value, mostParts)) {
        if (this.#left-- < 0) return found;
        if (this.#syntax.kind(part) === "identifier")
          found.push(...(this.#names.functions.get(this.#syntax.text(part)) ?? []));
      }
    return found;
  }

  /** `getattr`-like access and attributes that hold a function: `self.run = send`. */
  #heldAs(attribute: Place): Place[] {
    const name = this.#syntax.child(attribute, "attribute");
    if (name === undefined) return [];
    return this.#names
      .attributesNamed(this.#syntax.text(name))
      .slice(0, 8)
      .filter((value) => this.#syntax.kind(value) === "identifier")
      .flatMap((value) => this.#names.functions.get(this.#syntax.text(value)) ?? []);
  }

  #named(name: string): Place[] {
    const instances = (this.#names.classes.get(name) ?? []).flatMap((owner) =>
      this.#methodsOf(owner, runsWithInstance),
    );
    return [...(this.#names.functions.get(name) ?? []), ...instances];
  }

  /** The classes of the file that `Sender()` or a variable with one is an instance of. */
  #classesOf(object: Place): Place[] {
    const syntax = this.#syntax;
    const isName = syntax.kind(object) === "identifier";
    const instances = isName ? [object, ...this.#names.valuesOf(syntax.text(object))] : [object];
    return instances.flatMap((instance) => {
      const callee = syntax.kind(instance) === "call" ? syntax.child(instance, "function") : instance;
      return callee !== undefined && syntax.kind(callee) === "identifier"
        ? (this.#names.classes.get(syntax.text(callee)) ?? [])
        : [];
    });
  }

  /** Those of a class and of the classes of the file that it extends. */
  #methodsOf(owner: Place, isWanted: (name: string) => boolean): Place[] {
    const syntax = this.#syntax;
    const owners = new Set([owner]);
    const found: Place[] = [];
    for (const next of owners) {
      const body = syntax.child(next, "body");
      if (body === undefined || this.#left < 0) continue;
      for (const place of this.#statementsIn(body)) {
        const name = syntax.child(place, "name");
        if (name !== undefined && isWanted(syntax.text(name))) found.push(place);
      }
      const bases = syntax.child(next, "superclasses");
      if (bases === undefined || owners.size > 20) continue;
      for (const base of syntax.children(bases))
        if (syntax.kind(base) === "identifier")
          for (const extended of this.#names.classes.get(syntax.text(base)) ?? []) owners.add(extended);
    }
    return found;
  }
}
