import type {
  Indicator,
  IndicatorId,
  InspectedFile,
  InterfaceEntry,
  MetadataField,
} from "@packhouse/contract/review/inspection";
import { isVersion, versionKey } from "@packhouse/formats/r/version";
import { isVignette } from "@packhouse/formats/r/vignettes";
import type { CodeFacts } from "./code/code-facts.ts";

interface Sources {
  kind: "source" | "binary";
  name: string;
  version: string;
  files: readonly InspectedFile[];
  fields: readonly MetadataField[];
  texts: ReadonlyMap<string, string>;
  code: ReadonlyMap<string, CodeFacts>;
  entries: readonly InterfaceEntry[];
}

const helpPage = /^man\/(?:unix\/|windows\/)?[^/]+\.[Rr]d$/;
const news = ["NEWS.md", "NEWS", "inst/NEWS.Rd", "inst/NEWS.md", "inst/NEWS", "NEWS.txt", "ChangeLog", "NEWS.Rd"];

const mostLines = 100_000;

/** Texts that the indicators need. */
export const isDocumentation = (path: string): boolean => helpPage.test(path) || news.includes(path);

export function indicatorsOf(sources: Sources): Indicator[] {
  const values: Partial<Record<IndicatorId, { value: string | null; source: string | null }>> = {
    documented: documented(sources),
    vignettes: { value: String(vignettesOf(sources)), source: sources.kind === "source" ? "vignettes" : "doc" },
    examples: examples(sources),
    tests: tests(sources),
    "news-entry": newsEntry(sources),
    ...fromDescription(sources.fields),
    "lines-of-code": { value: linesOfCode(sources.files), source: null },
    "compiled-code": compiledCode(sources.files),
  };
  return Object.entries(values).map(([id, one]) => ({ id: id as IndicatorId, ...one })); // keys of the record above
}

const yesOrNo = (value: boolean): string => (value ? "yes" : "no");

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

function newsEntry({ name, version, texts }: Sources): { value: string; source: string | null } {
  const path = news.find((one) => texts.has(one));
  if (path === undefined) return { value: "no", source: null };
  const lines = texts.get(path)?.split("\n", mostLines) ?? [];
  return { value: yesOrNo(lines.some((line) => isHeading(line, name) && namesVersion(line, version))), source: path };
}

/** Headings in Markdown and Rd, and lines of plain texts that begin with a version or the package's name. */
function isHeading(line: string, name: string): boolean {
  const text = line.slice(0, 300).trim().toLowerCase();
  const starts = ["#", "\\section", "=", "version", "changes in", "v", name.toLowerCase(), "**", "release", "o ", "["];
  return /^[0-9]/.test(text) || starts.some((start) => text.startsWith(start));
}

function namesVersion(line: string, version: string): boolean {
  const words = line.slice(0, 300).split(/[^0-9A-Za-z.-]+/);
  return words.some((word) => {
    const number = word.replace(/^[vV]/, "").replace(/[.-]$/, "");
    return isVersion(number) && isVersion(version) && versionKey(number) === versionKey(version);
  });
}

type Values = Partial<Record<IndicatorId, { value: string | null; source: string }>>;

function fromDescription(fields: readonly MetadataField[]): Values {
  const source = "DESCRIPTION";
  const field = (name: string) => fields.find((one) => one.name === name)?.value ?? "";
  const bugs = field("BugReports");
  const addresses = `${field("URL")} ${bugs}`.toLowerCase();
  return {
    "bug-tracker": { value: yesOrNo(bugs.trim() !== ""), source },
    "source-repository": { value: yesOrNo(repositories.some((word) => addresses.includes(word))), source },
    "maintainer-reachable": { value: yesOrNo(isReachable(field("Maintainer") || field("Authors@R"))), source },
    "supported-versions": { value: supportedVersions(field("Depends")), source },
  };
}

const repositories = [
  "github.",
  "gitlab.",
  "bitbucket.",
  "codeberg.",
  "r-forge.",
  "sr.ht",
  "git.",
  "svn.",
  "gitea",
  "forgejo",
];

/** A name and a mail address; of `Authors@R`, one next to the role `cre`. */
function isReachable(maintainer: string): boolean {
  const at = maintainer.indexOf("@");
  const isPerson = maintainer.trimStart() !== "" && !maintainer.trimStart().startsWith("<");
  return isPerson && at > 0 && maintainer.indexOf(".", at) > at && !maintainer.includes("ORPHANED");
}

function supportedVersions(depends: string): string {
  const onR = depends.split(",").find((one) => /^R[\s(]/.test(`${one.trim()} `));
  const constraint = onR?.split("(")[1]?.split(")")[0]?.trim().replace(/\s+/g, " ");
  return constraint ? `R ${constraint}` : "R";
}

const languages: Readonly<Record<string, string>> = {
  r: "R",
  c: "C",
  h: "C",
  cpp: "C++",
  cc: "C++",
  cxx: "C++",
  hpp: "C++",
  f: "Fortran",
  for: "Fortran",
  f90: "Fortran",
  f95: "Fortran",
  f03: "Fortran",
  rs: "Rust",
  java: "Java",
  js: "JavaScript",
  py: "Python",
  stan: "Stan",
  jl: "Julia",
};

/** Without tests and documents. */
function linesOfCode(files: readonly InspectedFile[]): string {
  const found = new Map<string, number>();
  for (const { path, lines } of files) {
    const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
    const language = Object.hasOwn(languages, extension) ? languages[extension] : undefined;
    const isCounted = path.startsWith("R/") || path.startsWith("src/") || path.startsWith("inst/");
    if (language && isCounted && lines !== null) found.set(language, (found.get(language) ?? 0) + lines);
  }
  const sorted = [...found].sort(([, a], [, b]) => b - a);
  return sorted.map(([language, lines]) => `${language}: ${lines}`).join(", ") || "0";
}

const compiled = new Set(["C", "C++", "Fortran", "Rust", "Stan"]);
const library = /^libs\/(?:.*\/)?[^/]+\.(?:so|dll|dylib)$/;

function compiledCode(files: readonly InspectedFile[]): { value: string; source: string | null } {
  const one = files.find(({ path }) => {
    const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
    const isSource = Object.hasOwn(languages, extension) && compiled.has(languages[extension] ?? "");
    return (path.startsWith("src/") && isSource) || library.test(path);
  });
  return { value: yesOrNo(one !== undefined), source: one ? (one.path.split("/")[0] ?? null) : null };
}
