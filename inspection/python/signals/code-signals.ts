import type { Signal } from "@packhouse/contract/review/inspection";
import { type SignalId, signalRules } from "@packhouse/contract/review/signals";
import {
  dropHost,
  isAddress,
  isHiddenCommand,
  isNumericAddress,
  isSecretVariable,
  sensitivePlace,
  suspiciousCommand,
} from "../../rules/suspicious-texts.ts";
import type { Found } from "../facts.ts";
import { argumentsOf } from "../syntax/calls.ts";
import { stringLiteral } from "../syntax/literals.ts";
import type { Names, QualifiedName } from "../syntax/names.ts";
import { storable } from "../syntax/storable.ts";
import type { Place, Syntax } from "../syntax/syntax.ts";
import { decodingIn } from "./decoding.ts";
import { Moments } from "./moments.ts";
import {
  changedAttributes,
  endings,
  executors,
  powerfulVariables,
  type ReachRule,
  reachingModules,
  reachOf,
  searchPaths,
  siteFolders,
  unpicklers,
} from "./reach-rules.ts";

/** Past this, only what is suspicious in itself is listed; a file that people wrote has a few. */
const mostFound = 300;

export interface CodeFindings {
  found: Found[];
  /** What the file calls on import of other modules. */
  importTimeCalls: string[];
}

/** What a file of code reaches, hides and does when it is imported. */
export function codeSignals(path: string, syntax: Syntax, names: Names): CodeFindings {
  return new CodeReader(path, syntax, names).read();
}

interface Finding {
  subject: string;
  topic?: string;
  isRaised?: boolean;
  isQuiet?: boolean;
}

class CodeReader {
  readonly #path: string;
  readonly #syntax: Syntax;
  readonly #names: Names;
  readonly #moments: Moments;
  readonly #found: (Found & { inside: Place })[] = [];
  readonly #importTimeCalls = new Set<string>();
  readonly #environmentNames = new Map<string, boolean>();
  /** Reads of the whole environment, by the function that they are in. */
  readonly #wholeEnvironments: Place[] = [];

  /** Whether the file asks where packages are installed, and a text of it that names a `.pth` file. */
  #findsSite = false;
  #pathFile: Place | undefined;

  constructor(path: string, syntax: Syntax, names: Names) {
    this.#path = path;
    this.#syntax = syntax;
    this.#names = names;
    this.#moments = new Moments(path, syntax, names);
  }

  read(): CodeFindings {
    const syntax = this.#syntax;
    for (let place = 0; place < syntax.count; place++) {
      const kind = syntax.kind(place);
      if (kind === "call") this.#readCall(place);
      else if (kind === "exec_statement") this.#readExecution(place, "exec", syntax.child(place, "code"));
      else if (kind === "string") this.#readText(place);
      else if (kind === "identifier" || kind === "attribute") this.#readEnvironment(place, kind);
      else if (kind === "while_statement") this.#readLoop(place);
      else if (kind === "assignment" || kind === "augmented_assignment") this.#readAssignment(place);
    }
    this.#readWholeEnvironments();
    if (this.#findsSite && this.#pathFile !== undefined)
      this.#add("py-pth-file", this.#pathFile, { subject: this.#syntax.text(this.#pathFile), isRaised: true });
    return {
      found: this.#found.map(({ inside: _, ...found }) => found),
      importTimeCalls: [...this.#importTimeCalls],
    };
  }

  #add(id: SignalId, place: Place, finding: Finding): void {
    const { subject, topic = subject, isRaised = false, isQuiet = false } = finding;
    const when = this.#moments.at(place);
    if (when === "never") return;
    if (this.#found.length >= mostFound && (!isRaised || this.#found.length >= mostFound * 2)) return;
    const rule = signalRules[id];
    const signal: Signal = {
      id,
      level: rule.level === "danger" ? "danger" : isRaised ? "warning" : "notice",
      subject: storable(subject),
      file: this.#path,
      line: this.#syntax.line(place),
      excerpt: this.#syntax.excerpt(place),
    };
    this.#found.push({
      signal,
      when,
      topic: storable(topic),
      isRaised,
      isQuiet,
      leading: when === "call" ? this.#moments.leadingTo(place) : [],
      inside: this.#moments.functionOf(place),
    });
  }

  #readCall(call: Place): void {
    const syntax = this.#syntax;
    const callee = syntax.child(call, "function");
    if (callee === undefined) return;
    const called = this.#names.resolve(callee) ?? this.#fromStarImport(callee);
    if (called && this.#importTimeCalls.size < mostFound && this.#moments.at(call) === "import")
      this.#importTimeCalls.add(called.name);
    if (called) this.#readNamedCall(call, called);
    else this.#readDecodedCall(call, callee);
    for (const argument of argumentsOf(this.#syntax, call).all.slice(0, 50)) {
      const kind = syntax.kind(argument);
      if (kind !== "identifier" && kind !== "attribute") continue;
      const passed = this.#names.resolve(argument);
      if (!passed) continue;
      const rule = reachOf(passed.name);
      if (executors.has(passed.name) || (rule && !rule.isQuiet)) this.#readNamedCall(call, passed);
    }
  }

  #readNamedCall(call: Place, called: QualifiedName): void {
    const { name } = called;
    const rule = reachOf(name);
    if (siteFolders.has(name)) this.#findsSite = true;
    if (searchPaths.has(name)) this.#readSearchPath(call, name);
    if (called.hidden && (rule || executors.has(name))) this.#add("decoded-code", call, { subject: name });
    const { all, positional } = argumentsOf(this.#syntax, call);
    if (executors.has(name)) this.#readExecution(call, name, positional[0]);
    else if (name === "__pyarmor__" || name === "pyarmor_runtime" || name.startsWith("pytransform."))
      this.#add("decoded-code", call, { subject: name });
    else if (unpicklers.has(name)) {
      const decoder = positional[0] === undefined ? undefined : decodingIn(this.#syntax, this.#names, positional[0]);
      const literal = positional[0] === undefined ? undefined : this.#names.textOf(positional[0]);
      if (decoder === "download" || literal !== undefined) this.#add("decoded-code", call, { subject: name });
    } else if (endings.has(name)) this.#add("py-import-time-call", call, { subject: name });
    else if (name === "os.getenv" || name === "os.environ.get") this.#readVariable(call, positional[0]);
    else if (rule) this.#readReach(call, name, rule, all);
  }

  /** `sys.path.insert(0, "/tmp/modules")`: a folder outside of the package. */
  #readSearchPath(call: Place, name: string): void {
    const isOutside = this.#textsIn(argumentsOf(this.#syntax, call).all).some((text) =>
      /^(?:\/|[A-Za-z]:\\)/.test(text),
    );
    if (isOutside) this.#add("import-hook", call, { subject: name, isRaised: true });
  }

  /** `getattr(module, b64decode("…"))()`. */
  #readDecodedCall(call: Place, callee: Place): void {
    if (this.#syntax.kind(callee) !== "call") return;
    const inner = this.#syntax.child(callee, "function");
    if (inner === undefined || this.#names.resolve(inner)?.name !== "getattr") return;
    const attribute = argumentsOf(this.#syntax, callee).positional[1];
    const decoder = attribute === undefined ? undefined : decodingIn(this.#syntax, this.#names, attribute);
    if (decoder) this.#add("decoded-code", call, { subject: "getattr" });
  }

  #readReach(call: Place, name: string, rule: ReachRule, all: readonly Place[]): void {
    const topic = name.split(".")[0] ?? name;
    const isQuiet = rule.isQuiet ?? false;
    if (rule.id === "process") {
      const text = this.#textsIn(all).join(" ");
      const decoder = all.map((argument) => decodingIn(this.#syntax, this.#names, argument, false)).find(Boolean);
      if (isHiddenCommand(text) || (decoder && decoder !== "download"))
        this.#add("decoded-code", call, { subject: name });
      const isRaised = rule.isRaised || suspiciousCommand(text) !== undefined;
      this.#add("process", call, { subject: name, topic, isRaised, isQuiet });
    } else if (rule.id === "network") {
      const texts = this.#textsIn(all);
      const isRaised = texts.some((text) => isRemoteAddress(text) || isNumericAddress(text));
      this.#add("network", call, { subject: name, topic, isRaised, isQuiet });
    } else if (rule.id === "home-folder") {
      const path = this.#textsIn(all)[0];
      this.#add("home-folder", call, { subject: path ?? name, isQuiet: true });
    } else this.#add(rule.id, call, { subject: name, topic, isRaised: rule.isRaised ?? false, isQuiet });
  }

  #readExecution(place: Place, name: string, code: Place | undefined): void {
    if (code === undefined) return;
    const decoder = decodingIn(this.#syntax, this.#names, code);
    if (decoder) this.#add("decoded-code", place, { subject: `${name}: ${decoder}` });
    else {
      const text = this.#names.textOf(code)?.text;
      const isReaching = text !== undefined && reachingWords.some((word) => text.includes(word));
      if (isReaching) this.#add("decoded-code", place, { subject: `${name}: text` });
      else if (text === undefined && (name === "exec" || name === "execfile" || name === "runpy.run_path"))
        this.#add("py-import-time-call", place, { subject: name });
    }
  }

  /** The texts that arguments contain, also through variables. */
  #textsIn(places: readonly Place[]): string[] {
    const syntax = this.#syntax;
    const texts: string[] = [];
    for (const place of places.slice(0, 20)) {
      const constant = this.#names.constant(place)?.value;
      if (typeof constant === "string") texts.push(constant);
      else if (Array.isArray(constant)) texts.push(...constant.map(String).slice(0, 100));
      else
        for (const part of syntax.subtree(place, 300)) {
          if (syntax.kind(part) === "string_content") texts.push(syntax.text(part).slice(0, 2_000));
          if (syntax.kind(part) !== "identifier") continue;
          for (const value of this.#names.valuesOf(syntax.text(part)).slice(0, 3)) {
            const text = this.#names.textOf(value)?.text;
            if (text !== undefined) texts.push(text.slice(0, 2_000));
          }
        }
      if (texts.length > 200) break;
    }
    return texts;
  }

  #readText(place: Place): void {
    const syntax = this.#syntax;
    if (syntax.kind(syntax.parent(place)) === "expression_statement" || syntax.length(place) < 6) return;
    if (syntax.length(place) > 4_000) return;
    if (/\.pth["']$/.test(syntax.text(place).slice(-5))) this.#pathFile ??= place;
    const literal = stringLiteral(syntax, place);
    const text = literal?.text ?? syntax.text(place);
    // PyYAML calls what such a text names.
    if (text.includes("!!python/object/")) this.#add("decoded-code", place, { subject: "yaml" });
    const sensitive = sensitivePlace(text);
    if (sensitive) this.#add("home-folder", place, { subject: sensitive, isRaised: true, isQuiet: true });
    const host = text.includes(" ") ? undefined : dropHost(text);
    if (host) this.#add("network", place, { subject: host, isRaised: true, isQuiet: true });
  }

  #readVariable(place: Place, argument: Place | undefined): void {
    const name = argument === undefined ? undefined : this.#names.textOf(argument)?.text;
    if (name === undefined) this.#add("environment", place, { subject: "os.environ", isQuiet: true });
    else if (isSecretVariable(name)) this.#add("secret-environment", place, { subject: name, isQuiet: true });
    else if (homeVariables.has(name)) this.#add("home-folder", place, { subject: name, isQuiet: true });
    else this.#add("environment", place, { subject: name, isQuiet: true });
  }

  /** `os.environ["LD_PRELOAD"] = …` */
  #readChange(place: Place, variable: Place | undefined): void {
    const name = variable === undefined ? undefined : this.#names.textOf(variable)?.text;
    if (name !== undefined && powerfulVariables.has(name.toUpperCase()))
      this.#add("environment", place, { subject: name, isRaised: true, isQuiet: true });
  }

  #isEnvironment(place: Place, kind: string): boolean {
    const syntax = this.#syntax;
    if (kind === "attribute") {
      const attribute = syntax.child(place, "attribute");
      const isNamed = attribute !== undefined && ["environ", "environb"].includes(syntax.text(attribute));
      return isNamed && this.#names.resolve(place)?.name.startsWith("os.environ") === true;
    }
    const name = syntax.text(place);
    let known = this.#environmentNames.get(name);
    if (known === undefined) {
      const resolved = this.#names.resolve(place)?.name;
      known = resolved === "os.environ" || resolved === "os.environb";
      this.#environmentNames.set(name, known);
    }
    return known;
  }

  #readEnvironment(place: Place, kind: string): void {
    const syntax = this.#syntax;
    const parent = syntax.parent(place);
    const parentKind = syntax.kind(parent);
    const field = syntax.field(place);
    if (
      field === "attribute" ||
      parentKind === "dotted_name" ||
      (parentKind === "keyword_argument" && field === "name")
    )
      return;
    if (!this.#isEnvironment(place, kind)) return;
    if (parentKind === "subscript") {
      const isWritten = syntax.field(parent) === "left" || syntax.kind(syntax.parent(parent)) === "delete_statement";
      const variable = syntax.child(parent, "subscript");
      if (!isWritten) this.#readVariable(parent, variable);
      else if (syntax.field(parent) === "left") this.#readChange(parent, variable);
    } else if (parentKind === "attribute") this.#readMethod(parent);
    else if (parentKind === "assignment" || parentKind === "comparison_operator") return;
    else if (parentKind === "keyword_argument") return;
    else this.#wholeEnvironments.push(place);
  }

  /** `os.environ.get("HOME")` is read as a call where its name resolves, other methods here. */
  #readMethod(attribute: Place): void {
    const syntax = this.#syntax;
    const method = syntax.text(syntax.child(attribute, "attribute") ?? attribute);
    const call = syntax.parent(attribute);
    if (syntax.kind(call) !== "call") return;
    if (method === "pop" || method === "setdefault" || method === "__getitem__")
      this.#readVariable(call, argumentsOf(this.#syntax, call).positional[0]);
    else if (["copy", "items", "values", "keys"].includes(method)) this.#wholeEnvironments.push(call);
  }

  /** All variables at once: a copy for a process is common, a text of them or one next to the network is not. */
  #readWholeEnvironments(): void {
    const networked = new Set(this.#found.filter(({ signal }) => signal.id === "network").map(({ inside }) => inside));
    for (const place of this.#wholeEnvironments.slice(0, mostFound)) {
      const isSent = this.#isSerialized(place) || networked.has(this.#moments.functionOf(place));
      if (isSent) this.#add("secret-environment", place, { subject: "os.environ", isRaised: true, isQuiet: true });
      else this.#add("environment", place, { subject: "os.environ", isQuiet: true });
    }
  }

  #isSerialized(place: Place): boolean {
    const syntax = this.#syntax;
    let at = place;
    for (let step = 0; step < 12 && at !== 0; step++) {
      at = syntax.parent(at);
      const kind = syntax.kind(at);
      if (kind === "expression_statement" || kind === "block") return false;
      if (kind === "interpolation") return true;
      const callee = kind === "call" ? syntax.child(at, "function") : undefined;
      const name = callee === undefined ? undefined : this.#names.resolve(callee)?.name;
      if (name !== undefined && (serializers.has(name) || reachOf(name)?.id === "network")) return true;
    }
    return false;
  }

  /** `builtins.__import__ = own`, `sys.meta_path[:0] = [own]`, `sys.modules["requests"] = own` */
  #readAssignment(place: Place): void {
    const syntax = this.#syntax;
    const left = syntax.child(place, "left");
    const isPart = left !== undefined && syntax.kind(left) === "subscript";
    const target = isPart ? left + 1 : left;
    if (target === undefined || syntax.kind(target) !== "attribute") return;
    const name = this.#names.resolve(target)?.name;
    if (name !== undefined && changedAttributes.has(name))
      this.#add("import-hook", place, { subject: name, isRaised: true });
    const key = isPart && name === "sys.modules" ? syntax.child(left, "subscript") : undefined;
    const module = key === undefined ? undefined : this.#names.textOf(key)?.text;
    if (module !== undefined && !this.#isOwn(module))
      this.#add("import-hook", place, { subject: `sys.modules: ${module}`, isRaised: true });
  }

  /** Whether a module's name begins with that of a folder that this file is in, or with its own. */
  #isOwn(module: string): boolean {
    const [top = ""] = module.split(".");
    return this.#path
      .replace(/\.pyw?$/, "")
      .split("/")
      .includes(top);
  }

  /** `while True:` in the module itself, without a way out: importing never ends. */
  #readLoop(place: Place): void {
    const syntax = this.#syntax;
    if (this.#moments.at(place) !== "import" || this.#moments.functionOf(place) !== 0) return;
    const condition = syntax.child(place, "condition");
    if (condition === undefined || !["True", "1"].includes(syntax.text(condition).slice(0, 5))) return;
    for (const inner of syntax.subtree(place))
      if (["break_statement", "raise_statement", "return_statement"].includes(syntax.kind(inner))) return;
    this.#add("py-import-time-call", place, { subject: "while" });
  }

  #fromStarImport(callee: Place): QualifiedName | null {
    const syntax = this.#syntax;
    if (syntax.kind(callee) !== "identifier") return null;
    const name = syntax.text(callee);
    if (this.#names.functions.has(name) || this.#names.classes.has(name)) return null;
    for (const module of this.#names.starImports) {
      if (!reachingModules.includes(module)) continue;
      if (reachOf(`${module}.${name}`)) return { name: `${module}.${name}`, hidden: false };
    }
    return null;
  }
}

const isRemoteAddress = (text: string): boolean =>
  isAddress(text) && !text.includes("://localhost") && !text.includes("://127.0.0.1");

const homeVariables = new Set(["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "HOMEPATH"]);

const serializers = new Set([
  "json.dumps",
  "json.dump",
  "str",
  "repr",
  "bytes",
  "urllib.parse.urlencode",
  "urllib.urlencode",
  "pickle.dumps",
  "base64.b64encode",
  "pprint.pformat",
]);

/** In a text that is executed: what the code in it would reach. */
const reachingWords = [
  "subprocess",
  "os.system",
  "socket",
  "urllib",
  "requests",
  "__import__",
  "b64decode",
  "marshal",
  "os.environ",
];
