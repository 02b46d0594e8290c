import { argumentsOf } from "../syntax/calls.ts";
import type { Names } from "../syntax/names.ts";
import type { Place, Syntax } from "../syntax/syntax.ts";
import { decoders, reachOf } from "./reach-rules.ts";

/** Of one expression or function. */
const mostNodes = 3_000;
/** Variables and functions that one expression leads to. */
const mostSources = 300;
/** Attributes whose values one expression leads to. */
const mostAttributed = 20;
/** Of a whole file: expressions may contain each other, and lead to the same variables. */
const mostSteps = 4_000_000;

/** What one expression or function consists of, without what its names stand for. */
interface Source {
  decoder: string | undefined;
  reversed: boolean;
  readsFile: boolean;
  /** Each name in it, with its first place. */
  names: ReadonlyMap<string, Place>;
  attributes: ReadonlySet<string>;
}

/** Where the texts that a file runs come from. */
export class Decoding {
  readonly #syntax: Syntax;
  readonly #names: Names;
  readonly #sources = new Map<Place, Source>();
  #stepsLeft = mostSteps;

  constructor(syntax: Syntax, names: Names) {
    this.#syntax = syntax;
    this.#names = names;
  }

  /** Whether not everything that the file runs was followed. */
  get isExhausted(): boolean {
    return this.#stepsLeft < 0;
  }

  /**
   * What an expression was decoded by, `base64.b64decode`, or `download` if it comes from the network; undefined if
   * from neither. Variables and functions of the file are followed unless `follows` is false.
   */
  decoderIn(expression: Place, follows = true): string | undefined {
    for (const { place, source } of this.#reached(expression, follows)) {
      if (source.decoder !== undefined) return source.decoder;
      if (place === expression && source.reversed) return "reversed";
    }
    return undefined;
  }

  /** Whether an expression is the content of a file. */
  readsFile(expression: Place): boolean {
    for (const { source } of this.#reached(expression, true)) if (source.readsFile) return true;
    return false;
  }

  /** Those of some places that are part of an expression, or of what its names and attributes stand for. */
  placesIn(expression: Place, places: readonly Place[]): Place[] {
    const found = new Set<Place>();
    const attributed = new Set<Place>([expression]);
    for (const start of attributed)
      for (const { place, source } of this.#reached(start, true)) {
        const end = this.#syntax.end(place);
        this.#stepsLeft -= places.length;
        for (const candidate of places) if (place <= candidate && candidate < end) found.add(candidate);
        for (const name of source.attributes)
          for (const value of this.#names.attributesNamed(name).slice(0, 20))
            if (attributed.size < mostAttributed) attributed.add(value);
      }
    return [...found];
  }

  *#reached(expression: Place, follows: boolean): Generator<{ place: Place; source: Source }> {
    const syntax = this.#syntax;
    const names = this.#names;
    const waiting = [expression];
    const seen = new Set<Place>();
    for (let next = 0; next < waiting.length; next++) {
      const place = waiting[next] ?? 0;
      if (seen.has(place)) continue;
      if (seen.size >= mostSources || this.#stepsLeft < 0) return;
      seen.add(place);
      const source = this.#sourceAt(place);
      yield { place, source };
      if (!follows) continue;
      for (const [name, use] of source.names) {
        const values = names.referencesOf(name);
        this.#stepsLeft -= values.length + 1;
        if (this.#stepsLeft < 0 || waiting.length > mostSources * 4) return;
        for (const value of values) if (isVisible(syntax, value, use)) waiting.push(value);
        waiting.push(...(names.functions.get(name) ?? []));
      }
    }
  }

  #sourceAt(place: Place): Source {
    const known = this.#sources.get(place);
    if (known !== undefined) return known;
    const syntax = this.#syntax;
    let decoder: string | undefined;
    const names = new Map<string, Place>();
    const attributes = new Set<string>();
    let [reversed, readsFile] = [false, false];
    for (const inner of syntax.subtree(place, mostNodes)) {
      this.#stepsLeft -= 1;
      if (decoder !== undefined || this.#stepsLeft < 0) break;
      const kind = syntax.kind(inner);
      if (kind === "call") {
        decoder = decoderOf(syntax, this.#names, inner);
        readsFile ||= isReading(syntax, inner);
      } else if (kind === "identifier" && syntax.field(inner) !== "attribute") {
        const name = syntax.text(inner);
        if (!names.has(name)) names.set(name, inner);
        const isPassed = syntax.field(inner) !== "function";
        if (isPassed && this.#names.resolve(inner)?.name === "chr") decoder = "chr";
      } else if (kind === "identifier") attributes.add(syntax.text(inner));
      else if (kind === "slice" && isReversal(syntax, inner)) reversed = true;
    }
    const source = { decoder, reversed, readsFile, names, attributes };
    this.#sources.set(place, source);
    return source;
  }
}

const reading = new Set(
  "read read_text read_bytes readlines get_data read_binary get_source get_code getvalue".split(" "),
);

/** `path.read_text()`, `pkgutil.get_data(…)`. */
function isReading(syntax: Syntax, call: Place): boolean {
  const callee = syntax.child(call, "function");
  if (callee === undefined) return false;
  const name = syntax.kind(callee) === "attribute" ? syntax.child(callee, "attribute") : callee;
  return name !== undefined && syntax.length(name) < 20 && reading.has(syntax.text(name));
}

const isReversal = (syntax: Syntax, slice: Place): boolean =>
  syntax.length(slice) < 10 && syntax.text(slice).replaceAll(" ", "") === "::-1";

/** Whether a variable that is set in one place can be read in another: in the same function, or in one around it. */
function isVisible(syntax: Syntax, value: Place, use: Place): boolean {
  let scope = value;
  for (let step = 0; step < 200 && scope !== 0; step++) {
    scope = syntax.parent(scope);
    if (syntax.kind(scope) === "function_definition") return scope <= use && use < syntax.end(scope);
  }
  return true;
}

/** `bytes(code ^ 7 for code in CODES)`: numbers that are made into a text. */
const computations = new Set(["generator_expression", "list_comprehension", "list"]);

function decoderOf(syntax: Syntax, names: Names, call: Place): string | undefined {
  const callee = syntax.child(call, "function");
  if (callee === undefined) return undefined;
  const { positional, keywords } = argumentsOf(syntax, call);
  const name = names.resolve(callee)?.name;
  if (name !== undefined) {
    const codec = positional[1] ?? keywords.get("encoding");
    if (name === "codecs.decode" && (codec === undefined || !isHidingCodec(names, codec))) return undefined;
    if (decoders.has(name)) return name;
    if (reachOf(name)?.id === "network") return "download";
    const isBytes = name === "bytes" || name === "bytearray";
    if (isBytes && positional[0] !== undefined && computations.has(syntax.kind(positional[0]))) return name;
  }
  if (syntax.kind(callee) !== "attribute" || positional[0] === undefined) return undefined;
  const method = syntax.child(callee, "attribute");
  if (method === undefined || syntax.text(method) !== "decode") return undefined;
  return isHidingCodec(names, positional[0]) ? "decode" : undefined;
}

/** Codecs that hide a text, as opposed to those that state its letters. */
const hidingCodecs = new Set([
  "rot13",
  "rot_13",
  "hex",
  "hex_codec",
  "base64",
  "base64_codec",
  "zlib",
  "zip",
  "bz2",
  "uu",
]);

const isHidingCodec = (names: Names, codec: Place): boolean =>
  hidingCodecs.has((names.textOf(codec)?.text ?? "").toLowerCase().replaceAll("-", "_"));
