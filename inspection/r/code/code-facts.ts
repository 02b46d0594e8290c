import type { Signal } from "@packhouse/contract/review/inspection";
import type { ParsedFile } from "../../technology-inspector.ts";
import { type Namespace, readNamespace } from "../interface/namespace.ts";
import { argumentsOf, assignmentOf, calleeOf } from "./calls.ts";
import { decodedCodeOf, decodes } from "./decoded-code.ts";
import { type Definition, definitionsOf, topLevel } from "./definitions.ts";
import { Findings } from "./findings.ts";
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
const mostMentions = 2000;
const mostRunning = 500;
const testFunctions = new Set(["test_that", "it", "test"]);

export function codeFacts({ path, text, root }: ParsedFile): CodeFacts {
  const syntax = new Syntax(root, text);
  const findings = new Findings(syntax, path);
  const isNamespace = path === "NAMESPACE";
  const reach: Reach = isNamespace ? { certain: [], named: [] } : reachOf(syntax, findings);
  const dependent = isNamespace ? [] : decodedCodeOf(syntax, findings);
  const running = isNamespace ? conditionCalls(syntax, findings) : runningCalls(syntax, path, findings);
  reportUnread(syntax, findings);
  return {
    namespace: isNamespace ? readNamespace(syntax) : null,
    definitions: isDefinedIn(path) ? definitionsOf(syntax) : [],
    functions: isDefinedIn(path) ? functionsOf(syntax, reach) : [],
    attached: attachedBy(syntax),
    signals: findings.signals,
    named: reach.named.flatMap(({ node, name, packages, watched }) => {
      const signal = findings.signalAt(node, { id: watched.signal, level: watched.level, subject: name });
      return usesOf(name, packages).map((use) => ({ ...use, signal }));
    }),
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

/** Syntax errors are reported where files are parsed. */
function reportUnread(syntax: Syntax, findings: Findings): void {
  const last = syntax.nodes.at(-1);
  if (!syntax.complete && last) findings.add(last, { id: "unparsed", level: "notice", subject: "size", excerpt: null });
}

function functionsOf(syntax: Syntax, reach: Reach): OwnFunction[] {
  const reaching = reach.certain.filter(({ signal }) => signal === "process" || signal === "network");
  return [...topLevel(syntax)].flatMap((node): OwnFunction[] => {
    const assignment = assignmentOf(syntax, node);
    const name = assignment && nameOf(syntax, assignment.target);
    if (!assignment || !name || assignment.value.type !== "function_definition") return [];
    const isWithin = (one: { node: SyntaxNode }) => one.node.index >= node.index && one.node.index <= node.last;
    const mentions = new Set<string>();
    for (const one of syntax.within(assignment.value))
      if (one.type === "identifier" && mentions.size < mostMentions) mentions.add(syntax.textOf(one));
    return [
      {
        name,
        mentions,
        reaches: reaching.some(isWithin),
        reachesIf: reach.named
          .filter((one) => isWithin(one) && one.watched.level === "warning")
          .flatMap((one) => usesOf(one.name, one.packages)),
        decodes: [...mentions].some(decodes),
      },
    ];
  });
}

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
