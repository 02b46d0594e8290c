import type { Signal } from "@packhouse/contract/review/inspection";
import { type SignalId, signalRules } from "@packhouse/contract/review/signals";
import { extensionOf } from "../../rules/places.ts";
import {
  dropHost,
  isAddress,
  isHiddenCommand,
  isNumericAddress,
  sensitivePlace,
  suspiciousCommand,
} from "../../rules/suspicious-texts.ts";
import type { Found } from "../facts.ts";
import { argumentsOf } from "../syntax/calls.ts";
import { stringLiteral } from "../syntax/literals.ts";
import type { Names, QualifiedName } from "../syntax/names.ts";
import { storable } from "../syntax/storable.ts";
import type { Place, Syntax } from "../syntax/syntax.ts";
import { Decoding } from "./decoding.ts";
import { Downloads, downloaders } from "./downloads.ts";
import { EnvironmentReader } from "./environment-reader.ts";
import { type FileCode, type Finding, isAlias, mostFound, textsIn } from "./file-code.ts";
import { readAssignment } from "./import-changes.ts";
import { Moments } from "./moments.ts";
import {
  endings,
  executors,
  fileLoaders,
  type ReachRule,
  reachingModules,
  reachOf,
  searchPaths,
  siteFolders,
  startingModules,
  textRunners,
  unmistakableMethods,
  unpicklers,
} from "./reach-rules.ts";
import { isDeferring } from "./runs.ts";

const mostNamedFiles = 200;

export interface CodeFindings {
  found: Found[];
  /** What the file calls on import of other modules. */
  importTimeCalls: string[];
  /** Paths of Python files in its texts. */
  namedFiles: string[];
  /** False if the file leads to more than is followed. */
  isComplete: boolean;
}

/** What a file of code reaches, hides and does when it is imported. */
export function codeSignals(path: string, syntax: Syntax, names: Names): CodeFindings {
  return new CodeReader(path, syntax, names).read();
}

class CodeReader implements FileCode {
  readonly path: string;
  readonly syntax: Syntax;
  readonly names: Names;
  readonly moments: Moments;
  readonly decoding: Decoding;
  readonly #environment: EnvironmentReader;
  readonly #downloads: Downloads;
  readonly #found: (Found & { inside: Place })[] = [];
  readonly #importTimeCalls = new Set<string>();

  readonly #namedFiles = new Set<string>();
  /** What is given to functions that use the network. */
  readonly #networkArguments: Place[] = [];

  /** Whether the file asks where packages are installed, and a text of it that names a `.pth` file. */
  #findsSite = false;
  #pathFile: Place | undefined;

  constructor(path: string, syntax: Syntax, names: Names) {
    this.path = path;
    this.syntax = syntax;
    this.names = names;
    this.moments = new Moments(path, syntax, names);
    this.decoding = new Decoding(syntax, names);
    this.#environment = new EnvironmentReader(this);
    this.#downloads = new Downloads(this);
  }

  isNetworked(inside: Place): boolean {
    return this.#found.some((found) => found.signal.id === "network" && found.inside === inside);
  }

  read(): CodeFindings {
    const syntax = this.syntax;
    for (let place = 0; place < syntax.count; place++) {
      const kind = syntax.kind(place);
      if (kind === "call") this.#readCall(place);
      else if (kind === "decorator") this.#readDecorator(place);
      else if (kind === "class_definition") this.#readBases(place);
      else if (kind === "exec_statement") this.#readExecution(place, "exec", syntax.child(place, "code"));
      else if (kind === "string") this.#readText(place);
      else if (kind === "identifier" || kind === "attribute") {
        this.#environment.read(place, kind);
        this.#readMention(place);
      } else if (kind === "while_statement") this.#readLoop(place);
      else if (kind === "assignment" || kind === "augmented_assignment") readAssignment(this, place);
    }
    this.#environment.finish(this.#networkArguments);
    this.#downloads.finish();
    if (this.#findsSite && this.#pathFile !== undefined)
      this.add("py-pth-file", this.#pathFile, { subject: this.syntax.text(this.#pathFile), isRaised: true });
    return {
      found: this.#found.map(({ inside: _, ...found }) => found),
      importTimeCalls: [...this.#importTimeCalls],
      namedFiles: [...this.#namedFiles],
      isComplete: !this.decoding.isExhausted,
    };
  }

  add(id: SignalId, place: Place, finding: Finding): void {
    const { subject, topic = subject, isRaised = false, isQuiet = false } = finding;
    const when = this.moments.at(place);
    const isHidden = id === "decoded-code";
    if (when === "never" && !isHidden) return;
    if (this.#found.length >= mostFound && (!isRaised || this.#found.length >= mostFound * 2)) return;
    const rule = signalRules[id];
    const signal: Signal = {
      id,
      level: rule.level === "danger" ? "danger" : isRaised ? "warning" : "notice",
      subject: storable(subject),
      file: this.path,
      line: this.syntax.line(place),
      excerpt: this.syntax.excerpt(place),
    };
    this.#found.push({
      signal,
      when: when === "never" ? "call" : when,
      topic: storable(topic),
      isRaised,
      isQuiet,
      leading: when === "call" ? this.moments.leadingTo(place) : [],
      inside: this.moments.functionOf(place),
    });
  }

  #readCall(call: Place): void {
    const syntax = this.syntax;
    const callee = syntax.child(call, "function");
    if (callee === undefined) return;
    const called = this.names.resolve(callee) ?? this.#fromStarImport(callee) ?? this.#unmistakable(callee);
    if (this.moments.at(call) === "import") this.#readImportTimeCall(call, called);
    if (called) this.#readNamedCall(call, called);
    else this.#readDecodedCall(call, callee);
    if (syntax.kind(callee) === "call") this.#readMethodCaller(call, callee);
    if (syntax.kind(callee) === "attribute") this.#readSubclasses(call, callee);
    for (const argument of argumentsOf(this.syntax, call).all.slice(0, 50)) {
      const kind = syntax.kind(argument);
      if (kind !== "identifier" && kind !== "attribute") continue;
      const passed = this.names.resolve(argument);
      if (!passed) continue;
      const rule = reachOf(passed.name);
      if (executors.has(passed.name) || (rule && !rule.isQuiet)) this.#readNamedCall(call, passed);
    }
  }

  /** What a call runs in other modules: the function, and those that are given to it. */
  #readImportTimeCall(call: Place, called: QualifiedName | null): void {
    if (called) this.#addImportTimeCall(called.name);
    if (isDeferring(this.syntax, call)) return;
    for (const argument of argumentsOf(this.syntax, call).all.slice(0, 50))
      for (const part of this.syntax.subtree(argument, 50)) {
        const kind = this.syntax.kind(part);
        if (kind !== "identifier" && kind !== "attribute") continue;
        const passed = this.names.resolve(part);
        if (passed) this.#addImportTimeCall(passed.name);
      }
  }

  #addImportTimeCall(name: string): void {
    if (this.#importTimeCalls.size < mostFound) this.#importTimeCalls.add(name);
  }

  #readDecorator(place: Place): void {
    const called = this.moments.at(place) === "import" ? this.names.resolve(place + 1) : null;
    if (called) this.#addImportTimeCall(called.name.replace("()", ""));
  }

  /** A class of another module runs its metaclass, and what a base class does with classes that extend it. */
  #readBases(place: Place): void {
    const syntax = this.syntax;
    const bases = syntax.child(place, "superclasses");
    if (bases === undefined || this.moments.at(place) !== "import") return;
    for (const base of [...syntax.children(bases)].slice(0, 20)) {
      const isKeyword = syntax.kind(base) === "keyword_argument";
      const value = isKeyword ? syntax.child(base, "value") : base;
      const name = value === undefined ? undefined : this.names.resolve(value)?.name;
      if (name !== undefined) this.#addImportTimeCall(isKeyword ? name : `${name}.__init_subclass__`);
    }
  }

  #readNamedCall(call: Place, called: QualifiedName): void {
    const { name } = called;
    const rule = reachOf(name);
    if (siteFolders.has(name)) this.#findsSite = true;
    if (searchPaths.has(name)) this.#readSearchPath(call, name);
    if (called.hidden && (rule || executors.has(name))) this.add("decoded-code", call, { subject: name });
    const { all, positional } = argumentsOf(this.syntax, call);
    if (name === "open" || downloaders.has(name)) this.#downloads.noteWritten(call, name);
    if (executors.has(name)) this.#readExecution(call, name, positional[0]);
    else if (textRunners.has(name)) for (const code of all.slice(0, 10)) this.#readExecution(call, name, code);
    else if (fileLoaders.has(name)) this.#readLoader(call, name, all);
    else if (name === "getattr" || name === "getattr()") this.#readLookup(call, positional);
    else if (name === "__pyarmor__" || name === "pyarmor_runtime" || name.startsWith("pytransform."))
      this.add("decoded-code", call, { subject: name });
    else if (unpicklers.has(name)) {
      const decoder = positional[0] === undefined ? undefined : this.decoding.decoderIn(positional[0]);
      const literal = positional[0] === undefined ? undefined : this.names.textOf(positional[0]);
      if (decoder === "download" || literal !== undefined) this.add("decoded-code", call, { subject: name });
    } else if (endings.has(name)) this.add("py-import-time-call", call, { subject: name });
    else if (name === "os.getenv" || name === "os.environ.get") this.#environment.readVariable(call, positional[0]);
    else if (rule) this.#readReach(call, name, rule, all);
  }

  /** `sys.path.insert(0, "/tmp/modules")`: a folder outside of the package. */
  #readSearchPath(call: Place, name: string): void {
    const isOutside = textsIn(this, argumentsOf(this.syntax, call).all).some((text) =>
      /^(?:\/|[A-Za-z]:\\)/.test(text),
    );
    if (isOutside) this.add("import-hook", call, { subject: name, isRaised: true });
  }

  /** `getattr(module, b64decode("…"))()`. */
  #readDecodedCall(call: Place, callee: Place): void {
    if (this.syntax.kind(callee) !== "call") return;
    const inner = this.syntax.child(callee, "function");
    if (inner === undefined || this.names.resolve(inner)?.name !== "getattr") return;
    const attribute = argumentsOf(this.syntax, callee).positional[1];
    const decoder = attribute === undefined ? undefined : this.decoding.decoderIn(attribute);
    if (decoder) this.add("decoded-code", call, { subject: "getattr" });
  }

  #readReach(call: Place, name: string, rule: ReachRule, all: readonly Place[]): void {
    const topic = name.split(".")[0] ?? name;
    const isQuiet = rule.isQuiet ?? false;
    if (rule.id === "process") {
      const text = textsIn(this, all).join(" ");
      if (!isQuiet) this.#downloads.noteStarted(call, name, text);
      const decoder = all.map((argument) => this.decoding.decoderIn(argument, false)).find(Boolean);
      if (isHiddenCommand(text) || (decoder && decoder !== "download"))
        this.add("decoded-code", call, { subject: name });
      const isRaised = rule.isRaised || suspiciousCommand(text) !== undefined;
      this.add("process", call, { subject: name, topic, isRaised, isQuiet });
    } else if (rule.id === "network") {
      if (this.#networkArguments.length < mostFound) this.#networkArguments.push(...all.slice(0, 20));
      const texts = textsIn(this, all);
      const isRaised = texts.some((text) => isRemoteAddress(text) || isNumericAddress(text));
      this.add("network", call, { subject: name, topic, isRaised, isQuiet });
    } else if (rule.id === "home-folder") {
      const path = textsIn(this, all)[0];
      this.add("home-folder", call, { subject: path ?? name, isQuiet: true });
    } else this.add(rule.id, call, { subject: name, topic, isRaised: rule.isRaised ?? false, isQuiet });
  }

  #readExecution(place: Place, name: string, given: Place | undefined): void {
    if (given === undefined) return;
    const compiled = this.#compiledBy(given);
    const code = compiled ?? given;
    const decoder = this.decoding.decoderIn(code);
    if (decoder) {
      this.add("decoded-code", place, { subject: `${name}: ${decoder}` });
      return;
    }
    const text = this.names.textOf(code)?.text;
    const isReaching = text !== undefined && reachingWords.some((word) => text.includes(word));
    if (isReaching) {
      this.add("decoded-code", place, { subject: `${name}: text` });
      return;
    }
    const runsStatements = name === "exec" || name === "execfile" || name === "runpy.run_path";
    if (text !== undefined && name !== "execfile" && name !== "runpy.run_path") return;
    if (!runsStatements && compiled === undefined) return;
    this.add("py-import-time-call", place, { subject: name });
    if (name !== "exec" && name !== "eval") this.#readLoader(place, name, [code]);
    else if (this.decoding.readsFile(code)) this.#readLoader(place, name, [code]);
  }

  /** The text that `eval(compile(text, …))` and `exec(compile(text, …))` run. */
  #compiledBy(code: Place): Place | undefined {
    if (this.syntax.kind(code) !== "call") return undefined;
    const isCompiled = this.names.resolve(code)?.name === "compile()";
    return isCompiled ? argumentsOf(this.syntax, code).positional[0] : undefined;
  }

  /** Runs a file: one that is named as data is not meant to be seen as code. */
  #readLoader(place: Place, name: string, all: readonly Place[]): void {
    const isData = textsIn(this, all).some((text) => dataExtensions.has(extensionOf(text)));
    const isCommon = fileLoaders.has(name) && name !== "importlib.machinery.SourcelessFileLoader";
    this.add("code-from-file", place, { subject: name, topic: "file", isRaised: isData, isQuiet: isCommon });
  }

  /** `getattr(os, name)`: looks up what it runs by a name that is computed. */
  #readLookup(call: Place, [object, key]: readonly Place[]): void {
    if (object === undefined || key === undefined || this.names.textOf(key) !== undefined) return;
    const module = this.names.resolve(object)?.name;
    if (module === undefined || !startingModules.has(module)) return;
    // `getattr(os, "O_" + mode)` is a constant.
    if (textsIn(this, [key]).some((text) => /^[A-Z]/.test(text))) return;
    this.add("process", call, { subject: `getattr(${module})`, topic: module, isRaised: true });
  }

  /** `methodcaller("system", "make")(os)`. */
  #readMethodCaller(call: Place, callee: Place): void {
    const inner = this.syntax.child(callee, "function");
    if (inner === undefined || this.names.resolve(inner)?.name !== "operator.methodcaller") return;
    const [method] = argumentsOf(this.syntax, callee).positional;
    const [object] = argumentsOf(this.syntax, call).positional;
    const owner = object === undefined ? undefined : this.names.resolve(object)?.name;
    const name = method === undefined ? undefined : this.names.textOf(method)?.text;
    if (owner !== undefined && name !== undefined)
      this.#readNamedCall(callee, { name: `${owner}.${name}`, hidden: false });
  }

  /** `().__class__.__base__.__subclasses__()`: finds all classes, such as `Popen`, without naming a module. */
  #readSubclasses(call: Place, callee: Place): void {
    const syntax = this.syntax;
    const method = syntax.child(callee, "attribute");
    const object = syntax.child(callee, "object");
    if (method === undefined || object === undefined || syntax.text(method) !== "__subclasses__") return;
    const isObject = this.names.resolve(object)?.name === "object";
    const climbs = [...syntax.subtree(object, 50)].some(
      (place) => syntax.field(place) === "attribute" && climbing.has(syntax.text(place)),
    );
    if (isObject || climbs) this.add("process", call, { subject: "__subclasses__", isRaised: true });
  }

  #unmistakable(callee: Place): QualifiedName | null {
    const syntax = this.syntax;
    const method = syntax.kind(callee) === "attribute" ? syntax.child(callee, "attribute") : undefined;
    const name = method === undefined ? undefined : unmistakableMethods.get(syntax.text(method));
    return name === undefined ? null : { name, hidden: false };
  }

  /** A function that starts programs where it is no call: `{"make": os.system}`, `@os.system`, `self.run = os.system`. */
  #readMention(place: Place): void {
    const syntax = this.syntax;
    const parent = syntax.parent(place);
    const parentKind = syntax.kind(parent);
    const isValue =
      holders.has(parentKind) ||
      (parentKind === "pair" && syntax.field(place) === "value") ||
      (parentKind === "lambda" && syntax.field(place) === "body") ||
      (parentKind === "assignment" && syntax.field(place) === "right" && !isAlias(syntax, parent));
    if (!isValue) return;
    const name = this.names.resolve(place)?.name;
    if (name === undefined) return;
    const rule = reachOf(name);
    if (rule?.id === "process" && !rule.isQuiet)
      this.add("process", place, {
        subject: name,
        topic: name.split(".")[0] ?? name,
        isRaised: rule.isRaised ?? false,
      });
    else if (name === "exec") this.add("py-import-time-call", place, { subject: name });
  }

  #readText(place: Place): void {
    const syntax = this.syntax;
    if (syntax.kind(syntax.parent(place)) === "expression_statement" || syntax.length(place) < 6) return;
    if (syntax.length(place) > 4_000) return;
    if (/\.pth["']$/.test(syntax.text(place).slice(-5))) this.#pathFile ??= place;
    const literal = stringLiteral(syntax, place);
    const text = literal?.text ?? syntax.text(place);
    if (text.endsWith(".py") && text.length <= 200 && this.#namedFiles.size < mostNamedFiles)
      this.#namedFiles.add(text);
    // PyYAML calls what such a text names.
    if (text.includes("!!python/object/")) this.add("decoded-code", place, { subject: "yaml" });
    const sensitive = sensitivePlace(text);
    // Clients take the path of the file of passwords that all of them share.
    const isCommon = sensitive === ".netrc" && syntax.kind(syntax.parent(place)).endsWith("default_parameter");
    if (sensitive) this.add("home-folder", place, { subject: sensitive, isRaised: !isCommon, isQuiet: true });
    const host = text.includes(" ") ? undefined : dropHost(text);
    if (host) this.add("network", place, { subject: host, isRaised: true, isQuiet: true });
  }

  /** `while True:` in the module itself, without a way out: importing never ends. */
  #readLoop(place: Place): void {
    const syntax = this.syntax;
    if (this.moments.at(place) !== "import" || this.moments.functionOf(place) !== 0) return;
    const condition = syntax.child(place, "condition");
    if (condition === undefined || !["True", "1"].includes(syntax.text(condition).slice(0, 5))) return;
    for (const inner of syntax.subtree(place))
      if (["break_statement", "raise_statement", "return_statement"].includes(syntax.kind(inner))) return;
    this.add("py-import-time-call", place, { subject: "while" });
  }

  #fromStarImport(callee: Place): QualifiedName | null {
    const syntax = this.syntax;
    if (syntax.kind(callee) !== "identifier") return null;
    const name = syntax.text(callee);
    if (this.names.functions.has(name) || this.names.classes.has(name)) return null;
    for (const module of this.names.starImports) {
      if (!reachingModules.includes(module)) continue;
      if (reachOf(`${module}.${name}`)) return { name: `${module}.${name}`, hidden: false };
    }
    return null;
  }
}

const isRemoteAddress = (text: string): boolean =>
  isAddress(text) && !text.includes("://localhost") && !text.includes("://127.0.0.1");

/** What holds values that are used later. */
const holders = new Set(
  "list tuple set expression_list decorator return_statement conditional_expression boolean_operator".split(" "),
);

/** Attributes that lead from an object to the class that all others extend. */
const climbing = new Set(["__base__", "__bases__", "__mro__", "mro"]);

/** Of files that nobody expects code in. */
const dataExtensions = new Set(
  "dat data bin txt md rst json csv tsv xml html svg png jpg jpeg gif ico pdf log cache tmp db pkl gz zip".split(" "),
);

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
