import type { Parameter } from "@packhouse/contract/review/inspection";
import { argumentOf, argumentsOf, assignmentOf, calleeOf, parametersOf } from "./calls.ts";
import { nameOf, stringValue } from "./literals.ts";
import type { Syntax, SyntaxNode } from "./syntax.ts";

/** A name that a file defines when it is read. */
export interface Definition {
  name: string;
  kind: "function" | "constant" | "object" | "s4-class" | "s4-method";
  /** Null for what is not called, and where they are unknown. */
  parameters: Parameter[] | null;
  line: number;
}

const blocks = new Set(["program", "braced_expression", "parenthesized_expression"]);

/** The expressions that run when a file is read, also those in top-level `if` and `{`. */
export function* topLevel(syntax: Syntax): Generator<SyntaxNode> {
  let node = syntax.nodes[0];
  while (node) {
    if (blocks.has(node.type)) node = syntax.nodes[node.index + 1];
    else if (node.type === "if_statement") {
      const condition = syntax.nodes[node.index + 1];
      node = condition && syntax.nodes[condition.last + 1];
    } else {
      yield node;
      node = syntax.nodes[node.last + 1];
    }
  }
}

/** Everything that the top level of a file defines. */
export function definitionsOf(syntax: Syntax): Definition[] {
  const found: Definition[] = [];
  for (const node of topLevel(syntax)) {
    const assignment = assignmentOf(syntax, node);
    if (assignment) found.push(...assigned(syntax, node));
    else if (node.type === "call") found.push(...definedByCall(syntax, node));
  }
  return found;
}

/** `a <- b <- value` defines both names. */
function assigned(syntax: Syntax, node: SyntaxNode): Definition[] {
  const names: SyntaxNode[] = [];
  let value = node;
  for (let next = assignmentOf(syntax, value); next; next = assignmentOf(syntax, value)) {
    names.push(next.target);
    value = next.value;
  }
  const byCall = value.type === "call" ? definedByCall(syntax, value) : [];
  const { kind, parameters } = shapeOf(syntax, value);
  const own = names.flatMap((target): Definition[] => {
    const name = nameOf(syntax, target);
    return name === null ? [] : [{ name, kind, parameters, line: syntax.lineOf(target) }];
  });
  return [...byCall, ...own];
}

const literals = new Set(["string", "integer", "float", "complex", "true", "false", "null", "inf", "nan", "na"]);

function shapeOf(syntax: Syntax, value: SyntaxNode): Pick<Definition, "kind" | "parameters"> {
  if (value.type === "function_definition") return { kind: "function", parameters: formals(syntax, value) };
  return { kind: isConstant(syntax, value) ? "constant" : "object", parameters: null };
}

const formals = (syntax: Syntax, definition: SyntaxNode): Parameter[] =>
  parametersOf(syntax, definition).map(({ name, default: value }) => ({
    name,
    default: value,
    annotation: null,
    kind: name === "..." ? "rest" : "any",
  }));

/** A literal, or `c()` of literals. */
function isConstant(syntax: Syntax, value: SyntaxNode): boolean {
  const unsigned = value.type === "unary_operator" ? [...syntax.children(value)].at(-1) : value;
  if (!unsigned) return false;
  if (literals.has(unsigned.type)) return true;
  if (unsigned.type !== "call" || calleeOf(syntax, unsigned)?.name !== "c") return false;
  const list = argumentsOf(syntax, unsigned);
  return list.length > 0 && list.every((argument) => literals.has(argument.value?.type ?? ""));
}

const classDefinitions = new Set(["setClass", "setClassUnion", "setOldClass"]);
const methodDefinitions = new Set(["setMethod", "setReplaceMethod"]);

/** Calls that define something under a name that they are given. */
function definedByCall(syntax: Syntax, call: SyntaxNode): Definition[] {
  const callee = calleeOf(syntax, call)?.name ?? "";
  const list = argumentsOf(syntax, call);
  const line = syntax.lineOf(call);
  const first = list.find((argument) => argument.name !== "where")?.value;
  const name = first ? firstString(syntax, first) : null;
  if (name === null) return [];
  if (classDefinitions.has(callee)) return [{ name, kind: "s4-class", parameters: null, line }];
  if (callee === "setGeneric") {
    const definition = argumentOf(list, "def", 1);
    const parameters = definition?.type === "function_definition" ? formals(syntax, definition) : null;
    return [{ name, kind: "function", parameters, line }];
  }
  if (methodDefinitions.has(callee)) {
    const definition = argumentOf(list, "definition", 2);
    const parameters = definition?.type === "function_definition" ? formals(syntax, definition) : null;
    const generic = callee === "setReplaceMethod" ? `${name}<-` : name;
    const classes = signatureOf(syntax, argumentOf(list, "signature", 1));
    return [{ name: [generic, ...classes].join(","), kind: "s4-method", parameters, line }];
  }
  if (callee === "assign" || callee === "delayedAssign") {
    const value = argumentOf(list, "value", 1);
    return [{ name, ...(value ? shapeOf(syntax, value) : { kind: "object", parameters: null }), line }];
  }
  return callee === "makeActiveBinding" ? [{ name, kind: "object", parameters: null, line }] : [];
}

/** The first string: of `setOldClass(c("a", "b"))`, `a`. */
function firstString(syntax: Syntax, node: SyntaxNode): string | null {
  if (node.type === "string") return stringValue(syntax, node);
  const [first] = node.type === "call" && calleeOf(syntax, node)?.name === "c" ? argumentsOf(syntax, node) : [];
  return first?.value?.type === "string" ? stringValue(syntax, first.value) : null;
}

/** The classes of `"A"`, `c("A", "B")` and `signature(x = "A", y = "B")`. */
function signatureOf(syntax: Syntax, node: SyntaxNode | undefined): string[] {
  if (!node) return [];
  return [...syntax.within(node, 50)].flatMap((one) => {
    const isValue = one.type === "string" && one.field !== "name";
    return isValue ? [stringValue(syntax, one)] : [];
  });
}
