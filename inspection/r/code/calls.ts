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

export function argumentsOf(syntax: Syntax, call: SyntaxNode): Argument[] {
  const list = [...syntax.children(call)][1];
  if (list?.type !== "arguments") return [];
  const found: Argument[] = [];
  for (const argument of syntax.children(list)) {
    if (argument.type !== "argument") continue;
    const parts = [...syntax.children(argument)];
    const name = parts.find(({ field }) => field === "name");
    found.push({
      name: name ? (nameOf(syntax, name) ?? syntax.textOf(name)) : null,
      value: parts.find(({ field }) => field === "value"),
    });
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
  const [left, operator, right] = [...syntax.children(node)];
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
