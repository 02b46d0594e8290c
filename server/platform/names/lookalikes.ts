import { skeleton, skeletons } from "./confusables.ts";

/** What each character of a name looks like: two possibilities where it may be an `l` or an `i`, such as `1`. */
type Glyphs = readonly (readonly [string, string])[];

function glyphsOf(name: string): Glyphs {
  const [first = "", second = first] = skeletons(name).map((it) => [...it]);
  return [...first].map((glyph, at) => [glyph, second[at] ?? glyph]);
}

const isSame = ([a, b]: Glyphs[number], [c, d]: Glyphs[number]): boolean => a === c || a === d || b === c || b === d;

/** Equal for names that look alike, and for some more: by this they are searched for. */
export const lookOf = (name: string): string => skeleton(name).replaceAll("i", "l");

export function looksLike(one: string, other: string): boolean {
  const [a, b] = [glyphsOf(one), glyphsOf(other)];
  return a.length === b.length && a.every((glyph, at) => isSame(glyph, b[at] ?? ["", ""]));
}

/**
 * The pattern with `*` by which a name is reserved, if any. Names count as their technology normalizes them; neither
 * case nor lookalike characters bypass a reservation.
 */
export const reservedBy = (
  name: string,
  reserved: readonly string[],
  normalizeName: (name: string) => string,
): string | undefined => reservations(reserved, normalizeName)(name);

/** The same for many names. */
export function reservations(
  reserved: readonly string[],
  normalizeName: (name: string) => string,
): (name: string) => string | undefined {
  if (reserved.length === 0) return () => undefined;
  const patterns = reserved.map((pattern) => ({
    pattern,
    parts: pattern.split("*").map((part) => glyphsOf(normalizeName(part))),
  }));
  return (name) => {
    const glyphs = glyphsOf(normalizeName(name));
    return patterns.find(({ parts }) => fits(glyphs, parts))?.pattern;
  };
}

/** Whether glyphs are these parts with anything between them; each part is taken where it first fits. */
function fits(glyphs: Glyphs, [first = [], ...others]: readonly Glyphs[]): boolean {
  const standsAt = (part: Glyphs, from: number) =>
    part.every((glyph, at) => isSame(glyph, glyphs[from + at] ?? ["", ""]));
  const last = others.pop();
  if (last === undefined) return glyphs.length === first.length && standsAt(first, 0);
  const end = glyphs.length - last.length;
  if (end < first.length || !standsAt(first, 0) || !standsAt(last, end)) return false;
  let from = first.length;
  for (const part of others) {
    while (from + part.length <= end && !standsAt(part, from)) from += 1;
    from += part.length;
  }
  return from <= end;
}
