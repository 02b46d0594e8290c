import type { SignalId } from "@packhouse/contract/review/signals";
import { isHiddenCommand } from "../../rules/suspicious-texts.ts";
import { type Assigned, assignedIn, beginningOf, builtText, namedIn } from "./built-text.ts";
import {
  type Argument,
  argumentOf,
  argumentsOf,
  assignmentOf,
  calleeOf,
  environmentOf,
  functionNamed,
  isCall,
} from "./calls.ts";
import { inspectChange, inspectEnvironment } from "./environment.ts";
import type { Findings } from "./findings.ts";
import { callers, getters, takerOf } from "./given.ts";
import { inspectPath, inspectRemoval, removers } from "./home-folder.ts";
import { nameOf, stringValue } from "./literals.ts";
import type { Syntax, SyntaxNode } from "./syntax.ts";
import {
  applying,
  outputs,
  packagesWith,
  programArguments,
  unmistakable,
  type Watched,
  watchedAttached,
  watchedIn,
} from "./watched-functions.ts";

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
  /** A function that is given to one of the package's own: it counts if that runs what it is given. */
  given: { node: SyntaxNode; name: string; to: string; watched: Watched }[];
}

const readers = new Set(
  [
    ["readLines", "source", "sys.source", "scan", "readRDS", "load", "file", "gzcon", "parse", "readChar", "readBin"],
    ["read.csv", "read.csv2", "read.table", "read.delim", "read.dcf", "fromJSON", "stream_in", "read_html", "read_xml"],
    ["read_csv", "read_tsv", "read_delim", "read_lines", "read_file", "read_rds", "fread", "vroom", "read_json"],
    ["read_parquet", "import"],
  ].flat(),
);

/** In one file. More of them help no reviewer; warnings have room of their own. */
const mostNotices = 500;
const mostWarnings = 1000;

/** Looks at every node once. */
export function reachOf(syntax: Syntax, findings: Findings): Reach {
  const found: Reach = { certain: [], named: [], given: [] };
  const room = { notices: mostNotices, warnings: mostWarnings };
  const context = { syntax, findings, found, room, values: assignedIn(syntax), defined: definedIn(syntax) };
  for (const node of syntax.nodes) {
    if (isCall(syntax, node)) inspectCall(node, context);
    else if (node.type === "namespace_operator") inspectQualified(node, context);
    else if (node.type === "string") inspectPath(syntax, node, findings);
    else if (node.type === "identifier") inspectValue(node, context);
    else if (node.type === "extract_operator" || node.type === "subset2") inspectMember(node, context);
    if (room.warnings <= 0) break;
  }
  if (room.notices < 0 || room.warnings <= 0) findings.leaveOut();
  return found;
}

interface Context {
  syntax: Syntax;
  findings: Findings;
  found: Reach;
  room: Record<"notices" | "warnings", number>;
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

/** Whether there is room for one more. */
function hasRoom({ room }: Pick<Context, "room">, { level }: Watched): boolean {
  const kind = level === "warning" ? "warnings" : "notices";
  room[kind] -= 1;
  return room[kind] >= 0;
}

function report(context: Pick<Context, "findings" | "found" | "room">, node: SyntaxNode, use: Use): void {
  if (!hasRoom(context, use)) return;
  const { signal, level, name } = use;
  context.findings.add(node, { id: signal, level, subject: name });
  context.found.certain.push({ node, signal });
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
  const { syntax, findings } = context;
  const callee = calleeOf(syntax, node);
  if (!callee) return;
  const { name } = callee;
  const list = argumentsOf(syntax, node);
  const called = syntax.nodes[node.index + 1];
  // What follows a pipe without parentheses is a value of its own, or has a package in front of it.
  if (callee.package === null && node.type === "call") reportNamed(node, context, name);
  else if (called?.type === "extract_operator" || called?.type === "subset2") {
    const watched = callee.package ? watchedIn(callee.package, name) : undefined;
    if (watched) report(context, node, { ...watched, name });
  } else if (callee.package === null && !unmistakable.has(name)) reportNamed(node, context, name);
  const call = { ...context, name, list };
  if (commands.has(name)) inspectCommand(node, call);
  inspectNamed(node, call);
  inspectTaken(node, call);
  inspectOutput(node, call);
  inspectPrograms(node, call);
  if (name === "Sys.getenv") inspectEnvironment(syntax, node, list, findings);
  if (name === "Sys.setenv") inspectChange(node, list, findings);
  if (removers.has(name)) inspectRemoval(syntax, node, findings);
  if (readers.has(name)) inspectReader(node, call);
  const [first] = list;
  if ((name === ".C" || name === ".Fortran") && first?.value?.type === "string")
    if (stringValue(syntax, first.value) === "system")
      report(context, node, { signal: "process", level: "warning", name });
}

/** A function without a package in front of it, as it is called. */
function reportNamed(node: SyntaxNode, context: Context, name: string): void {
  const attached = watchedAttached(name);
  const from = attached ? [] : packagesWith(name);
  const uses = attached ? [attached] : from.flatMap((one) => watchedIn(one, name) ?? []);
  for (const [index, watched] of uses.entries())
    if (hasRoom(context, watched))
      context.found.named.push({ node, name, packages: from.slice(index, index + 1), watched });
}

const commands = new Set(["system", "system2", "shell", "pipe", "run", "process", "exec_wait", "exec_internal"]);

/** A command that fetches what it runs, or hides it. */
function inspectCommand(node: SyntaxNode, { syntax, findings, name, list }: CallContext): void {
  const texts = list.flatMap(({ value }) => (value ? [...syntax.within(value, 100)] : [])).slice(0, 100);
  const strings = texts.filter(({ type }) => type === "string");
  const command = strings.map((one) => stringValue(syntax, one).slice(0, 2_000)).join(" ");
  if (isHiddenCommand(command)) findings.add(node, { id: "decoded-code", level: "danger", subject: name });
}

/** Functions of an environment, taken by a text: `getElement(baseenv(), "system")`. */
function inspectTaken(node: SyntaxNode, context: CallContext): void {
  const { syntax, values, list } = context;
  const isFrom = ({ value }: Argument) => value?.type === "call" && environmentOf(syntax, value) !== undefined;
  if (list.length < 2 || list.length > 6 || !list.some(isFrom)) return;
  for (const { value } of list) {
    const text = value?.type === "call" ? undefined : value && builtText(syntax, value, values)?.text;
    const watched = text !== undefined && unmistakable.has(text) ? watchedAttached(text) : undefined;
    if (text !== undefined && watched) report(context, node, { ...watched, name: text });
  }
}

/** `e <- baseenv(); e$system`, `baseenv()[[paste0("sys", "tem")]]` */
function inspectMember(node: SyntaxNode, context: Context): void {
  const { syntax, values, findings } = context;
  const left = syntax.firstChild(node);
  if (!left) return;
  const above = syntax.parent(node);
  const isCalled = above?.type === "call" && above.index + 1 === node.index;
  // The call reports it.
  if (isCalled && functionNamed(syntax, node)) return;
  const from = left.type === "identifier" ? (values.get(syntax.textOf(left)) ?? left) : left;
  const package_ = environmentOf(syntax, from);
  if (package_ === undefined) return;
  const member = node.type === "subset2" ? argumentsOf(syntax, node)[0]?.value : [...syntax.children(node)][2];
  const built = node.type === "subset2" && member ? builtText(syntax, member, values) : null;
  const name = built?.text ?? (node.type === "subset2" ? null : nameOf(syntax, member));
  const watched = name === null ? undefined : watchedIn(package_, name);
  if (name === null || !watched) return;
  report(context, isCalled ? above : node, { ...watched, name });
  if (built?.isBuilt) findings.add(node, { id: "decoded-code", level: "danger", subject: name });
}

/** `cat(x, file = "|sh")` gives what is written to a program. */
function inspectOutput(node: SyntaxNode, context: CallContext): void {
  const place = outputs.get(context.name);
  const file = place && argumentOf(context.list, ...place);
  if (file && beginningOf(context.syntax, file, context.values).trimStart().startsWith("|"))
    report(context, node, { signal: "process", level: "warning", name: context.name });
}

const ordinaryPrograms = new Set(["", ..."internal tar gtar bsdtar unzip zip less more vi emacs".split(" ")]);

/** `untar(x, tar = "…")`, `fread("zcat a.gz")` */
function inspectPrograms(node: SyntaxNode, context: CallContext): void {
  const { syntax, values, list, name } = context;
  const names = programArguments.get(name);
  if (!names) return;
  const first = name === "fread" ? argumentOf(list, "input", 0) : undefined;
  const text = first ? beginningOf(syntax, first, values) : "";
  const isCommand = text.includes(" ") && !text.includes("\n") && !isAddress(text);
  const named = list.filter((one) => one.value && names.includes(one.name ?? ""));
  const isProgram = ({ value }: Argument) => {
    const program = value && builtText(syntax, value, values)?.text;
    return name === "fread" || (program !== undefined && !ordinaryPrograms.has(program));
  };
  if (isCommand || named.some(isProgram)) report(context, node, { signal: "process", level: "warning", name });
}

interface CallContext extends Context {
  name: string;
  list: readonly Argument[];
}

/** Functions by name: `do.call("system", …)`, `get("system")`, `sapply(x, "system")`. */
function inspectNamed(node: SyntaxNode, context: CallContext): void {
  const { syntax, findings, values, name: caller, list } = context;
  const place = applying.get(caller);
  const given = place && argumentOf(list, ...place);
  const takesName = callers.has(caller) || (given !== undefined && callers.has(nameOf(syntax, given) ?? ""));
  const taken = takesName || getters.has(caller) ? list.slice(0, 3).map(({ value }) => value) : [given];
  for (const value of taken) {
    const built = value && builtText(syntax, value, values);
    const watched = built && (takesName || unmistakable.has(built.text)) ? watchedAttached(built.text) : undefined;
    if (!built || !watched) continue;
    report(context, node, { ...watched, name: built.text });
    if (built.isBuilt) findings.add(node, { id: "decoded-code", level: "danger", subject: built.text });
  }
}

/**
 * A function that is given to something: `lapply(x, system)`, `run <- system`, `function(run = system)`. Only `system`
 * may also be the name of a column, so it counts where it is certain to be called.
 */
function inspectValue(node: SyntaxNode, context: Context): void {
  const { syntax, defined, found } = context;
  const name = nameOf(syntax, node) ?? "";
  const watched = unmistakable.has(name) ? watchedAttached(name) : undefined;
  if (!watched || defined.has(name)) return;
  const above = syntax.parent(node);
  if (above?.type === "call" && above.index + 1 === node.index) return;
  const isDefault = above?.type === "parameter" && node.field === "default";
  const kept = keptAt(syntax, node);
  const assignment = kept && assignmentOf(syntax, kept.above);
  const isAssigned =
    assignment?.value.index === kept?.node.index && assignment && !endsWith(syntax, assignment.target, name);
  const taker = takerOf(syntax, node);
  const list = above?.type === "argument" && node.field === "value" ? syntax.parent(above) : undefined;
  const call = list && syntax.parent(list);
  const isGiven = call?.type === "call" && name !== "system";
  if (isDefault || isAssigned) report(context, above ?? node, { ...watched, name });
  else if (taker === "runs" || isGiven)
    report(context, call?.type === "call" ? call : (above ?? node), { ...watched, name });
  else if (taker) found.given.push({ node: call ?? node, name, to: taker.function, watched });
}

/** Lists keep functions for what comes after. */
function keptAt(syntax: Syntax, node: SyntaxNode): { node: SyntaxNode; above: SyntaxNode } | undefined {
  let kept = node;
  for (let depth = 0; depth < 5; depth++) {
    const above = syntax.parent(kept);
    if (!above) return undefined;
    const list = above.type === "argument" ? syntax.parent(above) : undefined;
    const call = list && syntax.parent(list);
    if (above.type === "parenthesized_expression" || above.type === "braced_expression") kept = above;
    else if (call?.type === "call" && keepers.has(calleeOf(syntax, call)?.name ?? "")) kept = call;
    else return { node: kept, above };
  }
  return undefined;
}
const keepers = new Set(["list", "c", "structure", "identity", "setNames", "Vectorize", "memoise", "partial"]);

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
