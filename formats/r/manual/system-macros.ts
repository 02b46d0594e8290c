import { UserMacros } from "./user-macros.ts";

/** DESCRIPTION fields by macro. Those for all fields and for the index are empty: the manual shows both anyway. */
const fieldMacros: Readonly<Record<string, string>> = {
  packageTitle: "Title",
  packageDescription: "Description",
  packageAuthor: "Author",
  packageMaintainer: "Maintainer",
  packageDESCRIPTION: "",
  packageIndices: "",
};

/** The results of R's own macros ("Writing R Extensions", 2.13), most of which would run R code. */
export function systemMacros(fields: ReadonlyMap<string, string>): UserMacros {
  const macros = new UserMacros();
  macros.define("PR", String.raw`\href{https://bugs.R-project.org/show_bug.cgi?id=#1}{PR##1}`, escaped);
  macros.define("CRANpkg", String.raw`\href{https://CRAN.R-project.org/package=#1}{\pkg{#1}}`, escaped);
  macros.define("doi", String.raw`\href{https://doi.org/#1}{doi:#1}`, (doi) => escaped(bareDoi(doi)));
  macros.define("sspace", " ");
  macros.define("LaTeX", "LaTeX");
  macros.define("I", "#1");
  macros.define("proglang", "#1");
  for (const [name, field] of Object.entries(fieldMacros))
    macros.defineConstant(name, escaped(fields.get(field) ?? ""));
  return macros;
}

const escaped = (text: string): string => text.replace(/[\\%{}]/g, "\\$&");

const bareDoi = (doi: string): string => doi.trim().replace(/^(?:doi:|https?:\/\/(?:dx\.)?doi\.org\/)\s*/i, "");
