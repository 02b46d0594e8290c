import { Bindings } from "./bindings.ts";
import { argumentsOf } from "./calls.ts";
import { type Constant, Constants, mostSteps } from "./constants.ts";
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

/** What the expressions of a file refer to, and the constants that they yield. */
export class Names extends Bindings {
  readonly #resolved = new Map<Place, QualifiedName | null>();
  readonly #constants: Constants;

  constructor(syntax: Syntax) {
    super(syntax);
    this.#constants = new Constants(this, (place, steps) => this.resolve(place, steps)?.name);
  }

  resolve(place: Place, steps = mostSteps): QualifiedName | null {
    const known = this.#resolved.get(place);
    if (known !== undefined) return known;
    if (steps === 0) return null;
    // While it is computed, what refers to itself has no name.
    this.#resolved.set(place, null);
    const name = this.#resolve(place, steps - 1);
    const whole = name && name.name.length <= 300 ? { ...name, name: normalized(name.name) } : null;
    this.#resolved.set(place, whole);
    return whole;
  }

  #resolve(place: Place, steps: number): QualifiedName | null {
    const { syntax } = this;
    const kind = syntax.kind(place);
    if (kind === "identifier") return this.#resolveIdentifier(syntax.text(place), steps);
    if (kind === "attribute") {
      const object = syntax.child(place, "object");
      const attribute = syntax.child(place, "attribute");
      const owner = object === undefined ? null : this.resolve(object, steps);
      if (owner === null || attribute === undefined) return null;
      return { name: `${owner.name}.${syntax.text(attribute)}`, hidden: owner.hidden };
    }
    if (kind === "call") return this.#resolveCall(place, steps);
    if (kind === "subscript") return this.#resolveSubscript(place, steps);
    if (kind === "parenthesized_expression" || kind === "await") return this.resolve(place + 1, steps);
    if (kind === "named_expression") {
      const value = syntax.child(place, "value");
      return value === undefined ? null : this.resolve(value, steps);
    }
    return null;
  }

  #resolveIdentifier(name: string, steps: number): QualifiedName | null {
    const alias = this.importedAs(name);
    if (alias !== undefined) return { name: alias, hidden: false };
    for (const value of this.valuesOf(name)) {
      const resolved = this.resolve(value, steps);
      if (resolved) return resolved;
    }
    if (this.functions.has(name) || this.classes.has(name)) return null;
    if (builtIns.has(name)) return { name, hidden: false };
    if (name === "__builtins__" || name === "__builtin__") return { name: "builtins", hidden: false };
    return null;
  }

  #resolveCall(place: Place, steps: number): QualifiedName | null {
    const { syntax } = this;
    const callee = syntax.child(place, "function");
    const called = callee === undefined ? null : this.resolve(callee, steps);
    if (called === null) return null;
    const { positional, keywords } = argumentsOf(syntax, place);
    const [first, second] = positional;
    if (
      called.name === "__import__" ||
      called.name === "importlib.import_module" ||
      called.name === "importlib.__import__"
    ) {
      const module = first === undefined ? undefined : this.textOf(first, steps);
      // Without a list of names, it is the package that holds the module.
      const isTop = called.name.endsWith("__import__") && positional.length < 4 && !keywords.has("fromlist");
      if (module && isTop) return { name: module.text.split(".")[0] ?? "", hidden: called.hidden || module.computed };
      return module ? { name: module.text, hidden: called.hidden || module.computed } : null;
    }
    if (called.name === "getattr" && first !== undefined && second !== undefined) {
      const owner = this.resolve(first, steps);
      const attribute = this.textOf(second, steps);
      return owner && attribute
        ? { name: `${owner.name}.${attribute.text}`, hidden: owner.hidden || attribute.computed }
        : null;
    }
    if (called.name === "vars" && first !== undefined) {
      const owner = this.resolve(first, steps);
      return owner && { name: `${owner.name}.__dict__`, hidden: owner.hidden };
    }
    if (called.name === "globals" || called.name === "locals") return { name: "globals()", hidden: called.hidden };
    return { name: `${called.name}()`, hidden: called.hidden };
  }

  #resolveSubscript(place: Place, steps: number): QualifiedName | null {
    const { syntax } = this;
    const value = syntax.child(place, "value");
    const key = syntax.child(place, "subscript");
    const owner = value === undefined ? null : this.resolve(value, steps);
    if (owner === null || key === undefined) return null;
    const text = this.textOf(key, steps);
    if (!text) return null;
    const hidden = owner.hidden || text.computed;
    if (owner.name === "sys.modules") return { name: text.text, hidden };
    if (owner.name === "globals()") {
      const found = this.#resolveIdentifier(text.text, steps);
      return found && { name: found.name, hidden: true };
    }
    if (owner.name.endsWith(".__dict__"))
      return { name: `${owner.name.slice(0, -".__dict__".length)}.${text.text}`, hidden };
    if (owner.name === "builtins") return { name: text.text, hidden };
    return null;
  }

  textOf(place: Place, steps = mostSteps): { text: string; computed: boolean } | undefined {
    return this.#constants.textOf(place, steps);
  }

  constant(place: Place): Constant | null {
    return this.#constants.constant(place);
  }
}

function normalized(name: string): string {
  if (name.endsWith("__dict__")) return name;
  if (name.startsWith("builtins.")) return name.slice("builtins.".length);
  if (name.startsWith("__builtin__.")) return name.slice("__builtin__.".length);
  return name;
}
