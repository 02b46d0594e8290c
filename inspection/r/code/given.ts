import { argumentOf, argumentsOf, calleeOf, isCall, pipeOf, plain } from "./calls.ts";
import { nameOf } from "./literals.ts";
import type { Syntax, SyntaxNode } from "./syntax.ts";
import { applying, keeping, mapping, runningLater } from "./watched-functions.ts";

/** Which functions run because something is given to others, or is computed where a function is called. */

/** Take the name of a function as text. */
export const callers: ReadonlySet<string> = new Set([
  "do.call",
  "match.fun",
  "getFunction",
  "getExportedValue",
  "getFromNamespace",
  "call",
]);
/** Return a function by its name. */
export const getters: ReadonlySet<string> = new Set([
  ...["get", "get0", "mget", "dynGet", "as.name", "as.symbol", "sym", "getAnywhere", "exec", "invoke", "call2"],
  ...["as_function", "forceAndCall"],
]);

const mostNames = 20;
const mostNodes = 60;

/** Names of functions that a call runs in addition to the one that it names. */
export function namesGiven(syntax: Syntax, call: SyntaxNode): string[] {
  const name = calleeOf(syntax, call)?.name ?? "";
  const list = argumentsOf(syntax, call).slice(0, mostNames);
  const place = applying.get(name);
  const given = place && argumentOf(list, ...place);
  const function_ = nameOf(syntax, given);
  const found: (string | null)[] = place ? [function_] : [];
  const takesNames = callers.has(name) || getters.has(name) || callers.has(function_ ?? "");
  const takesFunctions = mapping.has(name) || runningLater.has(name) || applying.has(name);
  for (const { value } of list)
    if (value && (takesNames || (takesFunctions && value.type === "identifier"))) found.push(nameOf(syntax, value));
  if (call.type === "call") found.push(...namesInCallee(syntax, call));
  return found.filter((one) => one !== null).slice(0, mostNames);
}

/** `list(f)[[1]](x)`, `(if (a) f)(x)`: what is called is one of those. */
function* namesInCallee(syntax: Syntax, call: SyntaxNode): Generator<string> {
  const called = syntax.nodes[call.index + 1];
  if (!called || called.index === called.last) return;
  const member = memberCalled(syntax, called);
  if (member !== null) yield member;
  if (called.type === "extract_operator" || called.type === "namespace_operator") return;
  for (const node of syntax.within(called, mostNodes)) if (node.type === "identifier") yield syntax.textOf(node);
}

/** `h$run`; the function that makes an object is the one of its class. */
export function memberCalled(syntax: Syntax, node: SyntaxNode | undefined): string | null {
  if (node?.type !== "extract_operator" && node?.type !== "subset2") return null;
  const left = syntax.firstChild(node);
  if (left?.type !== "identifier") return null;
  const right = node.type === "subset2" ? argumentsOf(syntax, node)[0]?.value : [...syntax.children(node)][2];
  const name = nameOf(syntax, right);
  return name === null ? null : `${syntax.textOf(left)}$${name === "new" ? "initialize" : name}`;
}

const wrapping = new Set(["parenthesized_expression", "braced_expression", "if_statement"]);
const picking = new Set(["subset", "subset2", "extract_operator"]);
const deepest = 20;

export type Taker = "runs" | { function: string } | null;

/** What a function is given to: something that runs it, a function of this name, or nothing that is known. */
export function takerOf(syntax: Syntax, given: SyntaxNode): Taker {
  let node = given;
  for (let depth = 0; depth < deepest; depth++) {
    const above = syntax.parent(node);
    if (!above) return null;
    if (isCall(syntax, above) && syntax.nodes[above.index + 1] === node && above.type === "call") return "runs";
    const pipe = pipeOf(syntax, above);
    if (pipe) return pipe.to === node ? "runs" : takenBy(syntax, pipe.to);
    if (wrapping.has(above.type) || picking.has(above.type)) node = above;
    else if (above.type === "argument") {
      const list = syntax.parent(above);
      const call = list && syntax.parent(list);
      if (call?.type !== "call") return null;
      const taken = takenBy(syntax, call);
      if (taken === "runs" || isCalled(syntax, call)) return "runs";
      if (!keeping.has(taken?.function ?? "")) return taken;
      node = call;
    } else return null;
  }
  return null;
}

/** What a call returns is called: `identity(system)("id")`. */
const isCalled = (syntax: Syntax, call: SyntaxNode): boolean =>
  syntax.parent(call)?.type === "call" && syntax.nodes[call.parent + 1] === call;

function takenBy(syntax: Syntax, call: SyntaxNode): { function: string } | "runs" | null {
  const callee = calleeOf(syntax, call);
  // A function without a name: `(function(f) f("id"))(system)`.
  if (!callee) return plain(syntax, syntax.nodes[call.index + 1])?.type === "function_definition" ? "runs" : null;
  const { name } = callee;
  if (keeping.has(name)) return { function: name };
  return applying.has(name) || mapping.has(name) || runningLater.has(name) ? "runs" : { function: name };
}
