import type { Signal } from "@packhouse/contract/review/inspection";
import type { SignalId } from "@packhouse/contract/review/signals";
import type { ParsedFile } from "../../technology-inspector.ts";
import { type Namespace, readNamespace } from "../interface/namespace.ts";
import { isCutShort } from "./built-text.ts";
import { argumentsOf, assignmentOf, calleeOf, isCall, parametersOf } from "./calls.ts";
import { decodedCodeOf, decodes } from "./decoded-code.ts";
import { type Definition, definitionsOf, topLevel } from "./definitions.ts";
import { Findings } from "./findings.ts";
import { memberCalled, namesGiven } from "./given.ts";
import { nameOf } from "./literals.ts";
import { conditionCalls, hookCalls, type RunningCall, topLevelCalls } from "./loading.ts";
import { type Reach, reachOf } from "./reach.ts";
import { Syntax, type SyntaxNode } from "./syntax.ts";

/** A function of the package, as far as others depend on it. */
export interface OwnFunction {
  name: string;
  /** Names in its code, among them the functions that it calls. */
  mentions: ReadonlySet<string>;
  /** It starts programs or connects somewhere. */
  reaches: boolean;
  /** It does so if these are the functions that their names suggest. */
  reachesIf: readonly NamedUse[];
  decodes: boolean;
  /** Runs a function that it is given. */
  runsParameter: boolean;
  /** Whether its name means it wherever the package is loaded; not a member of an object, or in a condition. */
  isCertain: boolean;
}

export interface NamedUse {
  name: string;
  /** One of the packages that the function may come from; null if it is attached anyway. */
  package: string | null;
}

/** What one file of R code defines and does. */
export interface CodeFacts {
  namespace: Namespace | null;
  definitions: Definition[];
  functions: OwnFunction[];
  /** Packages that the file attaches. */
  attached: ReadonlySet<string>;
  signals: Signal[];
  /** Signals if the function is the one that its name suggests. */
  named: (NamedUse & { signal: Signal })[];
  /** Signals if the package's own function runs what it is given. */
  given: { to: string; signal: Signal }[];
  running: RunningCall[];
  /** Signals if one of the functions decodes. */
  dependent: { signal: Signal; functions: readonly string[] }[];
  /** Calls of `test_that` and similar. */
  tests: number;
}

const isDefinedIn = (path: string): boolean => path.startsWith("R/");
/** Code that runs while the package is built or installed. */
const runsAtInstallation = (path: string): boolean =>
  isDefinedIn(path) || path.startsWith("data/") || path === "inst/CITATION";
const mostMentions = 20_000;
const mostRunning = 1000;
const testFunctions = new Set(["test_that", "it", "test"]);

export function codeFacts({ path, text, root }: ParsedFile): CodeFacts {
  const syntax = new Syntax(root, text);
  const findings = new Findings(syntax, path);
  const isNamespace = path === "NAMESPACE";
  const reach: Reach = isNamespace ? { certain: [], named: [], given: [] } : reachOf(syntax, findings);
  const dependent = isNamespace ? [] : decodedCodeOf(syntax, findings);
  const running = isNamespace ? conditionCalls(syntax, findings) : runningCalls(syntax, path, findings);
  if (running.length > mostRunning) findings.leaveOut();
  reportUnread(syntax, findings);
  return {
    namespace: isNamespace ? readNamespace(syntax) : null,
    definitions: isDefinedIn(path) ? definitionsOf(syntax) : [],
    functions: isDefinedIn(path) ? functionsOf(syntax, { path, reach }) : [],
    attached: attachedBy(syntax),
    signals: findings.signals,
    named: reach.named.flatMap(({ node, name, packages, watched }) => {
      const signal = findings.signalAt(node, { id: watched.signal, level: watched.level, subject: name });
      return usesOf(name, packages).map((use) => ({ ...use, signal }));
    }),
    given: reach.given.map(({ node, name, to, watched }) => ({
      to,
      signal: findings.signalAt(node, { id: watched.signal, level: watched.level, subject: name }),
    })),
    running: running.slice(0, mostRunning),
    dependent: dependent.map(({ node, subject, functions }) => ({
      signal: findings.signalAt(node, { id: "decoded-code", level: "danger", subject }),
      functions,
    })),
    tests: syntax.nodes.filter((node) => node.type === "call" && testFunctions.has(calleeOf(syntax, node)?.name ?? ""))
      .length,
  };
}

const usesOf = (name: string, packages: readonly string[]): NamedUse[] =>
  packages.length === 0 ? [{ name, package: null }] : packages.map((one) => ({ name, package: one }));

function runningCalls(syntax: Syntax, path: string, findings: Findings): RunningCall[] {
  if (!runsAtInstallation(path)) return [];
  return [...hookCalls(syntax, findings), ...topLevelCalls(syntax, findings)];
}

/** Of a file with more code than is read: it counts as not examined. */
function reportUnread(syntax: Syntax, findings: Findings): void {
  if (!syntax.complete || isCutShort(syntax)) findings.leaveOut();
}

interface Reached {
  path: string;
  reach: Reach;
}

function functionsOf(syntax: Syntax, { path, reach }: Reached): OwnFunction[] {
  const isReaching = ({ signal }: { signal: SignalId }) => signal === "process" || signal === "network";
  const certain = new Places(reach.certain.filter(isReaching));
  const named = new Places(reach.named.filter(({ watched }) => watched.level === "warning"));
  return [...definedFunctions(syntax, path)].map(({ node, name, isCertain }): OwnFunction => {
    const parameters = new Set(parametersOf(syntax, node).map((parameter) => parameter.name));
    const object = name.split("$")[0] ?? "";
    const mentions = new Set<string>();
    let runsParameter = false;
    for (const one of syntax.within(node)) {
      if (mentions.size >= mostMentions) break;
      const member = memberCalled(syntax, one);
      if (one.type === "identifier") mentions.add(syntax.textOf(one));
      else if (member !== null) mentions.add(member.replace(/^(?:self|private|super|\.self)\$/, `${object}$`));
      if (runsParameter || !isCall(syntax, one)) continue;
      const names = [calleeOf(syntax, one)?.name ?? "", ...namesGiven(syntax, one)];
      runsParameter = names.some((called) => parameters.has(called));
    }
    return {
      name,
      mentions,
      reaches: certain.within(node).length > 0,
      reachesIf: named.within(node).flatMap((one) => usesOf(one.name, one.packages)),
      decodes: [...mentions].some(decodes),
      runsParameter,
      isCertain,
    };
  });
}

/** Nodes of one kind, found by where they are. */
class Places<One extends { node: SyntaxNode }> {
  readonly #sorted: One[];

  constructor(all: readonly One[]) {
    this.#sorted = all.toSorted((a, b) => a.node.index - b.node.index);
  }

  within({ index, last }: SyntaxNode): One[] {
    const start = this.#firstFrom(index);
    return this.#sorted.slice(start, Math.max(start, this.#firstFrom(last + 1)));
  }

  #firstFrom(index: number): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle]?.node.index ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

interface Defined {
  node: SyntaxNode;
  name: string;
  isCertain: boolean;
}

/** Functions of the top level, and those in what it assigns: `h <- list(run = function() 1)` defines `h$run`. */
function* definedFunctions(syntax: Syntax, path: string): Generator<Defined> {
  const isInFolder = path.split("/").length > 2;
  for (const node of topLevel(syntax)) {
    const { name, value } = assignedAt(syntax, node) ?? {};
    if (!name || !value) continue;
    const isCertain = !isInFolder && node.parent === 0 && value.type === "function_definition";
    for (let index = value.index; index <= value.last; index++) {
      const one = syntax.nodes[index];
      if (one?.type !== "function_definition") continue;
      const above = syntax.parent(one);
      const member = above?.type === "argument" ? nameOf(syntax, memberName(syntax, above)) : null;
      yield { node: one, name: member === null ? name : `${name}$${member}`, isCertain };
      index = one.last;
    }
  }
}

const memberName = (syntax: Syntax, argument: SyntaxNode): SyntaxNode | undefined =>
  [...syntax.children(argument)].find(({ field }) => field === "name");

/** `f <- function() 1`, `h$f <- function() 1`, `assign("f", function() 1)`, `setMethod("f", "A", function(x) 1)` */
function assignedAt(syntax: Syntax, node: SyntaxNode): { name: string; value: SyntaxNode } | null {
  const assignment = assignmentOf(syntax, node);
  if (assignment) {
    const name = nameOf(syntax, assignment.target) ?? memberCalled(syntax, assignment.target);
    return name === null ? null : { name, value: assignment.value };
  }
  if (node.type !== "call" || !naming.has(calleeOf(syntax, node)?.name ?? "")) return null;
  const [first, ...others] = argumentsOf(syntax, node);
  const name = nameOf(syntax, first?.value);
  const value = others.findLast((one) => one.value?.type === "function_definition")?.value;
  return name === null || !value ? null : { name, value };
}
const naming = new Set(["assign", "setMethod", "setGeneric"]);

function attachedBy(syntax: Syntax): Set<string> {
  const found = new Set<string>();
  for (const node of syntax.nodes) {
    if (node.type !== "call" || !["library", "require"].includes(calleeOf(syntax, node)?.name ?? "")) continue;
    const [first] = argumentsOf(syntax, node);
    const name = nameOf(syntax, first?.value);
    if (name !== null) found.add(name);
  }
  return found;
}
