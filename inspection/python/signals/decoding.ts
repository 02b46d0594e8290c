import { argumentsOf } from "../syntax/calls.ts";
import type { Names } from "../syntax/names.ts";
import type { Place, Syntax } from "../syntax/syntax.ts";
import { decoders, reachOf } from "./reach-rules.ts";

const mostNodes = 3_000;
const mostSources = 60;

/**
 * What an expression was decoded by, `base64.b64decode`, or `download` if it comes from the network; undefined if from
 * neither. Variables and functions of the file are followed unless `follows` is false.
 */
export function decodingIn(syntax: Syntax, names: Names, expression: Place, follows = true): string | undefined {
  const waiting = [expression];
  const seen = new Set<Place>();
  let nodes = 0;
  for (let source = waiting.shift(); source !== undefined; source = waiting.shift()) {
    if (seen.has(source) || seen.size >= mostSources) continue;
    seen.add(source);
    for (const place of syntax.subtree(source, mostNodes)) {
      nodes += 1;
      if (nodes > mostNodes * 4) return undefined;
      const kind = syntax.kind(place);
      if (kind === "call") {
        const decoder = decoderOf(syntax, names, place);
        if (decoder) return decoder;
      } else if (kind === "identifier" && syntax.field(place) !== "attribute") {
        const name = syntax.text(place);
        if (names.resolve(place)?.name === "chr" && syntax.field(place) !== "function") return "chr";
        const values = names.valuesOf(name).filter((value) => isVisible(syntax, value, place));
        if (follows) waiting.push(...values, ...(names.functions.get(name) ?? []));
      } else if (source === expression && kind === "slice" && isReversal(syntax, place)) return "reversed";
    }
  }
  return undefined;
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
