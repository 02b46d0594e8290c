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
const environments = new Set(
  [
    ["baseenv", "asNamespace", "getNamespace", "loadNamespace", "as.environment", "topenv", "environment"],
    ["parent.env", "ns_env", "base_env", "pkg_env"],
  ].flat(),
);
/** Functions that return the same functions in another form. */
const copying = new Set(["as.list", "as.list.environment", "identity", "rev", "c", "mget", "eapply", "force"]);

/** What an expression in parentheses or braces comes down to, and the first that an `if` chooses from. */
export function plain(syntax: Syntax, node: SyntaxNode | undefined): SyntaxNode | undefined {
  let inner = node;
  while (inner && wrapping.has(inner.type)) {
    const parts = [...syntax.children(inner)];
    inner = inner.type === "if_statement" ? parts[1] : parts.at(-1);
  }
  return inner;
}
const wrapping = new Set(["parenthesized_expression", "braced_expression", "if_statement"]);

/** The function that a node names: `f`, `"f"`, `p::f`, `(f)`, `{f}`, `baseenv()$f`; null for what is computed. */
export function functionNamed(syntax: Syntax, node: SyntaxNode | undefined): Callee | null {
  const named = plain(syntax, node);
  if (!named) return null;
  if (named.type === "namespace_operator") {
    const [left, , right] = [...syntax.children(named)];
    const name = nameOf(syntax, right);
    return name === null ? null : { package: nameOf(syntax, left), name };
  }
  if (named.type === "extract_operator" || named.type === "subset2") return memberNamed(syntax, named);
  const name = nameOf(syntax, named);
  return name === null ? null : { package: null, name };
}

function memberNamed(syntax: Syntax, node: SyntaxNode): Callee | null {
  const left = syntax.firstChild(node);
  const from = left && environmentOf(syntax, left);
  const member = node.type === "subset2" ? argumentsOf(syntax, node)[0]?.value : [...syntax.children(node)][2];
  const name = member?.type === "string" || node.type !== "subset2" ? nameOf(syntax, member) : null;
  return from === undefined || name === null ? null : { package: from, name };
}

const deepestCopy = 5;
const simple = new Set(["identifier", "namespace_operator", "string"]);

/** The package whose functions an expression contains: `asNamespace("stats")`, `as.list(baseenv())`. */
export function environmentOf(syntax: Syntax, given: SyntaxNode): string | undefined {
  let node: SyntaxNode | undefined = given;
  for (let depth = 0; node && depth < deepestCopy; depth++) {
    if (node.type === "identifier") return syntax.textOf(node) === ".BaseNamespaceEnv" ? "base" : undefined;
    if (node.type !== "call") return undefined;
    // Of a chain of calls, only the first one: asking each for the one before would take long.
    const called: SyntaxNode | undefined = syntax.nodes[node.index + 1];
    const name: string = (called && simple.has(called.type) && functionNamed(syntax, called)?.name) || "";
    const first: SyntaxNode | undefined = argumentsOf(syntax, node)[0]?.value;
    if (environments.has(name)) return first?.type === "string" ? stringValue(syntax, first) : "base";
    node = copying.has(name) ? first : undefined;
  }
  return undefined;
}

const pipes = new Set(["|>", "%>%", "%|>%", "%T>%", "%!>%", "%<>%", "%$%"]);

/** What a pipe gives, and to what. */
export function pipeOf(syntax: Syntax, node: SyntaxNode | undefined): { from: SyntaxNode; to: SyntaxNode } | null {
  if (node?.type !== "binary_operator") return null;
  const from = syntax.firstChild(node);
  const operator = from && syntax.nextSibling(from);
  const to = operator && syntax.nextSibling(operator);
  return from && operator && to && pipes.has(syntax.textOf(operator)) ? { from, to } : null;
}

/** A call, or a function without parentheses after a pipe: `x %>% f`. */
export const isCall = (syntax: Syntax, node: SyntaxNode): boolean => {
  if (node.type === "call") return true;
  const to = pipeOf(syntax, node)?.to;
  return to !== undefined && (to.type === "identifier" || to.type === "namespace_operator");
};

/** Of a call, or of what `isCall`. */
export function calleeOf(syntax: Syntax, call: SyntaxNode): Callee | null {
  const pipe = pipeOf(syntax, call);
  return functionNamed(syntax, pipe ? pipe.to : syntax.nodes[call.index + 1]);
}

/** Several rules ask for those of every call. */
const known = new WeakMap<SyntaxNode, readonly Argument[]>();

export function argumentsOf(syntax: Syntax, call: SyntaxNode): readonly Argument[] {
  const found = known.get(call) ?? readArguments(syntax, call);
  known.set(call, found);
  return found;
}

function readArguments(syntax: Syntax, call: SyntaxNode): Argument[] {
  const whole = pipeOf(syntax, call);
  if (whole) return [{ name: null, value: whole.from }];
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
  return withPiped(syntax, call, found);
}

/** A pipe gives the first argument, or the one that is written as `_` or `.`. */
function withPiped(syntax: Syntax, call: SyntaxNode, list: Argument[]): Argument[] {
  const pipe = pipeOf(syntax, syntax.parent(call));
  if (!pipe || pipe.to.index !== call.index) return list;
  const isPlace = ({ value }: Argument) =>
    value !== undefined && value.end === value.start + 1 && ["_", "."].includes(syntax.textOf(value));
  const given = list.map((one) => (isPlace(one) ? { ...one, value: pipe.from } : one));
  return list.some(isPlace) ? given : [{ name: null, value: pipe.from }, ...list];
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
