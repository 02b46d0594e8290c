import type { Bindings } from "./bindings.ts";
import { argumentsOf } from "./calls.ts";
import { decodedText, ofCodes } from "./decoded-text.ts";
import { stringLiteral } from "./literals.ts";
import type { Place } from "./syntax.ts";

/** Longer chains of names, calls and operators are not followed. */
export const mostSteps = 60;
const mostCharacters = 20_000;
/** All that is computed in one file: short code can compute a long text in each of its expressions. */
const mostComputedCharacters = 8_000_000;

/** The value of an expression, where it can be computed from the text alone. */
export interface Constant {
  value: string | number | (string | number)[];
  /** More than one literal. */
  computed: boolean;
}

/** Nodes whose value is that of another node. */
const sharing = new Set(["identifier", "parenthesized_expression"]);

/** The constants of a file, as its code computes them. */
export class Constants {
  readonly #bindings: Bindings;
  /** The full name of what an expression refers to. */
  readonly #nameOf: (place: Place, steps: number) => string | undefined;
  readonly #constants = new Map<Place, Constant | null>();
  #charactersLeft = mostComputedCharacters;

  constructor(bindings: Bindings, nameOf: (place: Place, steps: number) => string | undefined) {
    this.#bindings = bindings;
    this.#nameOf = nameOf;
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
    const whole = constant !== null && this.#isAffordable(place, constant) ? constant : null;
    this.#constants.set(place, whole);
    return whole;
  }

  #isAffordable(place: Place, { value, computed }: Constant): boolean {
    if (typeof value === "number") return true;
    if (value.length > mostCharacters) return false;
    if (!computed || sharing.has(this.#bindings.syntax.kind(place))) return true;
    this.#charactersLeft -= value.length;
    return this.#charactersLeft >= 0;
  }

  #constant(place: Place, steps: number): Constant | null {
    const { syntax } = this.#bindings;
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
        const values = this.#bindings.valuesOf(syntax.text(place));
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
    const { syntax } = this.#bindings;
    let text = "";
    for (const part of syntax.children(place)) {
      if (syntax.kind(part) === "string_content") text += syntax.text(part);
      if (syntax.kind(part) !== "interpolation") continue;
      const expression = syntax.child(part, "expression");
      const value = expression === undefined ? null : this.constant(expression, steps);
      if (value === null || Array.isArray(value.value)) return null;
      text += value.value;
      if (text.length > mostCharacters) return null;
    }
    return { value: text, computed: true };
  }

  #joined(parts: Place[], steps: number): Constant | null {
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
    return { value: texts.join(""), computed };
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
    const { syntax } = this.#bindings;
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
    const { syntax } = this.#bindings;
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
    const { syntax } = this.#bindings;
    const callee = syntax.child(place, "function");
    if (callee === undefined) return null;
    const { positional } = argumentsOf(syntax, place);
    const first = positional[0];
    if (syntax.kind(callee) === "attribute") {
      const method = syntax.text(syntax.child(callee, "attribute") ?? callee);
      const object = syntax.child(callee, "object");
      const owner = object === undefined ? null : this.constant(object, steps);
      if (owner) return this.#method(owner, method, positional, steps);
    }
    const name = this.#nameOf(callee, steps);
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
    if (method === "replace" && first !== undefined && second !== undefined && first !== "" && second.length < 100) {
      // Also a text that is too long to keep was computed.
      this.#charactersLeft -= text.length;
      return this.#charactersLeft < 0 ? null : { value: text.replaceAll(first, second), computed: true };
    }
    return null;
  }

  /** `"".join(["s", "ys"])`, `"".join(chr(code) for code in [115, 121])`, `"".join(map(chr, [115, 121]))`. */
  #join(between: string, argument: Place, steps: number): Constant | null {
    const { syntax } = this.#bindings;
    const list = this.constant(argument, steps)?.value;
    if (Array.isArray(list)) return joinedBy(list, between);
    if (typeof list === "string") return joinedBy([...list], between);
    const kind = syntax.kind(argument);
    if (kind === "call") {
      const callee = syntax.child(argument, "function");
      const [mapped, codes] = argumentsOf(syntax, argument).positional;
      if (callee === undefined || mapped === undefined || codes === undefined) return null;
      if (this.#nameOf(callee, steps) !== "map" || this.#nameOf(mapped, steps) !== "chr") return null;
      return this.#codes(codes, between, steps);
    }
    if (kind === "generator_expression" || kind === "list_comprehension") {
      const body = syntax.child(argument, "body");
      const clause = [...syntax.children(argument)].find((part) => syntax.kind(part) === "for_in_clause");
      const callee = body === undefined ? undefined : syntax.child(body, "function");
      const source = clause === undefined ? undefined : syntax.child(clause, "right");
      if (callee === undefined || source === undefined || this.#nameOf(callee, steps) !== "chr") return null;
      return this.#codes(source, between, steps);
    }
    return null;
  }

  #codes(place: Place, between: string, steps: number): Constant | null {
    const codes = this.constant(place, steps)?.value;
    return Array.isArray(codes) ? joinedBy([...ofCodes(codes)], between) : null;
  }
}

function joinedBy(parts: readonly (string | number)[], between: string): Constant | null {
  let length = between.length * (parts.length - 1);
  for (const part of parts) length += typeof part === "string" ? part.length : 1;
  return length > mostCharacters ? null : { value: parts.join(between), computed: true };
}

const arithmetic: Readonly<Record<string, (one: number, other: number) => number>> = {
  "+": (one, other) => one + other,
  "-": (one, other) => one - other,
  "*": (one, other) => one * other,
  "^": (one, other) => one ^ other,
  "%": (one, other) => (other === 0 ? 0 : one % other),
};

const reversed = (text: string): string => [...text].reverse().join("");
