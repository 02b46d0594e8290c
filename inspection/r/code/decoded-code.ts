import { type Assigned, assignedIn, base64Decoders, builtText } from "./built-text.ts";
import { argumentOf, argumentsOf, assignmentOf, type Callee, calleeOf, isCall, pipeOf } from "./calls.ts";
import type { Findings } from "./findings.ts";
import { nameOf, stringValue } from "./literals.ts";
import { isAddress } from "./reach.ts";
import type { Syntax, SyntaxNode } from "./syntax.ts";
import { unmistakable, watchedAttached, watchedIn } from "./watched-functions.ts";

/**
 * Text or bytes that become code. Danger: they were decoded, or came from the network. Warning: the text names a
 * function that reaches outside. Notice: they depend on something else, which is a common idiom (names of columns and
 * models put together with `paste0`) and no sign of anything; a level above would be a false alarm in many packages.
 */

/** Code that depends on what functions of the package return: dangerous if one of them decodes. */
export interface DependentCode {
  node: SyntaxNode;
  subject: string;
  functions: readonly string[];
}

/** Turn bytes or characters into others. */
const decoders = new Set([
  ...base64Decoders,
  ...["intToUtf8", "chartr", "memDecompress", "unserialize", "aes_cbc_decrypt", "aes_gcm_decrypt", "aes_ctr_decrypt"],
  ...["decrypt", "rsa_decrypt", "data_decrypt", "simple_decrypt", "hex2raw", "hex_dec", "hexToRaw", "hex2bin"],
  ...["URLdecode", "url_decode", "rawToChar", "packBits", "lzdecompress", "gunzip", "rot13", "caesar"],
]);
/** Functions of a package that call one of these decode; the others also read files and change names. */
const ownDecoders = new Set([...decoders].filter((name) => !["chartr", "rawToChar", "URLdecode"].includes(name)));

export const decodes = (name: string): boolean => ownDecoders.has(name);

/** The argument that becomes code, by name and place. */
const textToCode: Readonly<Record<string, readonly [name: string, place: number]>> = {
  parse: ["text", Number.POSITIVE_INFINITY],
  str2lang: ["s", 0],
  str2expression: ["text", 0],
  parse_expr: ["x", 0],
  parse_exprs: ["x", 0],
  parse_quo: ["x", 0],
  py_run_string: ["code", 0],
};
const fileToCode: Readonly<Record<string, readonly [name: string, place: number]>> = {
  parse: ["file", 0],
  source: ["file", 0],
  "sys.source": ["file", 0],
};
const evaluators = new Set(["eval", "evalq", "eval.parent", "eval_bare", "eval_tidy"]);
/** Names are put together in many ways; what counts is one that is decoded on the spot. */
const namedEvaluators = new Set(["do.call", "match.fun", "get", "getFunction"]);
const commands = new Set(["system", "system2", "shell", "pipe"]);
const networkReaders = new Set(["content", "resp_body_string", "resp_body_raw", "resp_body_json", "getURL", "getURI"]);

/** The file that they write, whose name they are given, contains what they are given. */
const writers = new Set([
  ...["download.file", "curl_download", "curl_fetch_disk", "write_disk"],
  ...["writeLines", "writeBin", "writeChar", "cat", "write"],
]);

/** Nodes that may be looked at for one text, and in one file. */
const mostForOne = 3000;
const mostInFile = 2_000_000;
const mostDependent = 300;

interface Origins {
  decoders: Set<string>;
  network: string | null;
  functions: Set<string>;
}

export function decodedCodeOf(syntax: Syntax, findings: Findings): DependentCode[] {
  const reader = new OriginReader(syntax);
  const values = assignedIn(syntax);
  const dependent: DependentCode[] = [];
  for (const node of syntax.nodes) {
    if (!isCall(syntax, node)) continue;
    const callee = calleeOf(syntax, node);
    const piped = pipedInto(syntax, node);
    const code = callee ? codeIn(syntax, node, { ...callee, piped }) : calledResult(syntax, node);
    if (!code) continue;
    const subject = callee?.name ?? "unserialize";
    const origins = reader.of(piped ? [code.value, piped] : [code.value], node);
    const isCommand = commands.has(callee?.name ?? "");
    // Programs' output and addresses are part of many commands.
    const isHidden = isCommand
      ? [...origins.decoders].some(decodes)
      : origins.decoders.size > 0 || origins.network !== null;
    if (isHidden) findings.add(node, { id: "decoded-code", level: "danger", subject });
    else if (code.isText) {
      inspectText(syntax, node, { value: code.value, subject, findings, values });
      if (origins.functions.size > 0 && dependent.length < mostDependent)
        dependent.push({ node, subject, functions: [...origins.functions] });
    }
  }
  return dependent;
}

interface Code {
  value: SyntaxNode;
  /** Text in any case; for others, such as expressions, only what was decoded counts. */
  isText: boolean;
}

/** What a pipe gives to a call: `x |> f()`. */
function pipedInto(syntax: Syntax, node: SyntaxNode): SyntaxNode | undefined {
  const own = pipeOf(syntax, node);
  if (own && isCall(syntax, node) && node.type !== "call") return own.from;
  const pipe = pipeOf(syntax, syntax.parent(node));
  return pipe?.to.index === node.index ? pipe.from : undefined;
}

type CalleeWithPipe = Callee & { piped: SyntaxNode | undefined };

function codeIn(syntax: Syntax, node: SyntaxNode, { name, piped }: CalleeWithPipe): Code | null {
  const list = argumentsOf(syntax, node);
  const given = (places: typeof textToCode) => {
    const place = Object.hasOwn(places, name) ? places[name] : undefined;
    return place && (argumentOf(list, ...place) ?? (place[1] === 0 ? piped : undefined));
  };
  const text = given(textToCode);
  if (text) return { value: text, isText: true };
  const file = given(fileToCode);
  if (file) return { value: file, isText: false };
  const first = piped ?? list.find((argument) => argument.value)?.value;
  if (!first) return null;
  const isCall = first.type === "call";
  if (commands.has(name) || (namedEvaluators.has(name) && isCall)) return { value: first, isText: false };
  // What `parse` gives to `eval` is looked at there.
  const isParsed = isCall && Object.hasOwn(textToCode, calleeOf(syntax, first)?.name ?? "");
  return evaluators.has(name) && !isParsed ? { value: first, isText: false } : null;
}

/** `unserialize(bytes)()` */
function calledResult(syntax: Syntax, node: SyntaxNode): Code | null {
  const called = syntax.nodes[node.index + 1];
  return node.type === "call" && called?.type === "call" && calleeOf(syntax, called)?.name === "unserialize"
    ? { value: called, isText: false }
    : null;
}

interface TextContext {
  value: SyntaxNode;
  subject: string;
  findings: Findings;
  values: Assigned;
}

/** Code in a string that was not decoded. */
function inspectText(syntax: Syntax, node: SyntaxNode, { value, subject, findings, values }: TextContext): void {
  const built = builtText(syntax, value, values);
  const text = built?.text ?? literalsIn(syntax, value);
  const isReaching = [...unmistakable, "source"].some((name) => text.includes(`${name}(`));
  if (isReaching) findings.add(node, { id: "decoded-code", level: built?.isBuilt ? "danger" : "warning", subject });
  else if (!built) findings.add(node, { id: "decoded-code", level: "notice", subject });
}

const literalsIn = (syntax: Syntax, node: SyntaxNode): string =>
  [...syntax.within(node, 200)].flatMap((one) => (one.type === "string" ? [stringValue(syntax, one)] : [])).join("");

/** Follows a value to the calls that it comes from, by the assignments around it. */
class OriginReader {
  readonly #syntax: Syntax;
  /** By name, the assigned expressions. */
  readonly #assigned = new Map<string, SyntaxNode[]>();
  #visits = 0;

  constructor(syntax: Syntax) {
    this.#syntax = syntax;
    for (const node of syntax.nodes) {
      const assignment = assignmentOf(syntax, node);
      const name = assignment && nameOf(syntax, assignment.target);
      if (assignment && name) this.#assign(name, assignment.value);
      if (node.type === "call" && writers.has(calleeOf(syntax, node)?.name ?? ""))
        for (const { value } of argumentsOf(syntax, node).slice(0, 6))
          if (value?.type === "identifier") this.#assign(syntax.textOf(value), node);
    }
  }

  #assign(name: string, value: SyntaxNode): void {
    const earlier = this.#assigned.get(name);
    if (!earlier) this.#assigned.set(name, [value]);
    else if (earlier.length < 20) earlier.push(value);
  }

  of(values: readonly SyntaxNode[], sink: SyntaxNode): Origins {
    const found: Origins = { decoders: new Set(), network: null, functions: new Set() };
    const names = new Set<string>();
    const expressions = [...values];
    let visits = 0;
    for (const expression of expressions)
      for (const node of this.#syntax.within(expression)) {
        visits += 1;
        this.#visits += 1;
        if (visits > mostForOne || this.#visits > mostInFile) return found;
        if (node.type === "call") this.#readCall(node, found);
        else if (node.type === "string" && isAddress(stringValue(this.#syntax, node).slice(0, 10)))
          found.network ??= this.#isRead(node) ? "address" : null;
        else if (node.type === "identifier") this.#follow(node, { names, expressions, sink });
      }
    return found;
  }

  #follow(
    node: SyntaxNode,
    { names, expressions, sink }: { names: Set<string>; expressions: SyntaxNode[]; sink: SyntaxNode },
  ): void {
    const name = nameOf(this.#syntax, node) ?? "";
    if (names.has(name)) return;
    names.add(name);
    for (const assigned of this.#assigned.get(name) ?? [])
      if (assigned.type !== "function_definition" && this.#mayReach(assigned, sink)) expressions.push(assigned);
  }

  /** Both are in the same top-level expression, or the value is assigned at the top level. */
  #mayReach(assigned: SyntaxNode, sink: SyntaxNode): boolean {
    const [one, other] = [this.#topOf(assigned), this.#topOf(sink)];
    return one === other || this.#syntax.parent(assigned)?.index === one;
  }

  readonly #tops = new Map<number, number>();

  /** The top-level expression that a node is in. */
  #topOf(node: SyntaxNode): number {
    const known = this.#tops.get(node.index);
    if (known !== undefined) return known;
    if (this.#topList.length === 0) this.#topList.push(...[...this.#topNodes()].map(({ index }) => index));
    let low = 0;
    let high = this.#topList.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#topList[middle] ?? 0) <= node.index) low = middle;
      else high = middle;
    }
    const top = this.#topList[low] ?? 0;
    this.#tops.set(node.index, top);
    return top;
  }

  readonly #topList: number[] = [];

  *#topNodes(): Generator<SyntaxNode> {
    const [program] = this.#syntax.nodes;
    if (program) yield* this.#syntax.children(program);
  }

  #readCall(node: SyntaxNode, found: Origins): void {
    const callee = calleeOf(this.#syntax, node);
    if (!callee) return;
    const { name } = callee;
    if (decoders.has(name)) found.decoders.add(name);
    const watched = callee.package === null ? watchedAttached(name) : watchedIn(callee.package, name);
    const isRead = watched?.signal === "network" || networkReaders.has(name);
    if (isRead) found.network ??= name;
    if (callee.package === null) found.functions.add(name);
  }

  /** An address is given to a call, not just part of a message. */
  #isRead(node: SyntaxNode): boolean {
    const above = this.#syntax.parent(node);
    const pipe = pipeOf(this.#syntax, above);
    const list = above && this.#syntax.parent(above);
    const call = pipe ? (pipe.to.type === "call" ? pipe.to : above) : list && this.#syntax.parent(list);
    return (
      call !== undefined &&
      isCall(this.#syntax, call) &&
      ["readLines", "source", "file", "fromJSON", "scan"].includes(calleeOf(this.#syntax, call)?.name ?? "")
    );
  }
}
