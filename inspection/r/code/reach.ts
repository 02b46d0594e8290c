import type { SignalId } from "@packhouse/contract/review/signals";
import { builtText } from "./built-text.ts";
import { type Argument, argumentsOf, assignmentOf, type Callee, calleeOf, functionNamed } from "./calls.ts";
import { inspectEnvironment } from "./environment.ts";
import type { Findings } from "./findings.ts";
import { inspectPath } from "./home-folder.ts";
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
const appliers = new Set(["lapply", "sapply", "vapply", "Map", "mapply", "Reduce", "Filter", "map", "walk", "apply"]);
const readers = new Set(
  [
    ["readLines", "source", "sys.source", "scan", "readRDS", "load", "file", "gzcon", "parse", "readChar", "readBin"],
    ["read.csv", "read.csv2", "read.table", "read.delim", "read.dcf", "fromJSON", "stream_in", "read_html", "read_xml"],
    ["read_csv", "read_tsv", "read_delim", "read_lines", "read_file", "read_rds", "fread", "vroom", "read_json"],
    ["read_parquet", "import"],
  ].flat(),
);

/** In one file. More of them help no reviewer. */
const mostUses = 2000;

/** Looks at every node once. */
export function reachOf(syntax: Syntax, findings: Findings): Reach {
  const found: Reach = { certain: [], named: [] };
  for (const node of syntax.nodes) {
    if (found.certain.length + found.named.length > mostUses) break;
    if (node.type === "call") inspectCall(syntax, node, findings, found);
    else if (node.type === "namespace_operator") inspectQualified(syntax, node, findings, found);
    else if (node.type === "string") inspectPath(syntax, node, findings);
    else if (node.type === "binary_operator") inspectAlias(syntax, node, findings, found);
  }
  return found;
}

const report = (findings: Findings, found: Reach, node: SyntaxNode, { signal, level }: Watched, subject: string) => {
  findings.add(node, { id: signal, level, subject });
  found.certain.push({ node, signal });
};

/** `base::system`, called or given to something. */
function inspectQualified(syntax: Syntax, node: SyntaxNode, findings: Findings, found: Reach): void {
  const callee = functionNamed(syntax, node);
  const watched = callee?.package ? watchedIn(callee.package, callee.name) : undefined;
  if (!callee || !watched) return;
  const above = syntax.parent(node);
  const isCalled = above?.type === "call" && above.index + 1 === node.index;
  // `processx::process$new(…)`
  const method = above?.type === "extract_operator" ? syntax.parent(above) : undefined;
  const shown = isCalled ? above : method?.type === "call" ? method : node;
  report(findings, found, shown, watched, callee.name);
}

function inspectCall(syntax: Syntax, node: SyntaxNode, findings: Findings, found: Reach): void {
  const callee = calleeOf(syntax, node);
  if (!callee) return;
  const { name } = callee;
  const list = argumentsOf(syntax, node);
  const called = syntax.nodes[node.index + 1];
  if (called?.type === "extract_operator") {
    const watched = callee.package ? watchedIn(callee.package, name) : undefined;
    if (watched) report(findings, found, node, watched, name);
  } else if (callee.package === null) {
    const attached = watchedAttached(name);
    const packages = packagesWith(name);
    if (attached) found.named.push({ node, name, packages: [], watched: attached });
    else if (packages.length > 0)
      for (const one of packages) {
        const watched = watchedIn(one, name);
        if (watched) found.named.push({ node, name, packages: [one], watched });
      }
  }
  inspectIndirect(syntax, node, { callee, list, findings, found });
  if (name === "Sys.getenv") inspectEnvironment(syntax, node, list, findings);
  if (readers.has(name)) inspectReader(syntax, node, { callee, list, findings, found });
  if (name === ".C" || name === ".Fortran") {
    const [first] = list;
    if (first?.value?.type === "string" && stringValue(syntax, first.value) === "system")
      report(findings, found, node, { signal: "process", level: "warning" }, name);
  }
}

interface CallContext {
  callee: Callee;
  list: readonly Argument[];
  findings: Findings;
  found: Reach;
}

/** Functions by name: `do.call("system", …)`, `get("system")`, `lapply(x, system)`. */
function inspectIndirect(syntax: Syntax, node: SyntaxNode, { callee, list, findings, found }: CallContext): void {
  const takesName = callers.has(callee.name);
  if (takesName || getters.has(callee.name))
    for (const { value } of list.slice(0, 3)) {
      if (!value) continue;
      const built = builtText(syntax, value);
      const name = built?.text ?? (takesName && value.type === "identifier" ? nameOf(syntax, value) : null);
      if (name === null) continue;
      const watched = takesName || unmistakable.has(name) ? watchedAttached(name) : undefined;
      if (!watched || (value.type === "identifier" && !unmistakable.has(name))) continue;
      report(findings, found, node, watched, name);
      if (built?.isBuilt) findings.add(node, { id: "decoded-code", level: "danger", subject: name });
    }
  if (appliers.has(callee.name))
    for (const { value } of list) {
      const name = value?.type === "identifier" ? nameOf(syntax, value) : null;
      const watched = name !== null && unmistakable.has(name) ? watchedAttached(name) : undefined;
      if (watched && name !== null) report(findings, found, node, watched, name);
    }
}

/** `run <- system` hides the name of what is called later. */
function inspectAlias(syntax: Syntax, node: SyntaxNode, findings: Findings, found: Reach): void {
  const assignment = assignmentOf(syntax, node);
  if (assignment?.value.type !== "identifier") return;
  const name = nameOf(syntax, assignment.value) ?? "";
  const watched = unmistakable.has(name) ? watchedAttached(name) : undefined;
  const target = [...syntax.children(assignment.target)].at(-1) ?? assignment.target;
  // `x@system <- system` keeps a value of the package's own.
  if (watched && nameOf(syntax, target) !== name) report(findings, found, node, watched, name);
}

/** Whether a text is an address on the network. */
export const isAddress = (text: string): boolean => /^(?:https?|ftps?):\/\//i.test(text.slice(0, 10));

function inspectReader(syntax: Syntax, node: SyntaxNode, { callee, list, findings, found }: CallContext): void {
  for (const { value } of list.slice(0, 3)) {
    const text = value && builtText(syntax, value)?.text;
    if (text === undefined) continue;
    if (isAddress(text)) {
      report(findings, found, node, { signal: "network", level: "warning" }, callee.name);
      if (callee.name === "source" || callee.name === "sys.source")
        findings.add(node, { id: "decoded-code", level: "danger", subject: callee.name });
    }
    if (callee.name === "file" && (text === "clipboard" || text.startsWith("X11_")))
      report(findings, found, node, { signal: "clipboard", level: "warning" }, callee.name);
  }
}
