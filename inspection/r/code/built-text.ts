import { type Assignment, argumentOf, argumentsOf, assignmentOf, calleeOf } from "./calls.ts";
import { characterOf, nameOf, numberValue, stringValue } from "./literals.ts";
import type { Syntax, SyntaxNode } from "./syntax.ts";

/** A text that is known without running anything, although code puts it together. */
export interface BuiltText {
  text: string;
  /** Put together or decoded, not written as one string. */
  isBuilt: boolean;
}

const deepest = 12;
const longest = 10_000;
const mostValues = 500;
const mostParts = 100;
/** Characters of all texts of a value. */
const mostTogether = 100_000;

/** What all texts of a file may take: each can be asked for many times. */
interface Budget {
  visits: number;
  characters: number;
  isExceeded: boolean;
}
const budgets = new WeakMap<Syntax, Budget>();
function budgetOf(syntax: Syntax): Budget {
  const budget = budgets.get(syntax) ?? { visits: 200_000, characters: 5_000_000, isExceeded: false };
  budgets.set(syntax, budget);
  return budget;
}

/** Whether a text of the file was too long to be put together. */
export const isCutShort = (syntax: Syntax): boolean => budgetOf(syntax).isExceeded;

/** The text that an expression of constants yields; null if it depends on more. */
export function builtText(syntax: Syntax, given: SyntaxNode, values: Assigned): BuiltText | null {
  const node = followed(syntax, given, values);
  if (node.type === "string") return { text: stringValue(syntax, node), isBuilt: false };
  const texts = new Reader(syntax, values).texts(node, 0);
  if (texts?.length !== 1 || texts[0] === undefined) return null;
  return { text: texts[0], isBuilt: true };
}

const joining = new Set(["paste0", "paste", "file.path", "sprintf", "str_c", "glue", "URLencode", "as.character", "c"]);

/** What a text begins with, even if the rest depends on more; empty if that is unknown. */
export function beginningOf(syntax: Syntax, given: SyntaxNode, values: Assigned): string {
  let node: SyntaxNode | undefined = given;
  for (let depth = 0; node && depth < deepest; depth++) {
    node = followed(syntax, node, values);
    if (node.type === "string") return stringValue(syntax, node);
    if (node.type !== "call" || !joining.has(calleeOf(syntax, node)?.name ?? "")) return "";
    node = argumentsOf(syntax, node).find(({ name }) => name === null || name === "fmt")?.value;
  }
  return "";
}

/** By name, the only expression that a file assigns to it, or gives to a parameter by default. */
export type Assigned = ReadonlyMap<string, SyntaxNode>;

export function assignedIn(syntax: Syntax): Assigned {
  const found = new Map<string, SyntaxNode>();
  const unclear = new Set<string>();
  for (const node of syntax.nodes) {
    const assignment = assignmentOf(syntax, node) ?? defaultOf(syntax, node);
    if (!assignment && isNaming(node)) unclear.add(nameOf(syntax, syntax.nodes[node.index + 1]) ?? "");
    const name = nameOf(syntax, assignment?.target);
    if (!assignment || name === null) continue;
    if (found.has(name)) unclear.add(name);
    found.set(name, assignment.value);
  }
  for (const name of unclear) found.delete(name);
  return found;
}

const isNaming = ({ type }: SyntaxNode): boolean => type === "parameter" || type === "for_statement";

/** `function(name = "value")` */
function defaultOf(syntax: Syntax, node: SyntaxNode): Assignment | null {
  if (node.type !== "parameter") return null;
  const [target, value] = [...syntax.children(node)];
  return target?.field === "name" && value?.field === "default" ? { target, value } : null;
}

/** Names of parameters and of the variables of loops. */
export function* namedIn(syntax: Syntax): Generator<string> {
  for (const node of syntax.nodes) {
    const name = isNaming(node) ? nameOf(syntax, syntax.nodes[node.index + 1]) : null;
    if (name !== null) yield name;
  }
}

/** The expression behind a name. */
function followed(syntax: Syntax, node: SyntaxNode, values: Assigned): SyntaxNode {
  const value = node.type === "identifier" ? values.get(syntax.textOf(node)) : undefined;
  return value ?? node;
}

type Values = string[] | null;

class Reader {
  readonly #syntax: Syntax;
  readonly #values: Assigned;
  readonly #budget: Budget;
  #visits = 0;

  constructor(syntax: Syntax, values: Assigned) {
    this.#syntax = syntax;
    this.#values = values;
    this.#budget = budgetOf(syntax);
  }

  texts(given: SyntaxNode | undefined, depth: number): Values {
    const budget = this.#budget;
    budget.visits -= 1;
    if (budget.visits < 0 || budget.characters < 0) budget.isExceeded = true;
    if (budget.isExceeded) return null;
    const found = this.#read(given, depth);
    const length = found?.reduce((sum, one) => sum + one.length, 0) ?? 0;
    budget.characters -= length;
    if (length > mostTogether) budget.isExceeded = true;
    return length > mostTogether ? null : found;
  }

  #read(given: SyntaxNode | undefined, depth: number): Values {
    this.#visits += 1;
    if (!given || depth > deepest || this.#visits > mostValues) return null;
    const node = followed(this.#syntax, given, this.#values);
    if (node.type === "string") return [stringValue(this.#syntax, node).slice(0, longest)];
    const inner = () => this.#syntax.nodes[node.index + 1];
    if (node.type === "parenthesized_expression") return this.texts(inner(), depth + 1);
    // `strsplit(x, "")[[1]]`
    if (node.type === "subset2") return this.texts(inner(), depth + 1);
    if (node.type !== "call") return null;
    return this.#called(node, depth);
  }

  #called(call: SyntaxNode, depth: number): Values {
    const syntax = this.#syntax;
    const list = argumentsOf(syntax, call);
    const unnamed = list.filter(({ name }) => name === null);
    const text = (name: string, place: number) => this.texts(argumentOf(list, name, place), depth + 1);
    const all = () => unnamed.map(({ value }) => this.texts(value, depth + 1));
    switch (calleeOf(syntax, call)?.name) {
      case "c":
      case "list":
        return joined(all());
      case "paste0":
        return pasted(all(), "", text("collapse", Number.POSITIVE_INFINITY));
      case "paste":
        return pasted(
          all(),
          text("sep", Number.POSITIVE_INFINITY)?.[0] ?? " ",
          text("collapse", Number.POSITIVE_INFINITY),
        );
      case "Reduce":
      case "do.call":
        return isPasting(syntax, list[0]?.value) ? joinedTexts(this.texts(list[1]?.value, depth + 1)) : null;
      case "sprintf":
        return formatted(all());
      case "gsub":
      case "sub":
        return replaced(text("x", 2), text("pattern", 0)?.[0], text("replacement", 1)?.[0]);
      case "rev":
        return text("x", 0)?.toReversed() ?? null;
      case "strsplit":
        return text("x", 0)?.flatMap((one) => one.split(text("split", 1)?.[0] ?? "", mostValues)) ?? null;
      case "unlist":
      case "as.character":
      case "trimws":
        return text("x", 0);
      case "tolower":
        return text("x", 0)?.map((one) => one.toLowerCase()) ?? null;
      case "toupper":
        return text("x", 0)?.map((one) => one.toUpperCase()) ?? null;
      case "chartr":
        return translated(text("x", 2), text("old", 0)?.[0], text("new", 1)?.[0]);
      case "intToUtf8":
        return characters(this.#numbers(argumentOf(list, "x", 0), depth));
      case "rawToChar":
        return this.#fromBytes(argumentOf(list, "x", 0), depth);
      default:
        return null;
    }
  }

  #fromBytes(node: SyntaxNode | undefined, depth: number): Values {
    if (node?.type !== "call") return null;
    const [first] = argumentsOf(this.#syntax, node);
    const name = calleeOf(this.#syntax, node)?.name ?? "";
    if (name === "as.raw") return characters(this.#numbers(first?.value, depth));
    if (name === "rev")
      return this.#fromBytes(first?.value, depth + 1)?.map((one) => [...one].reverse().join("")) ?? null;
    if (!base64Decoders.has(name)) return null;
    const text = this.texts(first?.value, depth + 1)?.[0];
    return text === undefined ? null : fromBase64(text);
  }

  #numbers(given: SyntaxNode | undefined, depth: number): number[] | null {
    if (!given || depth > deepest) return null;
    const node = followed(this.#syntax, given, this.#values);
    const one = numberValue(this.#syntax, node);
    if (one !== null) return [one];
    if (node.type !== "call" || calleeOf(this.#syntax, node)?.name !== "c") return null;
    const found: number[] = [];
    for (const { value } of argumentsOf(this.#syntax, node).slice(0, mostValues)) {
      const number = value ? numberValue(this.#syntax, value) : null;
      if (number === null) return null;
      found.push(number);
    }
    return found;
  }
}

export const base64Decoders: ReadonlySet<string> = new Set([
  "base64decode",
  "base64_decode",
  "base64_dec",
  "base64Decode",
  "base64url_dec",
  "base64urldecode",
]);

function joined(parts: readonly Values[]): Values {
  const found: string[] = [];
  for (const part of parts) {
    if (!part) return null;
    found.push(...part);
  }
  return found.slice(0, mostValues);
}

const isPasting = (syntax: Syntax, node: SyntaxNode | undefined): boolean =>
  ["paste0", "paste", "str_c"].includes(nameOf(syntax, node) ?? "");

const joinedTexts = (texts: Values): Values => texts && [texts.join("").slice(0, longest)];

/** `sprintf("%s%s", "sys", "tem")` */
function formatted(parts: readonly Values[]): Values {
  const [format, ...given] = parts.map((part) => part?.[0]);
  if (format === undefined || given.some((one) => one === undefined)) return null;
  let next = 0;
  return [format.replaceAll("%s", () => given[next++] ?? "").slice(0, longest)];
}

/** Only what a pattern without special characters replaces. */
function replaced(texts: Values, pattern: string | undefined, by: string | undefined): Values {
  if (!texts || !pattern || by === undefined || /[\\^$.|?*+()[\]{}]/.test(pattern)) return null;
  return texts.map((text) => replacedIn(text, pattern, by));
}

/** Stops where the text is too long: a long replacement for each character would make it very long first. */
function replacedIn(text: string, pattern: string, by: string): string {
  let result = "";
  let at = 0;
  for (let next = text.indexOf(pattern); next !== -1 && result.length < longest; next = text.indexOf(pattern, at)) {
    result += text.slice(at, next) + by;
    at = next + pattern.length;
  }
  return (result + text.slice(at)).slice(0, longest);
}

function pasted(parts: readonly Values[], separator: string, collapse: Values): Values {
  if (parts.length > mostParts || parts.some((part) => !part || part.length === 0)) return null;
  const known = parts.flatMap((part) => (part ? [part] : []));
  const length = Math.min(mostValues, Math.max(0, ...known.map((part) => part.length)));
  const texts = Array.from({ length }, (_none, index) =>
    known
      .map((part) => part[index % part.length] ?? "")
      .join(separator)
      .slice(0, longest),
  );
  return collapse ? [texts.join(collapse[0] ?? "").slice(0, longest)] : texts;
}

function translated(texts: Values, from: string | undefined, to: string | undefined): Values {
  if (!texts || from === undefined || to === undefined) return null;
  const target = [...to];
  const pairs = new Map([...from].map((one, index) => [one, target[index] ?? one]));
  return texts.map((text) => [...text].map((one) => pairs.get(one) ?? one).join(""));
}

const characters = (codes: number[] | null): Values => codes && [codes.map(characterOf).join("")];

function fromBase64(text: string): Values {
  try {
    return [new TextDecoder("latin1").decode(Uint8Array.from(atob(text), (one) => one.charCodeAt(0)))];
  } catch {
    return null;
  }
}
