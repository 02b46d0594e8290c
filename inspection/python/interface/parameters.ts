import type { Parameter } from "@packhouse/contract/review/inspection";
import { storable } from "../syntax/storable.ts";
import type { Place, Syntax } from "../syntax/syntax.ts";

/** Defaults and annotations are shown in a line. */
const longest = 200;
/** No one calls a function with more. */
const mostParameters = 500;

/** The parameters of a `parameters` node, each with its kind. */
export function parametersOf(syntax: Syntax, place: Place): Parameter[] {
  const found: Parameter[] = [];
  let kind: Parameter["kind"] = "any";
  for (const part of syntax.children(place)) {
    if (found.length === mostParameters) break;
    const type = syntax.kind(part);
    if (type === "positional_separator") {
      for (const parameter of found) parameter.kind = "positional-only";
      continue;
    }
    if (type === "keyword_separator") {
      kind = "keyword-only";
      continue;
    }
    const parameter = parameterOf(syntax, part, kind);
    if (parameter === undefined) continue;
    if (parameter.kind === "rest") kind = "keyword-only";
    found.push(parameter);
  }
  return found;
}

function parameterOf(syntax: Syntax, part: Place, kind: Parameter["kind"]): Parameter | undefined {
  const type = syntax.kind(part);
  const value = syntax.child(part, "value");
  const annotation = syntax.child(part, "type");
  const target = type === "identifier" || isSplat(type) ? part : (syntax.child(part, "name") ?? part + 1);
  const isRest = syntax.kind(target) === "list_splat_pattern";
  const isKeywords = syntax.kind(target) === "dictionary_splat_pattern";
  const name = isRest || isKeywords ? target + 1 : target;
  if (syntax.kind(name) !== "identifier") return undefined;
  return {
    name: syntax.text(name),
    default: value === undefined ? null : asWritten(syntax, value),
    annotation: annotation === undefined ? null : asWritten(syntax, annotation),
    kind: isRest ? "rest" : isKeywords ? "keywords" : kind,
  };
}

const isSplat = (type: string): boolean => type === "list_splat_pattern" || type === "dictionary_splat_pattern";

/** An expression in one line. */
export const asWritten = (syntax: Syntax, place: Place): string =>
  storable(
    syntax
      .text(place)
      .slice(0, longest * 4)
      .replace(/\s+/g, " "),
    longest,
  );
