import { lookalikeCharacters } from "./lookalike-characters.ts";

const prototypes = new Map(
  lookalikeCharacters.flatMap(([prototype, codePoints]) =>
    codePoints.split(" ").map((hex) => [String.fromCodePoint(Number.parseInt(hex, 16)), prototype] as const),
  ),
);

/** Characters that some fonts do not show at all, such as joiners and variation selectors. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The form in which names are compared: compatibility forms, outer and repeated blanks, and case are ignored. Equal
 * keys mean the same name.
 */
export function nameKey(text: string): string {
  return folded(text.normalize("NFKC")).normalize("NFKC").replace(/\s+/gu, " ").trim();
}

/**
 * What a name looks like (after the skeletons of Unicode Technical Standard 39): names with equal skeletons are easily
 * confused, across scripts. Case is ignored.
 */
export const skeleton = (text: string): string => skeletonAs(text, "l");

/**
 * All skeletons of a name. `1`, `|`, and `I` look like `l` as well as like `i`, which do not look like each other; so
 * two names look alike when they share one of their skeletons.
 */
export const skeletons = (text: string): string[] => [...new Set([skeletonAs(text, "l"), skeletonAs(text, "i")])];

function skeletonAs(text: string, stroke: "l" | "i"): string {
  const visible = text.normalize("NFKC").replace(invisible, "").replace(/\s+/gu, " ").trim();
  // Capital letters look like other characters than small ones do, so both forms are replaced.
  return replaced(folded(replaced(visible.normalize("NFD"), stroke)), stroke).normalize("NFC");
}

function replaced(text: string, stroke: "l" | "i"): string {
  return Array.from(text, (character) => {
    const prototype = prototypes.get(character);
    return prototype === "l" ? stroke : (prototype ?? character);
  }).join("");
}

/** Upper case first: it is what makes `ß` and `ss`, or the forms of sigma, equal. */
const folded = (text: string): string => text.toUpperCase().toLowerCase().replaceAll("ς", "σ");
