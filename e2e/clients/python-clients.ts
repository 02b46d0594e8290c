import { join, resolve } from "node:path";

/** Clients that Debian has not, or has too old ones of, in the versions that the tests were written for. */
export const pythonClients = {
  pip: "26.3",
  twine: "7.0.0",
  uv: "0.13.9",
  poetry: "2.5.1",
  pdm: "2.29.3",
} as const;
export type PythonClient = keyof typeof pythonClients;

/** What pip is asked for: of pdm, the set of packages that it was released with, as it breaks with some later ones. */
export const requirementOf = (client: PythonClient): string =>
  `${client}${client === "pdm" ? "[locked]" : ""}==${pythonClients[client]}`;

/** Holds the client and what it needs, and nothing else: no two of them have to agree on their dependencies. */
export const folderOf = (client: PythonClient): string =>
  join(resolve(import.meta.dirname, "../.."), ".cache/python-clients", `${client}==${pythonClients[client]}`);
