import type { SignalId } from "@packhouse/contract/review/signals";
import { isHiddenCommand } from "../../rules/suspicious-texts.ts";
import { type Assigned, assignedIn, beginningOf, builtText, namedIn } from "./built-text.ts";
import { type Argument, argumentsOf, assignmentOf, calleeOf, functionNamed } from "./calls.ts";
import { inspectChange, inspectEnvironment } from "./environment.ts";
import type { Findings } from "./findings.ts";
import { inspectPath, inspectRemoval, removers } from "./home-folder.ts";
import { nameOf, stringValue } from "./literals.ts";
import type { Syntax, SyntaxNode } from "./syntax.ts";
import { packagesWith, unmistakable, type Watched, watchedAttached, watchedIn } from "./watched-functions.ts";

/** A call that reaches something if its function is what the name suggests; NAMESPACE and the package decide that. */
export interface NamedCall {
  node: SyntaxNode;
  name: string;
  /** Packages that have such a function; empty if it is attached anyway. */
  packages: readonly string[];
  watched: Watched;
}

/** Uses of watched functions, in the order of the text, and what else reaches outside of the package. */
export interface Reach {
  /** Nodes that reach something for certain. */
  certain: { node: SyntaxNode; signal: SignalId }[];
  named: NamedCall[];
}

const callers = new Set(["do.call", "match.fun", "getFunction", "getExportedValue", "getFromNamespace", "call"]);
const getters = new Set(["get", "get0", "mget", "dynGet", "as.name", "as.symbol", "sym", "getAnywhere"]);
const readers = new Set(
  [
    ["readLines", "source", "sys.source", "scan", "readRDS", "load", "file", "gzcon", "parse", "readChar", "readBin"],
    ["read.csv", "read.csv2", "read.table", "read.delim", "read.dcf", "fromJSON", "stream_in", "read_html", "read_xml"],
    ["read_csv", "read_tsv", "read_delim", "read_lines", "read_file", "read_rds", "fread", "vroom", "read_json"],
    ["read_parquet", "import"],
  ].flat(),
);

/** In one file. More of them help no reviewer. */
const mostUses = 500;

/** Looks at every node once. */
export function reachOf(syntax: Syntax, findings: Findings): Reach {
  const found: Reach = { certain: [], named: [] };
  const context = { syntax, findings, found, values: assignedIn(syntax), defined: definedIn(syntax) };
  for (const node of syntax.nodes) {
    if (found.certain.length + found.named.length > mostUses) break;
    if (node.type === "call") inspectCall(node, context);
    else if (node.type === "namespace_operator") inspectQualified(node, context);
    else if (node.type === "string") inspectPath(syntax, node, findings);
    else if (node.type === "identifier") inspectValue(node, context);
  }
  return found;
}

interface Context {
  syntax: Syntax;
  findings: Findings;
  found: Reach;
  values: Assigned;
  /** Names that the file gives to something of its own. */
  defined: ReadonlySet<string>;
}

function definedIn(syntax: Syntax): ReadonlySet<string> {
  const found = new Set<string>(namedIn(syntax));
  for (const node of syntax.nodes) {
    const name = nameOf(syntax, assignmentOf(syntax, node)?.target);
    if (name !== null) found.add(name);
  }
  return found;
}

interface Use extends Watched {
  /** The name of the function. */
  name: string;
}

function report({ findings, found }: Pick<Context, "findings" | "found">, node: SyntaxNode, use: Use): void {
  const { signal, level, name } = use;
  findings.add(node, { id: signal, level, subject: name });
  found.certain.push({ node, signal });
}

/** `base::system`, called or given to something. */
function inspectQualified(node: SyntaxNode, context: Context): void {
  const { syntax } = context;
  const callee = functionNamed(syntax, node);
  const watched = callee?.package ? watchedIn(callee.package, callee.name) : undefined;
  if (!callee || !watched) return;
  const above = syntax.parent(node);
  const isCalled = above?.type === "call" && above.index + 1 === node.index;
  // `processx::process$new(…)`
  const method = above?.type === "extract_operator" ? syntax.parent(above) : undefined;
  const shown = isCalled ? above : method?.type === "call" ? method : node;
  report(context, shown, { ...watched, name: callee.name });
}

function inspectCall(node: SyntaxNode, context: Context): void {
  const { syntax, findings, found } = context;
  const callee = calleeOf(syntax, node);
  if (!callee) return;
  const { name } = callee;
  const list = argumentsOf(syntax, node);
  const called = syntax.nodes[node.index + 1];
  if (called?.type === "extract_operator") {
    const watched = callee.package ? watchedIn(callee.package, name) : undefined;
    if (watched) report(context, node, { ...watched, name });
  } else if (callee.package === null) {
    const attached = watchedAttached(name);
    if (attached) found.named.push({ node, name, packages: [], watched: attached });
    else
      for (const one of packagesWith(name)) {
        const watched = watchedIn(one, name);
        if (watched) found.named.push({ node, name, packages: [one], watched });
      }
  }
  if (commands.has(name)) inspectCommand(node, context, name);
  inspectNamed(node, { ...context, name, list });
  if (name === "Sys.getenv") inspectEnvironment(syntax, node, list, findings);
  if (name === "Sys.setenv") inspectChange(node, list, findings);
  if (removers.has(name)) inspectRemoval(syntax, node, findings);
  if (readers.has(name)) inspectReader(node, { ...context, name, list });
  const [first] = list;
  if ((name === ".C" || name === ".Fortran") && first?.value?.type === "string")
    if (stringValue(syntax, first.value) === "system")
      report(context, node, { signal: "process", level: "warning", name });
}

const commands = new Set(["system", "system2", "shell", "pipe", "run", "process", "exec_wait", "exec_internal"]);

/** A command that fetches what it runs, or hides it. */
function inspectCommand(node: SyntaxNode, { syntax, findings }: Context, name: string): void {
  const texts = [...syntax.within(node, 100)].filter(({ type }) => type === "string");
  const command = texts.map((one) => stringValue(syntax, one).slice(0, 2_000)).join(" ");
  if (isHiddenCommand(command)) findings.add(node, { id: "decoded-code", level: "danger", subject: name });
}

interface CallContext extends Context {
  name: string;
  list: readonly Argument[];
}

/** Functions by name: `do.call("system", …)`, `get("system")`. */
function inspectNamed(node: SyntaxNode, context: CallContext): void {
  const { syntax, findings, values, name: caller, list } = context;
  const takesName = callers.has(caller);
  if (!takesName && !getters.has(caller)) return;
  for (const { value } of list.slice(0, 3)) {
    const built = value && builtText(syntax, value, values);
    const watched = built && (takesName || unmistakable.has(built.text)) ? watchedAttached(built.text) : undefined;
    if (!built || !watched) continue;
    report(context, node, { ...watched, name: built.text });
    if (built.isBuilt) findings.add(node, { id: "decoded-code", level: "danger", subject: built.text });
  }
}

/** A function that is given to something: `lapply(x, system)`, `run <- system`, `function(run = system)`. */
function inspectValue(node: SyntaxNode, context: Context): void {
  const { syntax, defined } = context;
  const name = nameOf(syntax, node) ?? "";
  const watched = unmistakable.has(name) ? watchedAttached(name) : undefined;
  if (!watched || defined.has(name)) return;
  const above = syntax.parent(node);
  const isDefault = above?.type === "parameter" && node.field === "default";
  const isGiven = above?.type === "argument" && node.field === "value";
  const assignment = above && assignmentOf(syntax, above);
  const isAssigned = assignment?.value.index === node.index && !endsWith(syntax, assignment.target, name);
  const list = isGiven ? syntax.parent(above) : undefined;
  const call = list && syntax.parent(list);
  if (isDefault || isAssigned) report(context, above ?? node, { ...watched, name });
  else if (call?.type === "call") report(context, call, { ...watched, name });
}

/** `x@system <- system` keeps a value of the package's own. */
const endsWith = (syntax: Syntax, target: SyntaxNode, name: string): boolean =>
  nameOf(syntax, [...syntax.children(target)].at(-1)) === name;

/** Whether a text is an address on the network. */
export const isAddress = (text: string): boolean => /^(?:https?|ftps?):\/\//i.test(text.slice(0, 10));

function inspectReader(node: SyntaxNode, context: CallContext): void {
  const { syntax, findings, values, name, list } = context;
  for (const { value } of list.slice(0, 3)) {
    if (!value) continue;
    const text = beginningOf(syntax, value, values);
    if (isAddress(text)) {
      report(context, node, { signal: "network", level: "warning", name });
      if (name === "source" || name === "sys.source")
        findings.add(node, { id: "decoded-code", level: "danger", subject: name });
    }
    if (name === "file" && (text === "clipboard" || text.startsWith("X11_")))
      report(context, node, { signal: "clipboard", level: "warning", name });
  }
}
