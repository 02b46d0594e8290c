import { isSecretVariable } from "../../rules/suspicious-texts.ts";
import { argumentsOf } from "../syntax/calls.ts";
import type { Place } from "../syntax/syntax.ts";
import { type FileCode, isAlias, mostFound } from "./file-code.ts";
import { environments, powerfulVariables, reachOf } from "./reach-rules.ts";

/** Which environment variables a file reads, sets, and sends somewhere. */
export class EnvironmentReader {
  readonly #code: FileCode;
  /** Names of the file, and whether they stand for the environment. */
  readonly #environmentNames = new Map<string, boolean>();
  /** Reads of the whole environment. */
  readonly #wholeEnvironments: Place[] = [];

  constructor(code: FileCode) {
    this.#code = code;
  }

  readVariable(place: Place, argument: Place | undefined): void {
    const name = argument === undefined ? undefined : this.#code.names.textOf(argument)?.text;
    if (name === undefined) this.#code.add("environment", place, { subject: "os.environ", isQuiet: true });
    else if (isSecretVariable(name)) this.#code.add("secret-environment", place, { subject: name, isQuiet: true });
    else if (homeVariables.has(name)) this.#code.add("home-folder", place, { subject: name, isQuiet: true });
    else this.#code.add("environment", place, { subject: name, isQuiet: true });
  }

  /** `os.environ["LD_PRELOAD"] = …` */
  #readChange(place: Place, variable: Place | undefined): void {
    const name = variable === undefined ? undefined : this.#code.names.textOf(variable)?.text;
    if (name !== undefined && powerfulVariables.has(name.toUpperCase()))
      this.#code.add("environment", place, { subject: name, isRaised: true, isQuiet: true });
  }

  #isEnvironment(place: Place, kind: string): boolean {
    const syntax = this.#code.syntax;
    if (kind === "attribute") return environments.has(this.#code.names.resolve(place)?.name ?? "");
    const name = syntax.text(place);
    let known = this.#environmentNames.get(name);
    if (known === undefined) {
      const resolved = this.#code.names.resolve(place)?.name;
      known = resolved !== undefined && environments.has(resolved);
      this.#environmentNames.set(name, known);
    }
    return known;
  }

  read(place: Place, kind: "identifier" | "attribute"): void {
    const syntax = this.#code.syntax;
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
      if (!isWritten) this.readVariable(parent, variable);
      else if (syntax.field(parent) === "left") this.#readChange(parent, variable);
    } else if (parentKind === "attribute") this.#readMethod(parent);
    else if (parentKind === "comparison_operator") return;
    else if (parentKind === "assignment" && (field !== "right" || isAlias(syntax, parent))) return;
    else if (parentKind === "keyword_argument" && this.#isForProcess(parent)) return;
    else this.#wholeEnvironments.push(place);
  }

  /** `run(command, env=os.environ)`, also of functions that pass it on. */
  #isForProcess(argument: Place): boolean {
    const syntax = this.#code.syntax;
    const keyword = syntax.child(argument, "name");
    if (keyword === undefined || !syntax.text(keyword).endsWith("env")) return false;
    const callee = syntax.child(syntax.parent(syntax.parent(argument)), "function");
    const name = callee === undefined ? undefined : this.#code.names.resolve(callee)?.name;
    return name === undefined || reachOf(name)?.id !== "network";
  }

  /** `os.environ.get("HOME")` is read as a call where its name resolves, other methods here. */
  #readMethod(attribute: Place): void {
    const syntax = this.#code.syntax;
    const method = syntax.text(syntax.child(attribute, "attribute") ?? attribute);
    const call = syntax.parent(attribute);
    if (syntax.kind(call) !== "call") return;
    if (method === "pop" || method === "setdefault" || method === "__getitem__")
      this.readVariable(call, argumentsOf(this.#code.syntax, call).positional[0]);
    else if (["copy", "items", "values", "keys"].includes(method)) this.#wholeEnvironments.push(call);
  }

  /** All variables at once: a copy for a process is common, a text of them or one next to the network is not. */
  finish(networkArguments: readonly Place[]): void {
    const places = this.#wholeEnvironments.slice(0, mostFound);
    const sent = new Set<Place>();
    if (places.length > 0)
      for (const argument of networkArguments)
        for (const place of this.#code.decoding.placesIn(argument, places)) sent.add(place);
    for (const place of places) {
      const isSent =
        sent.has(place) || this.#isSerialized(place) || this.#code.isNetworked(this.#code.moments.functionOf(place));
      if (isSent) this.#code.add("secret-environment", place, { subject: "os.environ", isRaised: true, isQuiet: true });
      else this.#code.add("environment", place, { subject: "os.environ", isQuiet: true });
    }
  }

  #isSerialized(place: Place): boolean {
    const syntax = this.#code.syntax;
    let at = place;
    for (let step = 0; step < 12 && at !== 0; step++) {
      at = syntax.parent(at);
      const kind = syntax.kind(at);
      if (kind === "expression_statement" || kind === "block") return false;
      if (kind === "interpolation") return true;
      const callee = kind === "call" ? syntax.child(at, "function") : undefined;
      const name = callee === undefined ? undefined : this.#code.names.resolve(callee)?.name;
      if (name !== undefined && (serializers.has(name) || reachOf(name)?.id === "network")) return true;
    }
    return false;
  }
}

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
