import type { Indicator, InspectedFile, InterfaceEntry } from "@packhouse/contract/review/inspection";
import { isVignette } from "@packhouse/formats/r/vignettes";
import type { CodeFacts } from "./code/code-facts.ts";

interface Sources {
  kind: "source" | "binary";
  files: readonly InspectedFile[];
  texts: ReadonlyMap<string, string>;
  code: ReadonlyMap<string, CodeFacts>;
  entries: readonly InterfaceEntry[];
}

const helpPage = /^man\/(?:unix\/|windows\/)?[^/]+\.[Rr]d$/;

const mostLines = 100_000;

/** Sources of help pages. */
export const isHelpPage = (path: string): boolean => helpPage.test(path);

export const indicatorsOf = (sources: Sources): Indicator[] => [
  { id: "documented", ...documented(sources) },
  { id: "vignettes", value: String(vignettesOf(sources)), source: sources.kind === "source" ? "vignettes" : "doc" },
  { id: "examples", ...examples(sources) },
  { id: "tests", ...tests(sources) },
];

/** Exported objects that a help page names. Binaries keep their pages in a database. */
function documented({ kind, entries, texts }: Sources): { value: string | null; source: string | null } {
  if (kind === "binary") return { value: null, source: null };
  const aliases = new Set<string>();
  for (const [path, text] of texts) if (helpPage.test(path)) for (const alias of aliasesOf(text)) aliases.add(alias);
  const objects = entries.filter((entry) => entry.kind !== "s3-method" && entry.kind !== "s4-method");
  const named = objects.filter(
    ({ name, kind: of }) => aliases.has(name) || (of === "s4-class" && aliases.has(`${name}-class`)),
  );
  return { value: `${named.length} of ${objects.length}`, source: "man" };
}

/** `\alias{name}` outside of comments; `\%` stands for `%`. */
function aliasesOf(text: string): string[] {
  return text.split("\n", mostLines).flatMap((line) => {
    const [before = ""] = line.replaceAll("\\%", "\0").split("%", 1);
    const [, ...parts] = before.split("\\alias{");
    return parts.map((part) => (part.split("}", 1)[0] ?? "").replaceAll("\0", "%").replaceAll("\\", "").trim());
  });
}

const vignetteSource = /^vignettes\/[^/]+\.(?:Rmd|qmd|Rnw|Rtex|ltx|tex|asis|Snw)$/i;

function vignettesOf({ kind, files }: Sources): number {
  const sources = files.filter(({ path }) => vignetteSource.test(path)).length;
  return sources > 0 ? sources : files.filter(({ path }) => isVignette(path, kind)).length;
}

function examples({ kind, texts }: Sources): { value: string | null; source: string | null } {
  if (kind === "binary") return { value: null, source: null };
  const pages = [...texts].filter(([path]) => helpPage.test(path));
  const withExamples = pages.filter(([, text]) => text.includes("\\examples{"));
  return { value: `${withExamples.length} of ${pages.length}`, source: "man" };
}

const testFile = /^(?:tests|inst\/tinytest|inst\/unitTests|inst\/tests)\/.*\.[Rr]$/;

/** Calls of `test_that` and its like; files where there are none. */
function tests({ code }: Sources): { value: string; source: string | null } {
  const files = [...code].filter(([path]) => testFile.test(path));
  const calls = files.reduce((sum, [, facts]) => sum + facts.tests, 0);
  return { value: String(calls > 0 ? calls : files.length), source: files.length > 0 ? "tests" : null };
}
