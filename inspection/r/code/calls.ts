import { nameOf, stringValue } from "./literals.ts";
import type { Syntax, SyntaxNode } from "./syntax.ts";

export interface Callee {
  /** `base` of `base::system`. */
  package: string | null;
  name: string;
}

export interface Argument {
  name: string | null;
  /** Undefined in `f(a = )`. */
  value: SyntaxNode | undefined;
}

/** Functions that return the environment of a package's functions: `baseenv()$system`. */
const environments = new Set(["baseenv", "asNamespace", "getNamespace", "loadNamespace", "as.environment", "topenv"]);

/** The function that a node names: `f`, `"f"`, `p::f`, `(f)`, `baseenv()$f`; null for what is computed. */
export function functionNamed(syntax: Syntax, node: SyntaxNode | undefined): Callee | null {
  let named = node;
  while (named?.type === "parenthesized_expression") named = [...syntax.children(named)][0];
  if (!named) return null;
  if (named.type === "namespace_operator") {
    const [left, , right] = [...syntax.children(named)];
    const name = nameOf(syntax, right);
    return name === null ? null : { package: nameOf(syntax, left), name };
  }
  if (named.type === "extract_operator") return memberNamed(syntax, named);
  const name = nameOf(syntax, named);
  return name === null ? null : { package: null, name };
}

function memberNamed(syntax: Syntax, node: SyntaxNode): Callee | null {
  const [left, , right] = [...syntax.children(node)];
  if (left?.type !== "call") return null;
  const source = calleeOf(syntax, left);
  const name = nameOf(syntax, right);
  if (!source || !environments.has(source.name) || name === null) return null;
  const [first] = argumentsOf(syntax, left);
  return { package: first?.value?.type === "string" ? stringValue(syntax, first.value) : "base", name };
}

export function calleeOf(syntax: Syntax, call: SyntaxNode): Callee | null {
  return functionNamed(syntax, syntax.nodes[call.index + 1]);
}

/** Several rules ask for those of every call. */
const known = new WeakMap<SyntaxNode, readonly Argument[]>();

export function argumentsOf(syntax: Syntax, call: SyntaxNode): readonly Argument[] {
  const found = known.get(call) ?? readArguments(syntax, call);
  known.set(call, found);
  return found;
}

function readArguments(syntax: Syntax, call: SyntaxNode): Argument[] {
  const called = syntax.firstChild(call);
  const list = called && syntax.nextSibling(called);
  if (list?.type !== "arguments") return [];
  const found: Argument[] = [];
  for (let argument = syntax.firstChild(list); argument; argument = syntax.nextSibling(argument)) {
    if (argument.type !== "argument") continue;
    let name: SyntaxNode | undefined;
    let value: SyntaxNode | undefined;
    for (let part = syntax.firstChild(argument); part; part = syntax.nextSibling(part)) {
      if (part.field === "name") name ??= part;
      if (part.field === "value") value ??= part;
    }
    found.push({ name: name ? (nameOf(syntax, name) ?? syntax.textOf(name)) : null, value });
  }
  return found;
}

/** The argument of this name, or the one in this place among those without a name. */
export function argumentOf(list: readonly Argument[], name: string, place: number): SyntaxNode | undefined {
  const named = list.find((argument) => argument.name === name);
  return (named ?? list.filter((argument) => argument.name === null)[place])?.value;
}

const leftward = new Set(["<-", "<<-", "=", ":="]);
const rightward = new Set(["->", "->>"]);

export interface Assignment {
  target: SyntaxNode;
  value: SyntaxNode;
}

/** What an operator assigns; null for other nodes. */
export function assignmentOf(syntax: Syntax, node: SyntaxNode): Assignment | null {
  if (node.type !== "binary_operator") return null;
  const left = syntax.firstChild(node);
  const operator = left && syntax.nextSibling(left);
  const right = operator && syntax.nextSibling(operator);
  if (!left || !operator || !right) return null;
  const sign = syntax.textOf(operator);
  if (leftward.has(sign)) return { target: left, value: right };
  return rightward.has(sign) ? { target: right, value: left } : null;
}

/** The parameters of a function as written. */
export function parametersOf(syntax: Syntax, definition: SyntaxNode): { name: string; default: string | null }[] {
  const list = [...syntax.children(definition)].find(({ type }) => type === "parameters");
  if (!list) return [];
  return [...syntax.children(list)].flatMap((parameter) => {
    const parts = [...syntax.children(parameter)];
    const name = nameOf(
      syntax,
      parts.find(({ field }) => field === "name"),
    );
    const value = parts.find(({ field }) => field === "default");
    return name === null ? [] : [{ name, default: value ? syntax.excerptOf(value) : null }];
  });
}
