import type { Signal } from "@packhouse/contract/review/inspection";
import { assignedIn, builtText } from "./built-text.ts";
import { type Argument, argumentsOf, assignmentOf, calleeOf, functionNamed, isCall, plain } from "./calls.ts";
import { topLevel } from "./definitions.ts";
import type { Findings } from "./findings.ts";
import { memberCalled, namesGiven, takerOf } from "./given.ts";
import { nameOf, stringValue } from "./literals.ts";
import type { Syntax, SyntaxNode } from "./syntax.ts";
import { unmistakable, watchedAttached, watchedIn } from "./watched-functions.ts";

/** Functions that R itself calls when a package is loaded, attached or removed. */
const hooks = new Set([".onLoad", ".onAttach", ".First.lib", ".onUnload", ".onDetach", ".Last.lib"]);

/** What packages do when they are loaded: register, set defaults, greet; and what any code consists of. */
const ordinary = new Set(
  [
    ["library.dynam", "library.dynam.unload", "useDynLib", "registerS3method", "registerS3methods", "s3_register"],
    ["register_s3_method", "run_on_load", "on_load", "loadModule", "loadRcppModules", ".Call"],
    ["packageStartupMessage", "suppressPackageStartupMessages", "suppressMessages", "suppressWarnings", "message"],
    ["options", "getOption", "names", "is.null", "is.na", "is.function", "is.character", "length", "any", "all"],
    ["invisible", "return", "c", "list", "paste", "paste0", "sprintf", "format", "gettextf", "structure", "character"],
    ["new.env", "emptyenv", "parent.env", "environment", "topenv", "parent.frame", "sys.function", "as.environment"],
    ["assign", "get", "exists", "identical", "inherits", "stopifnot", "stop", "warning", "isTRUE", "isFALSE", "nzchar"],
    [
      "utils::globalVariables",
      "globalVariables",
      "packageVersion",
      "packageDescription",
      "getRversion",
      "numeric_version",
    ],
    [
      "package_version",
      "compareVersion",
      "R.Version",
      "Sys.getenv",
      "interactive",
      "nchar",
      "rep",
      "strwrap",
      "toupper",
    ],
    ["requireNamespace", "loadNamespace", "asNamespace", "getNamespace", "isNamespaceLoaded", "is.element", "setdiff"],
    ["bindtextdomain", "system.file", "file.path", "lapply", "sapply", "vapply"],
    ["makeActiveBinding", "delayedAssign", "lockBinding", "lockEnvironment", "vignetteEngine", "local", "quote"],
    ["modifyList", "unlist", "setNames", "seq_along", "seq_len", "tryCatch", "try", "on.exit", "missing", "match.arg"],
    ["memoise", "memoize", "import", "initClassCache", "cacheMetaData", "setHook", "packageEvent", "reg.finalizer"],
    ["gsub", "sub", "trimws", "read.dcf", "date", "Sys.Date", "Sys.time", "as.character", "as.numeric", "as.integer"],
    ["cat", "nargs", "sys.call", "ls", "print", "is.environment", "is.list", "max", "min", "sum", "rbind", "cbind"],
    ["setClass", "setMethod", "setGeneric", "setRefClass", "setOldClass", "setClassUnion", "R6Class", "new_class"],
    ["method", "methods_register", "S4_register", "new_generic", "new_object", "external_generic", "unloadNamespace"],
  ].flat(),
);

/** Calls of the top level that define something, or wrap what does. */
const defining = new Set(
  [
    ["setClass", "setClassUnion", "setOldClass", "setGeneric", "setMethod", "setReplaceMethod", "setValidity", "setAs"],
    ["setRefClass", "setGroupGeneric", "setPackageName", "setIs", "removeMethod", "setMethodS3", "setConstructorS3"],
    ["R6Class", "R7Class", "new_class", "new_generic", "new_property", "method", "method<-", "new_external_generic"],
    ["globalVariables", "registerS3method", ".S3method", "setRcppClass", "loadModule", "loadRcppClass", "on_load"],
    [
      "assign",
      "delayedAssign",
      "makeActiveBinding",
      "local",
      "suppressWarnings",
      "suppressMessages",
      "invisible",
      "try",
    ],
    [
      "tryCatch",
      "setLoadActions",
      "setLoadAction",
      "evalqOnLoad",
      "lockBinding",
      "options",
      "new.env",
      "vignetteEngine",
    ],
    ["S4_register", "methods_register", "%<a-%", "%::=%", "%as%", "%when%", "setattr", "environment", "attr", "class"],
    [
      "names",
      "formals",
      "body",
      "levels",
      "exportMethods",
      "rm",
      "library",
      "require",
      "if",
      "stopifnot",
      "cacheMetaData",
    ],
    ["requireNamespace", "exists", "getRversion", "is.function", "standardGeneric", "representation", "signature", "c"],
    ["citHeader", "citFooter", "citEntry", "bibentry", "person", "as.person", "personList"],
  ].flat(),
);

/** Change other packages, or where packages come from. */
const tampering = new Set(
  [
    ["assignInNamespace", "unlockBinding", "trace", "addTaskCallback", "attach", ".libPaths", "dyn.load"],
    ["unlockEnvironment", "registerDoParallel", "makeCluster", "later", "mcparallel", "Sys.setFileTime"],
  ].flat(),
);
const writing = new Set(
  [
    [
      "writeLines",
      "writeBin",
      "writeChar",
      "write",
      "write.table",
      "write.csv",
      "saveRDS",
      "save",
      "dump",
      "dput",
      "sink",
    ],
    ["file.copy", "file.create", "file.append", "file.rename", "file.remove", "file.symlink", "unlink", "dir.create"],
    ["Sys.chmod", "unzip", "untar", "file"],
  ].flat(),
);
const evaluating = new Set(["eval", "evalq", "parse", "source", "sys.source", "str2lang", "str2expression"]);
/** Options that decide where packages and other code come from. */
const powerfulOptions = new Set([
  "repos",
  "download.file.method",
  "browser",
  "editor",
  "pager",
  "error",
  "HTTPUserAgent",
]);

/** A call that runs at loading; what it amounts to may depend on functions of other files. */
export interface RunningCall {
  signal: Signal;
  /** Set if it calls a function that the package may define: it is a warning if that reaches outside. */
  calls: string | null;
  /** Set if it is in a function that was given to this one: it runs if that calls what it is given. */
  through: string | null;
  /** Whether the call is a signal even if it calls nothing that reaches outside. */
  isSignal: boolean;
}

/** Hooks that a file defines, wherever that is, and what they run. */
export function hookCalls(syntax: Syntax, findings: Findings): RunningCall[] {
  const found: RunningCall[] = [];
  let coveredTo = -1;
  for (const { hook, node, value } of hooksIn(syntax)) {
    if (node.index <= coveredTo) continue;
    coveredTo = node.last;
    findings.add(node, { id: "r-on-load", level: "info", subject: hook, excerpt: null });
    found.push(...runBy(syntax, value, { id: "r-on-load", subject: hook, usual: ordinary, findings }));
    const named = plain(syntax, value);
    if (named?.type === "function_definition") continue;
    found.push({
      signal: findings.signalAt(node, { id: "r-on-load", level: "notice", subject: hook }),
      calls: nameOf(syntax, named) ?? memberCalled(syntax, named),
      through: null,
      isSignal: true,
    });
  }
  return found;
}

interface Hook {
  hook: string;
  node: SyntaxNode;
  value: SyntaxNode;
}

/** `.onLoad <- f`, `e$.onLoad <- f`, `assign(".onLoad", f)` */
function* hooksIn(syntax: Syntax): Generator<Hook> {
  const values = syntax.text.includes("assign") ? assignedIn(syntax) : new Map<string, SyntaxNode>();
  for (const node of syntax.nodes) {
    const assignment = assignmentOf(syntax, node);
    if (assignment) {
      const hook = nameOf(syntax, assignment.target) ?? memberCalled(syntax, assignment.target)?.split("$")[1] ?? "";
      if (hooks.has(hook)) yield { hook, node, value: assignment.value };
    } else if (isCall(syntax, node) && assigning.has(calleeOf(syntax, node)?.name ?? "")) {
      const [name, value] = argumentsOf(syntax, node);
      const hook = name?.value ? (builtText(syntax, name.value, values)?.text ?? "") : "";
      if (hooks.has(hook) && value?.value) yield { hook, node, value: value.value };
    }
  }
}
const assigning = new Set(["assign", "delayedAssign", "makeActiveBinding", "assignInMyNamespace"]);

/** What R evaluates when it reads NAMESPACE: the conditions of `if`. */
export function conditionCalls(syntax: Syntax, findings: Findings): RunningCall[] {
  return syntax.nodes.flatMap((node) => {
    const condition = node.type === "if_statement" ? syntax.nodes[node.index + 1] : undefined;
    if (!condition) return [];
    return runBy(syntax, condition, { id: "r-on-load", subject: "NAMESPACE", usual: ordinary, findings });
  });
}

/** Calls of the top level other than definitions. */
export function topLevelCalls(syntax: Syntax, findings: Findings): RunningCall[] {
  const found: RunningCall[] = [];
  for (const node of topLevel(syntax)) {
    const run = runBy(syntax, node, { id: "r-top-level-call", subject: null, usual: defining, findings });
    // `x <- compute()` defines x: only what it reaches counts.
    const isDefinition = assignmentOf(syntax, node) !== null;
    found.push(
      ...run.map((one) => (isDefinition && one.signal.level === "notice" ? { ...one, isSignal: false } : one)),
    );
  }
  return found;
}

interface RunContext {
  id: "r-on-load" | "r-top-level-call";
  /** The hook; null: the function that is called. */
  subject: string | null;
  usual: ReadonlySet<string>;
  findings: Findings;
}

interface Region {
  node: SyntaxNode;
  through: string | null;
}

/** A function that is called in many ways is read a few times at most. */
const mostReadings = 6;

/** The calls that run with a node: also those of functions in it that are called, or given to something that does. */
function runBy(syntax: Syntax, node: SyntaxNode, { id, subject, usual, findings }: RunContext): RunningCall[] {
  const found: RunningCall[] = [];
  const entersFunctions = subject !== null;
  const own = entersFunctions ? new Map<string, SyntaxNode>() : functionsWithin(syntax, node);
  const regions: Region[] = [{ node, through: null }];
  const entered = new Set<SyntaxNode>();
  const enter = (region: Region) => {
    if (!entered.has(region.node)) regions.push(region);
    entered.add(region.node);
  };
  let visits = 0;
  for (const region of regions) {
    let coveredTo = -1;
    for (let index = region.node.index; index <= region.node.last; index++) {
      const one = syntax.nodes[index];
      visits += 1;
      if (!one || visits > mostReadings * (node.last - node.index + 1)) break;
      if (one.type === "function_definition" && !entersFunctions && one !== region.node) {
        const taker = takerOf(syntax, one);
        if (taker !== "runs") {
          if (taker) enter({ node: one, through: region.through ?? taker.function });
          index = one.last;
          continue;
        }
      }
      if (!isCall(syntax, one)) continue;
      const callee = calleeOf(syntax, one);
      const name = callee?.name ?? "";
      const level = levelOf(syntax, one, callee);
      const isSignal = level === "warning" || (!usual.has(name) && index > coveredTo);
      // What an unknown call is given is part of it.
      if (isSignal) coveredTo = Math.max(coveredTo, one.last);
      const signal = findings.signalAt(one, { id, level, subject: subject ?? name });
      const calls = callee?.package === null ? name : null;
      found.push({ signal, calls, through: region.through, isSignal });
      const given = namesGiven(syntax, one);
      for (const other of given) found.push({ signal, calls: other, through: region.through, isSignal: false });
      for (const called of calls === null ? given : [calls, ...given]) {
        const definition = own.get(called);
        if (definition) enter({ node: definition, through: region.through });
      }
    }
  }
  return found;
}

/** Functions that an expression of the top level names, as `local` does. */
function functionsWithin(syntax: Syntax, node: SyntaxNode): Map<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode>();
  for (const one of syntax.within(node)) {
    if (one.index === node.index) continue;
    const assignment = assignmentOf(syntax, one);
    const value = assignment && plain(syntax, assignment.value);
    const name = assignment && nameOf(syntax, assignment.target);
    if (value?.type === "function_definition" && name) found.set(name, value);
  }
  return found;
}

function levelOf(syntax: Syntax, call: SyntaxNode, callee: ReturnType<typeof calleeOf>): "notice" | "warning" {
  if (!callee) return "notice";
  const { name } = callee;
  const watched = callee.package === null ? watchedAttached(name) : watchedIn(callee.package, name);
  // Even a browser that opens shows where the package was loaded.
  const isReaching = watched?.level === "warning" || watched?.signal === "network";
  const isWritten = writing.has(name) && !removesOwnFiles(syntax, call, name);
  const isEvaluated = evaluating.has(name) && !evaluatesWritten(syntax, call, name);
  if (isReaching || tampering.has(name) || isWritten || isEvaluated) return "warning";
  if (argumentsOf(syntax, call).some(({ value }) => givesWatched(syntax, value))) return "warning";
  const list = name === "options" || name === "assign" ? argumentsOf(syntax, call) : [];
  if (name === "options" && list.some((argument) => powerfulOptions.has(argument.name ?? ""))) return "warning";
  const isGlobal = ({ value }: { value: SyntaxNode | undefined }) =>
    value !== undefined && globals.has(syntax.textOf(value).slice(0, 20));
  if (name === "assign" && list.some(isGlobal)) return "warning";
  const wholeEnvironment = name === "Sys.getenv" && argumentsOf(syntax, call).length === 0;
  return wholeEnvironment ? "warning" : "notice";
}

/** `unlink(file.path(tempdir(), "a"))` tidies up. */
function removesOwnFiles(syntax: Syntax, call: SyntaxNode, name: string): boolean {
  const removed = name === "unlink" || name === "file.remove" ? argumentsOf(syntax, call)[0]?.value : undefined;
  return removed !== undefined && isTemporary(syntax, removed);
}

function isTemporary(syntax: Syntax, path: SyntaxNode): boolean {
  if (path.type !== "call") return false;
  const name = calleeOf(syntax, path)?.name ?? "";
  if (name === "tempfile") return argumentsOf(syntax, path).length === 0;
  const [folder, ...parts] = argumentsOf(syntax, path);
  if (name === "tempdir") return folder === undefined;
  const isText = ({ value }: Argument) => value?.type === "string" && !stringValue(syntax, value).includes("..");
  return (
    name === "file.path" && folder?.value !== undefined && isTemporary(syntax, folder.value) && parts.every(isText)
  );
}

/** `eval(quote(x <- 1))`: its calls are looked at where they are. */
function evaluatesWritten(syntax: Syntax, call: SyntaxNode, name: string): boolean {
  const given = name === "eval" || name === "evalq" ? argumentsOf(syntax, call)[0]?.value : undefined;
  if (name === "evalq") return given !== undefined;
  return given?.type === "call" && ["quote", "expression"].includes(calleeOf(syntax, given)?.name ?? "");
}

/** `do.call(utils::download.file, …)`, `lapply(x, system)`: what is given to a function is called by it. */
function givesWatched(syntax: Syntax, value: SyntaxNode | undefined): boolean {
  if (value?.type !== "namespace_operator" && value?.type !== "identifier") return false;
  const given = functionNamed(syntax, value);
  if (!given) return false;
  if (given.package === null) return unmistakable.has(given.name);
  return watchedIn(given.package, given.name)?.level === "warning";
}

const globals = new Set([".GlobalEnv", "globalenv()", "baseenv()"]);
