import type { SetupCall } from "../facts.ts";
import { argumentsOf } from "../syntax/calls.ts";
import type { Names } from "../syntax/names.ts";
import type { Place, Syntax } from "../syntax/syntax.ts";

/** The literal arguments of the first `setup(…)` of a `setup.py`; null without one. */
export function setupCall(syntax: Syntax, names: Names): SetupCall | null {
  for (let place = 0; place < syntax.count; place++) {
    if (syntax.kind(place) !== "call") continue;
    const callee = syntax.child(place, "function");
    const name = callee === undefined ? undefined : names.resolve(callee)?.name;
    if (name === "setuptools.setup" || name === "distutils.core.setup") return declaredIn(syntax, names, place);
  }
  return null;
}

function declaredIn(syntax: Syntax, names: Names, call: Place): SetupCall {
  const found: SetupCall = { texts: {}, lists: {}, tables: {} };
  for (const [keyword, place] of argumentsOf(syntax, call).keywords) {
    const value = names.constant(place)?.value;
    if (typeof value === "string") found.texts[keyword] = value;
    else if (Array.isArray(value)) found.lists[keyword] = value.map(String);
    else {
      const table = dictionaryOf(syntax, place, names);
      if (table !== undefined) found.tables[keyword] = tableOf(syntax, names, table);
    }
  }
  return found;
}

/** The dictionary itself, or the one that a variable holds. */
const dictionaryOf = (syntax: Syntax, place: Place, names: Names): Place | undefined =>
  [place, ...(syntax.kind(place) === "identifier" ? names.valuesOf(syntax.text(place)) : [])].find(
    (value) => syntax.kind(value) === "dictionary",
  );

function tableOf(syntax: Syntax, names: Names, dictionary: Place): Record<string, string[]> {
  const pairs: [string, string[]][] = [];
  for (const pair of syntax.children(dictionary)) {
    const key = syntax.child(pair, "key");
    const value = syntax.child(pair, "value");
    const name = key === undefined ? undefined : names.textOf(key)?.text;
    if (name === undefined || value === undefined || pairs.length === 1_000) continue;
    const constant = names.constant(value)?.value;
    pairs.push([
      name,
      constant === undefined ? [] : Array.isArray(constant) ? constant.map(String) : [String(constant)],
    ]);
  }
  return Object.fromEntries(pairs);
}
