import type { ImportedName } from "../facts.ts";
import { stringLiteral } from "./literals.ts";
import type { Place, Syntax } from "./syntax.ts";

/** Longer chains of names, calls and operators are not followed. */
const mostSteps = 60;
const mostCharacters = 20_000;
/** How many values of one name are looked at. */
const mostValues = 8;

/** A name as Python would find it: `subprocess.run`, `socket.socket().connect`. */
export interface QualifiedName {
  name: string;
  /** Put together from pieces, so that a search for the name does not find it. */
  hidden: boolean;
}

/** The value of an expression, where it can be computed from the text alone. */
export interface Constant {
  value: string | number | (string | number)[];
  /** More than one literal. */
  computed: boolean;
}

/** Copies that packages carry of others: the name after it is the original's. */
const vendorFolders = ["._vendor.", "._vendored.", ".extern.", ".vendor.", "six.moves."];

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

/** What the names in a file refer to. Scopes are not distinguished: a name means what any part of the file makes it. */
export class Names {
  readonly syntax: Syntax;
  readonly imports: ImportedName[] = [];
  readonly starImports: string[] = [];
  readonly functions = new Map<string, Place[]>();
  readonly classes = new Map<string, Place[]>();
  readonly #aliases = new Map<string, string>();
  readonly #values = new Map<string, Place[]>();
  readonly #resolved = new Map<Place, QualifiedName | null>();
  readonly #constants = new Map<Place, Constant | null>();

  constructor(syntax: Syntax) {
    this.syntax = syntax;
    for (let place = 0; place < syntax.count; place++) this.#read(place);
  }

  #read(place: Place): void {
    const { syntax } = this;
    const kind = syntax.kind(place);
    if (kind === "import_statement") this.#readImport(place);
    else if (kind === "import_from_statement") this.#readImportFrom(place);
    else if (kind === "function_definition") this.#remember(this.functions, place, place);
    else if (kind === "class_definition") this.#remember(this.classes, place, place);
    else if (kind === "assignment" || kind === "named_expression" || kind === "default_parameter") {
      const left = syntax.child(place, kind === "assignment" ? "left" : "name");
      const right = syntax.child(place, kind === "assignment" ? "right" : "value");
      if (left === undefined || right === undefined) return;
      if (syntax.kind(left) === "identifier") addTo(this.#values, syntax.text(left), right);
      else this.#readPairs(left, right);
    } else if (kind === "as_pattern") {
      const alias = syntax.child(place, "alias");
      if (alias !== undefined) addTo(this.#values, syntax.text(alias), place + 1);
    } else if (kind === "for_in_clause" || kind === "for_statement") {
      const left = syntax.child(place, "left");
      const right = syntax.child(place, "right");
      if (left !== undefined && right !== undefined && syntax.kind(left) === "identifier")
        addTo(this.#values, syntax.text(left), right);
    }
  }

  /** `a, b = c, d`. */
  #readPairs(left: Place, right: Place): void {
    const { syntax } = this;
    if (syntax.kind(left) !== "pattern_list" && syntax.kind(left) !== "tuple_pattern") return;
    if (syntax.kind(right) !== "expression_list" && syntax.kind(right) !== "tuple") return;
    const values = [...syntax.children(right)];
    for (const [index, target] of [...syntax.children(left)].entries()) {
      const value = values[index];
      if (value !== undefined && syntax.kind(target) === "identifier") addTo(this.#values, syntax.text(target), value);
    }
  }

  #remember(places: Map<string, Place[]>, definition: Place, place: Place): void {
    const name = this.syntax.child(definition, "name");
    if (name !== undefined) addTo(places, this.syntax.text(name), place);
  }

  #readImport(place: Place): void {
    const { syntax } = this;
    for (const name of syntax.children(place)) {
      const isAliased = syntax.kind(name) === "aliased_import";
      const module = dotted(syntax, isAliased ? syntax.child(name, "name") : name);
      const alias = isAliased ? syntax.child(name, "alias") : undefined;
      const local = alias === undefined ? (module.split(".")[0] ?? module) : syntax.text(alias);
      this.#alias(local, alias === undefined ? local : module);
      this.imports.push({ name: local, from: module, imported: null });
    }
  }

  #readImportFrom(place: Place): void {
    const { syntax } = this;
    const module = dotted(syntax, syntax.child(place, "module_name"));
    for (const name of syntax.children(place)) {
      if (syntax.kind(name) === "wildcard_import") this.starImports.push(module);
      if (syntax.field(name) !== "name") continue;
      const isAliased = syntax.kind(name) === "aliased_import";
      const imported = dotted(syntax, isAliased ? syntax.child(name, "name") : name);
      const alias = isAliased ? syntax.child(name, "alias") : undefined;
      const local = alias === undefined ? imported : syntax.text(alias);
      this.#alias(local, module.endsWith(".") ? `${module}${imported}` : `${module}.${imported}`);
      this.imports.push({ name: local, from: module, imported });
    }
  }

  #alias(local: string, name: string): void {
    // `try: import json except ImportError: import simplejson as json`: the first is the usual one.
    if (!this.#aliases.has(local)) this.#aliases.set(local, withoutVendor(name));
  }

  /** Whether a name is imported, as opposed to defined in the file. */
  isImported(name: string): boolean {
    return this.#aliases.has(name);
  }

  /** What is assigned to a name anywhere in the file. */
  valuesOf(name: string): readonly Place[] {
    return this.#values.get(name) ?? [];
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
    const alias = this.#aliases.get(name);
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
    const [first, second] = this.arguments(place).positional;
    if (
      called.name === "__import__" ||
      called.name === "importlib.import_module" ||
      called.name === "importlib.__import__"
    ) {
      const module = first === undefined ? undefined : this.textOf(first, steps);
      return module ? { name: module.text, hidden: called.hidden || module.computed } : null;
    }
    if (called.name === "getattr" && first !== undefined && second !== undefined) {
      const owner = this.resolve(first, steps);
      const attribute = this.textOf(second, steps);
      return owner && attribute
        ? { name: `${owner.name}.${attribute.text}`, hidden: owner.hidden || attribute.computed }
        : null;
    }
    if (called.name === "vars" && first !== undefined) return this.resolve(first, steps);
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

  /** The arguments of a call; `*args` and `**kwargs` are in neither. */
  arguments(call: Place): { positional: Place[]; keywords: Map<string, Place>; all: Place[] } {
    const { syntax } = this;
    const list = syntax.child(call, "arguments");
    const positional: Place[] = [];
    const keywords = new Map<string, Place>();
    const all: Place[] = [];
    if (list === undefined) return { positional, keywords, all };
    if (syntax.kind(list) === "generator_expression") return { positional: [list], keywords, all: [list] };
    for (const argument of syntax.children(list)) {
      const kind = syntax.kind(argument);
      if (kind === "keyword_argument") {
        const name = syntax.child(argument, "name");
        const value = syntax.child(argument, "value");
        if (name === undefined || value === undefined) continue;
        keywords.set(syntax.text(name), value);
        all.push(value);
      } else {
        if (kind !== "list_splat" && kind !== "dictionary_splat") positional.push(argument);
        all.push(argument);
      }
      if (all.length === 2_000) break;
    }
    return { positional, keywords, all };
  }

  textOf(place: Place, steps = mostSteps): { text: string; computed: boolean } | undefined {
    const constant = this.constant(place, steps);
    return typeof constant?.value === "string" ? { text: constant.value, computed: constant.computed } : undefined;
  }

  constant(place: Place, steps = mostSteps): Constant | null {
    const known = this.#constants.get(place);
    if (known !== undefined) return known;
    if (steps === 0) return null;
    this.#constants.set(place, null);
    const constant = this.#constant(place, steps - 1);
    const value = constant?.value;
    const whole = value === undefined || typeof value === "number" || value.length <= mostCharacters ? constant : null;
    this.#constants.set(place, whole);
    return whole;
  }

  #constant(place: Place, steps: number): Constant | null {
    const { syntax } = this;
    switch (syntax.kind(place)) {
      case "string": {
        const literal = stringLiteral(syntax, place);
        return literal ? { value: literal.text, computed: literal.escaped } : this.#interpolated(place, steps);
      }
      case "concatenated_string":
        return this.#joined([...syntax.children(place)], steps);
      case "integer": {
        const number = Number(syntax.text(place).replaceAll("_", ""));
        return Number.isSafeInteger(number) ? { value: number, computed: false } : null;
      }
      case "list":
      case "tuple":
        return this.#list([...syntax.children(place)], steps);
      case "parenthesized_expression":
        return this.constant(place + 1, steps);
      case "identifier": {
        const values = this.valuesOf(syntax.text(place));
        const value = values.length === 1 ? values[0] : undefined;
        return value === undefined ? null : this.constant(value, steps);
      }
      case "binary_operator":
        return this.#operation(place, steps);
      case "subscript":
        return this.#slice(place, steps);
      case "call":
        return this.#call(place, steps);
      default:
        return null;
    }
  }

  #interpolated(place: Place, steps: number): Constant | null {
    const { syntax } = this;
    let text = "";
    for (const part of syntax.children(place)) {
      if (syntax.kind(part) === "string_content") text += syntax.text(part);
      if (syntax.kind(part) !== "interpolation") continue;
      const expression = syntax.child(part, "expression");
      const value = expression === undefined ? null : this.constant(expression, steps);
      if (value === null || Array.isArray(value.value)) return null;
      text += value.value;
    }
    return { value: text, computed: true };
  }

  #joined(parts: Place[], steps: number, between = ""): Constant | null {
    const texts: string[] = [];
    let computed = parts.length > 1;
    let length = 0;
    for (const part of parts) {
      const text = this.textOf(part, steps);
      if (text === undefined) return null;
      texts.push(text.text);
      computed ||= text.computed;
      length += text.text.length;
      if (length > mostCharacters) return null;
    }
    return { value: texts.join(between), computed };
  }

  #list(parts: Place[], steps: number): Constant | null {
    const values: (string | number)[] = [];
    let computed = false;
    for (const part of parts.slice(0, mostCharacters)) {
      const constant = this.constant(part, steps);
      if (constant === null || Array.isArray(constant.value)) return null;
      values.push(constant.value);
      computed ||= constant.computed;
    }
    return { value: values, computed };
  }

  #operation(place: Place, steps: number): Constant | null {
    const { syntax } = this;
    const left = syntax.child(place, "left");
    const right = syntax.child(place, "right");
    const operator = syntax.child(place, "operator");
    if (left === undefined || right === undefined || operator === undefined) return null;
    const [one, other] = [this.constant(left, steps), this.constant(right, steps)];
    if (one === null || other === null) return null;
    const sign = syntax.text(operator);
    if (typeof one.value === "string" && typeof other.value === "string" && sign === "+")
      return { value: one.value + other.value, computed: true };
    if (typeof one.value === "number" && typeof other.value === "number") {
      const result = arithmetic[sign]?.(one.value, other.value);
      return result === undefined ? null : { value: result, computed: true };
    }
    return null;
  }

  /** `"metsys"[::-1]` and `"abc"[1]`. */
  #slice(place: Place, steps: number): Constant | null {
    const { syntax } = this;
    const value = syntax.child(place, "value");
    const key = syntax.child(place, "subscript");
    if (value === undefined || key === undefined) return null;
    const owner = this.constant(value, steps)?.value;
    if (owner === undefined || typeof owner === "number") return null;
    if (syntax.kind(key) === "slice") {
      if (syntax.text(key).replaceAll(" ", "") !== "::-1") return null;
      return { value: typeof owner === "string" ? reversed(owner) : owner.toReversed(), computed: true };
    }
    const index = this.constant(key, steps)?.value;
    const element = typeof index === "number" ? owner.at(index) : undefined;
    return element === undefined ? null : { value: element, computed: true };
  }

  #call(place: Place, steps: number): Constant | null {
    const { syntax } = this;
    const callee = syntax.child(place, "function");
    if (callee === undefined) return null;
    const { positional } = this.arguments(place);
    const first = positional[0];
    if (syntax.kind(callee) === "attribute") {
      const method = syntax.text(syntax.child(callee, "attribute") ?? callee);
      const object = syntax.child(callee, "object");
      const owner = object === undefined ? null : this.constant(object, steps);
      if (owner) return this.#method(owner, method, positional, steps);
    }
    const name = this.resolve(callee, steps)?.name;
    if (name === undefined || first === undefined) return null;
    const argument = this.constant(first, steps)?.value;
    if (argument === undefined) return null;
    if (name === "chr" && typeof argument === "number" && argument >= 0 && argument <= 0x10ffff)
      return { value: String.fromCodePoint(argument), computed: true };
    if (name === "str" && !Array.isArray(argument)) return { value: String(argument), computed: true };
    if ((name === "bytes" || name === "bytearray") && Array.isArray(argument))
      return { value: ofCodes(argument), computed: true };
    if (typeof argument !== "string") return null;
    const decoded = decodedText(
      name,
      argument,
      positional[1] === undefined ? "" : (this.textOf(positional[1], steps)?.text ?? ""),
    );
    return decoded === undefined ? null : { value: decoded, computed: true };
  }

  #method(owner: Constant, method: string, positional: Place[], steps: number): Constant | null {
    const text = owner.value;
    if (typeof text !== "string") return null;
    const [first, second] = positional.map((argument) => this.textOf(argument, steps)?.text);
    if (method === "join" && positional[0] !== undefined) return this.#join(text, positional[0], steps);
    if (method === "encode" || method === "decode") {
      const changed = first === undefined ? text : (decodedText("codecs.decode", text, first) ?? text);
      return { value: changed, computed: owner.computed || changed !== text };
    }
    if (method === "lower") return { value: text.toLowerCase(), computed: true };
    if (method === "upper") return { value: text.toUpperCase(), computed: true };
    if (method === "strip") return { value: text.trim(), computed: owner.computed };
    if (method === "replace" && first !== undefined && second !== undefined && first !== "" && second.length < 100)
      return { value: text.slice(0, mostCharacters).replaceAll(first, second), computed: true };
    return null;
  }

  /** `"".join(["s", "ys"])`, `"".join(chr(code) for code in [115, 121])`, `"".join(map(chr, [115, 121]))`. */
  #join(between: string, argument: Place, steps: number): Constant | null {
    const { syntax } = this;
    const list = this.constant(argument, steps)?.value;
    if (Array.isArray(list)) return { value: list.join(between), computed: true };
    if (typeof list === "string") return { value: [...list].join(between), computed: true };
    const kind = syntax.kind(argument);
    if (kind === "call") {
      const callee = syntax.child(argument, "function");
      const [mapped, codes] = this.arguments(argument).positional;
      if (callee === undefined || mapped === undefined || codes === undefined) return null;
      if (this.resolve(callee, steps)?.name !== "map" || this.resolve(mapped, steps)?.name !== "chr") return null;
      return this.#codes(codes, between, steps);
    }
    if (kind === "generator_expression" || kind === "list_comprehension") {
      const body = syntax.child(argument, "body");
      const clause = [...syntax.children(argument)].find((part) => syntax.kind(part) === "for_in_clause");
      const callee = body === undefined ? undefined : syntax.child(body, "function");
      const source = clause === undefined ? undefined : syntax.child(clause, "right");
      if (callee === undefined || source === undefined || this.resolve(callee, steps)?.name !== "chr") return null;
      return this.#codes(source, between, steps);
    }
    return null;
  }

  #codes(place: Place, between: string, steps: number): Constant | null {
    const codes = this.constant(place, steps)?.value;
    return Array.isArray(codes) ? { value: [...ofCodes(codes)].join(between), computed: true } : null;
  }
}

function addTo(places: Map<string, Place[]>, name: string, place: Place): void {
  const known = places.get(name);
  if (known === undefined) places.set(name, [place]);
  else if (known.length < mostValues) known.push(place);
}

const dotted = (syntax: Syntax, place: Place | undefined): string =>
  place === undefined || syntax.length(place) > 500 ? "" : withoutSpaces(syntax.text(place));

/** A dotted name may have spaces and line continuations in it. */
const withoutSpaces = (text: string): string => text.replace(/[\s\\]/g, "");

function withoutVendor(name: string): string {
  for (const folder of vendorFolders) {
    const at = `.${name}`.indexOf(folder);
    if (at !== -1) return `.${name}`.slice(at + folder.length);
  }
  return name;
}

function normalized(name: string): string {
  if (name.endsWith("__dict__")) return name;
  if (name.startsWith("builtins.")) return name.slice("builtins.".length);
  if (name.startsWith("__builtin__.")) return name.slice("__builtin__.".length);
  return name;
}

const arithmetic: Readonly<Record<string, (one: number, other: number) => number>> = {
  "+": (one, other) => one + other,
  "-": (one, other) => one - other,
  "*": (one, other) => one * other,
  "^": (one, other) => one ^ other,
  "%": (one, other) => (other === 0 ? 0 : one % other),
};

const reversed = (text: string): string => [...text].reverse().join("");

const ofCodes = (codes: readonly (string | number)[]): string =>
  codes
    .map((code) => (typeof code === "number" && code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ""))
    .join("");

/** What the decoders of the standard library make of a text, those that need no unpacking. */
function decodedText(decoder: string, text: string, codec: string): string | undefined {
  const name = decoder.slice(decoder.lastIndexOf(".") + 1);
  const format = name === "decode" || name === "encode" ? codec.toLowerCase().replaceAll(/[-_]/g, "") : name;
  if (format === "b64decode" || format === "standardb64decode" || format === "a2bbase64" || format === "base64")
    return fromBase64(text);
  if (format === "urlsafeb64decode") return fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  if (format === "fromhex" || format === "unhexlify" || format === "a2bhex" || format === "hex") return fromHex(text);
  if (format === "rot13") return rotated(text);
  return undefined;
}

function fromBase64(text: string): string | undefined {
  try {
    return atob(text);
  } catch {
    return undefined;
  }
}

function fromHex(text: string): string {
  const digits = text.replaceAll(" ", "");
  const codes: number[] = [];
  for (let at = 0; at + 1 < digits.length; at += 2) codes.push(Number.parseInt(digits.slice(at, at + 2), 16) || 0);
  return ofCodes(codes);
}

const rotated = (text: string): string =>
  text.replace(/[a-zA-Z]/g, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
