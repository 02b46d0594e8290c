import type { Place, Syntax } from "./syntax.ts";

/** The arguments of a call; `*args` and `**kwargs` are in neither. */
export function argumentsOf(
  syntax: Syntax,
  call: Place,
): { positional: Place[]; keywords: Map<string, Place>; all: Place[] } {
  const list = syntax.child(call, "arguments");
  const positional: Place[] = [];
  const keywords = new Map<string, Place>();
  const all: Place[] = [];
  if (list === undefined) return { positional, keywords, all };
  if (syntax.kind(list) === "generator_expression") return { positional: [list], keywords, all: [list] };
  for (const argument of syntax.children(list)) {
    const kind = syntax.kind(argument);
    if (kind === "keyword_argument") {
      const name = syntax.child(argument, "name");
      const value = syntax.child(argument, "value");
      if (name === undefined || value === undefined) continue;
      keywords.set(syntax.text(name), value);
      all.push(value);
    } else {
      if (kind !== "list_splat" && kind !== "dictionary_splat") positional.push(argument);
      all.push(argument);
    }
    if (all.length === 2_000) break;
  }
  return { positional, keywords, all };
}
