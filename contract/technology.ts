import { z } from "zod";

/** The two kinds of repository. The value is what the API sends; `technologyPath` is what its addresses use. */
export const technology = z.enum(["R", "Python"]);
export type Technology = z.infer<typeof technology>;

export const technologyPath = { R: "r", Python: "python" } as const satisfies Record<Technology, string>;
/** Before a noun in a sentence: "an R package". */
export const technologyWithArticle = { R: "an R", Python: "a Python" } as const satisfies Record<Technology, string>;
export type TechnologyPath = (typeof technologyPath)[Technology];
/** The technology that an address names. */
export const technologyAt = { r: "R", python: "Python" } as const satisfies Record<TechnologyPath, Technology>;

/** Any letter case is accepted: `python`, `PYTHON` and `Python` are the same technology. */
export function normalizeTechnology(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();
}
