import { Bindings } from "./bindings.ts";
import { argumentsOf } from "./calls.ts";
import { type Constant, Constants, mostSteps } from "./constants.ts";
import { reexported } from "./reexported.ts";
import type { Place, Syntax } from "./syntax.ts";

/** A name as Python would find it: `subprocess.run`, `socket.socket().connect`. */
export interface QualifiedName {
  name: string;
  /** Put together from pieces, so that a search for the name does not find it. */
  hidden: boolean;
}

const builtIns = new Set([
  "exec",
  "eval",
  "compile",
  "__import__",
  "getattr",
  "open",
  "globals",
  "locals",
  "vars",
  "chr",
  "map",
  "bytes",
  "bytearray",
  "dict",
  "str",
  "repr",
  "execfile",
  "__pyarmor__",
  "unicode",
]);

/** What looks up an attribute whose name is a text: the object first, then the text. */
const attributeLookups = new Set([
  ...["getattr", "inspect.getattr_static", "object.__getattribute__", "type.__getattribute__"],
  "operator.attrgetter",
]);
/** What looks up a module by its name; the first text is that name. */
const moduleLookups = new Set([
  "__import__",
  "importlib.import_module",
  "importlib.__import__",
  "pkgutil.resolve_name",
]);
/** Methods that look up what is in a dictionary: `vars(os).get("system")`. */
const dictionaryLookups = [".get", ".__getitem__", ".pop", ".setdefault"];
/** What returns the function or module that it is given. */
const transparent = new Set(["functools.partial", "importlib.reload", "staticmethod", "classmethod"]);

const noNames: readonly QualifiedName[] = [];
/** What one expression may refer to. */
const mostCandidates = 64;

/** What the expressions of a file refer to, and the constants that they yield. */
export class Names extends Bindings {
  readonly #resolved = new Map<Place, readonly QualifiedName[]>();
  /** What names refer to, wherever they are: scopes are not distinguished. */
  readonly #identifiers = new Map<string, readonly QualifiedName[]>();
  readonly #constants: Constants;
  readonly #isWatched: (name: string) => boolean;

  /** Of several things that an expression may refer to, one that is watched counts. */
  constructor(syntax: Syntax, isWatched: (name: string) => boolean = () => false) {
    super(syntax);
    this.#isWatched = isWatched;
    this.#constants = new Constants(this, (place, steps) => this.resolve(place, steps)?.name);
  }

  resolve(place: Place, steps = mostSteps): QualifiedName | null {
    const found = this.#candidates(place, steps);
    if (found.length < 2) return found[0] ?? null;
    return found.find(({ name }) => this.#isWatched(name)) ?? found[0] ?? null;
  }

  #candidates(place: Place, steps: number): readonly QualifiedName[] {
    const known = this.#resolved.get(place);
    if (known !== undefined) return known;
    if (steps === 0) return noNames;
    // While it is computed, what refers to itself has no name.
    this.#resolved.set(place, noNames);
    const found = cleaned(this.#resolve(place, steps - 1));
    this.#resolved.set(place, found);
    return found;
  }

  #resolve(place: Place, steps: number): readonly QualifiedName[] {
    const { syntax } = this;
    const kind = syntax.kind(place);
    if (kind === "identifier") return this.#resolveIdentifier(syntax.text(place), steps);
    if (kind === "attribute") return this.#resolveAttribute(place, steps);
    if (kind === "call") return this.#resolveCall(place, steps);
    if (kind === "subscript") return this.#resolveSubscript(place, steps);
    if (kind === "parenthesized_expression" || kind === "await") return this.#candidates(place + 1, steps);
    if (kind === "named_expression") {
      const value = syntax.child(place, "value");
      return value === undefined ? noNames : this.#candidates(value, steps);
    }
    if (kind === "conditional_expression" || kind === "boolean_operator")
      return [...syntax.children(place)].slice(0, 8).flatMap((part) => this.#candidates(part, steps));
    return noNames;
  }

  #resolveAttribute(place: Place, steps: number): readonly QualifiedName[] {
    const { syntax } = this;
    const object = syntax.child(place, "object");
    const attribute = syntax.child(place, "attribute");
    if (object === undefined || attribute === undefined) return noNames;
    const name = syntax.text(attribute);
    const owners = this.#candidates(object, steps);
    if (owners.length > 0) return owners.map((owner) => ({ name: `${owner.name}.${name}`, hidden: owner.hidden }));
    const assigned = this.attributesNamed(name).flatMap((value) => this.#candidates(value, steps));
    return assigned.length > 0 ? assigned : this.#inherited(object, name, steps);
  }

  /** `self.spawn` in a class that extends one of another module. */
  #inherited(object: Place, name: string, steps: number): readonly QualifiedName[] {
    const { syntax } = this;
    const text = syntax.length(object) < 10 ? syntax.text(object) : "";
    if (text !== "self" && text !== "cls" && text !== "super()") return noNames;
    let owner = syntax.parent(object);
    for (let step = 0; step < 100 && owner !== 0 && syntax.kind(owner) !== "class_definition"; step++)
      owner = syntax.parent(owner);
    if (syntax.kind(owner) !== "class_definition") return noNames;
    return this.#basesOf(owner, steps).map((base) => ({ name: `${base.name}().${name}`, hidden: base.hidden }));
  }

  #basesOf(definition: Place, steps: number): readonly QualifiedName[] {
    const { syntax } = this;
    const bases = syntax.child(definition, "superclasses");
    if (bases === undefined) return noNames;
    return [...syntax.children(bases)]
      .slice(0, 20)
      .filter((base) => syntax.kind(base) !== "keyword_argument")
      .flatMap((base) => this.#candidates(base, steps));
  }

  #resolveIdentifier(name: string, steps: number): readonly QualifiedName[] {
    const known = this.#identifiers.get(name);
    if (known !== undefined) return known;
    this.#identifiers.set(name, noNames);
    const found: QualifiedName[] = this.importedAs(name).map((alias) => ({ name: alias, hidden: false }));
    for (const value of this.referencesOf(name)) found.push(...this.#candidates(value, steps));
    if (found.length === 0)
      for (const definition of this.classes.get(name) ?? []) found.push(...this.#basesOf(definition, steps));
    const isDefined = this.functions.has(name) || this.classes.has(name);
    if (found.length === 0 && !isDefined) {
      if (builtIns.has(name)) found.push({ name, hidden: false });
      if (name === "__builtins__" || name === "__builtin__") found.push({ name: "builtins", hidden: false });
      if (transparent.has(name) || name === "object" || name === "type") found.push({ name, hidden: false });
    }
    const whole = cleaned(found);
    this.#identifiers.set(name, whole);
    return whole;
  }

  #resolveCall(place: Place, steps: number): readonly QualifiedName[] {
    const { syntax } = this;
    const callee = syntax.child(place, "function");
    if (callee === undefined) return noNames;
    const looked = syntax.kind(callee) === "call" ? this.#resolveGetter(place, callee, steps) : noNames;
    if (looked.length > 0) return looked;
    return this.#candidates(callee, steps).flatMap((called) => this.#resultOf(called, place, steps));
  }

  /** `attrgetter("system")(os)`, `itemgetter("system")(vars(os))`. */
  #resolveGetter(place: Place, getter: Place, steps: number): readonly QualifiedName[] {
    const { syntax } = this;
    const callee = syntax.child(getter, "function");
    const name = callee === undefined ? undefined : this.resolve(callee, steps)?.name;
    if (name !== "operator.attrgetter" && name !== "operator.itemgetter") return noNames;
    const [key] = argumentsOf(syntax, getter).positional;
    const [object] = argumentsOf(syntax, place).positional;
    if (key === undefined || object === undefined) return noNames;
    return name === "operator.attrgetter" ? this.#attributeOf(object, key, steps) : this.#elementOf(object, key, steps);
  }

  #resultOf(called: QualifiedName, place: Place, steps: number): readonly QualifiedName[] {
    const { syntax } = this;
    const { positional, keywords } = argumentsOf(syntax, place);
    const [first, second] = positional;
    const { name, hidden } = called;
    if (moduleLookups.has(name)) {
      const module = first === undefined ? undefined : this.textOf(first, steps);
      if (!module) return noNames;
      // Without a list of names, it is the package that holds the module.
      const isTop = name.endsWith("__import__") && positional.length < 4 && !keywords.has("fromlist");
      const text = module.text.replace(":", ".");
      return [{ name: isTop ? (text.split(".")[0] ?? "") : text, hidden: hidden || module.computed }];
    }
    if (attributeLookups.has(name) && first !== undefined && second !== undefined)
      return this.#attributeOf(first, second, steps);
    if (name.endsWith(".__getattribute__") && first !== undefined) {
      const attribute = this.textOf(first, steps);
      const owner = name.slice(0, -".__getattribute__".length);
      return attribute ? [{ name: `${owner}.${attribute.text}`, hidden: hidden || attribute.computed }] : noNames;
    }
    if (name === "vars" && first !== undefined)
      return this.#candidates(first, steps).map((owner) => ({ name: `${owner.name}.__dict__`, hidden: owner.hidden }));
    if (transparent.has(name) && first !== undefined) {
      const given = this.#candidates(first, steps);
      if (given.length > 0) return given;
    }
    if (name === "globals" || name === "locals") return [{ name: "globals()", hidden }];
    const lookup = dictionaryLookups.find((method) => name.endsWith(method));
    if (lookup !== undefined && first !== undefined) {
      const text = this.textOf(first, steps);
      const owner = { name: name.slice(0, -lookup.length), hidden };
      const found = text ? this.#keyOf(owner, text, steps) : noNames;
      if (found.length > 0) return found;
    }
    return [{ name: `${name}()`, hidden }];
  }

  #attributeOf(object: Place, key: Place, steps: number): readonly QualifiedName[] {
    const attribute = this.textOf(key, steps);
    if (!attribute) return noNames;
    return this.#candidates(object, steps).map((owner) => ({
      name: `${owner.name}.${attribute.text}`,
      hidden: owner.hidden || attribute.computed,
    }));
  }

  #resolveSubscript(place: Place, steps: number): readonly QualifiedName[] {
    const { syntax } = this;
    const value = syntax.child(place, "value");
    const key = syntax.child(place, "subscript");
    return value === undefined || key === undefined ? noNames : this.#elementOf(value, key, steps);
  }

  #elementOf(object: Place, key: Place, steps: number): readonly QualifiedName[] {
    const text = this.textOf(key, steps);
    if (!text) return noNames;
    return this.#candidates(object, steps).flatMap((owner) => this.#keyOf(owner, text, steps));
  }

  /** What a dictionary of modules or names holds under a key. */
  #keyOf(
    owner: QualifiedName,
    { text, computed }: { text: string; computed: boolean },
    steps: number,
  ): readonly QualifiedName[] {
    const hidden = owner.hidden || computed;
    if (owner.name === "sys.modules" || owner.name === "builtins") return [{ name: text, hidden }];
    if (owner.name === "globals()")
      return this.#resolveIdentifier(text, steps).map(({ name }) => ({ name, hidden: true }));
    if (owner.name.endsWith(".__dict__"))
      return [{ name: `${owner.name.slice(0, -".__dict__".length)}.${text}`, hidden }];
    return noNames;
  }

  textOf(place: Place, steps = mostSteps): { text: string; computed: boolean } | undefined {
    return this.#constants.textOf(place, steps);
  }

  constant(place: Place): Constant | null {
    return this.#constants.constant(place);
  }
}

/** Each name once, as it is usually written. */
function cleaned(found: readonly QualifiedName[]): readonly QualifiedName[] {
  if (found.length === 0) return noNames;
  const names = new Map<string, QualifiedName>();
  for (const { name, hidden } of found) {
    if (name.length > 300 || names.size === mostCandidates) continue;
    const whole = normalized(name);
    if (!names.has(whole)) names.set(whole, { name: whole, hidden });
  }
  return [...names.values()];
}

function normalized(name: string): string {
  if (name.endsWith("__dict__")) return name;
  const bare = name.endsWith(".__call__") ? name.slice(0, -".__call__".length) : name;
  const own = reexported(bare);
  if (own.startsWith("builtins.")) return own.slice("builtins.".length);
  if (own.startsWith("__builtin__.")) return own.slice("__builtin__.".length);
  return own;
}
