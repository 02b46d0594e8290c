import type { Indicator, IndicatorId, InspectedFile } from "@packhouse/contract/review/inspection";
import type { Technology } from "@packhouse/contract/technology";
import { formatOf } from "@packhouse/formats/format";
import { extensionOf } from "../rules/places.ts";
import type { PackageMetadata } from "./package-metadata.ts";

interface InspectedPackage {
  technology: Technology;
  kind: "source" | "binary";
  metadata: PackageMetadata;
  files: readonly InspectedFile[];
  texts: ReadonlyMap<string, string>;
}

/** The indicators that follow from metadata and the list of files. */
export function sharedIndicators({ technology, kind, metadata, files, texts }: InspectedPackage): Indicator[] {
  const facts = metadataFacts[technology];
  const saidIn = (name: string) => metadata.fields.find((candidate) => candidate.name === name)?.value ?? "";
  const said = (id: IndicatorId, value: string | null): Indicator => ({ id, value, source: facts.source });
  return [
    newsEntry(metadata.version, kind, texts),
    said("bug-tracker", yesOrNo(facts.hasBugTracker(saidIn))),
    said("source-repository", yesOrNo(facts.namesSource(saidIn))),
    said("license-recognized", yesOrNo(metadata.spdx !== null)),
    said("maintainer-reachable", yesOrNo(facts.isMaintainerReachable(saidIn))),
    said("direct-dependencies", String(directDependencies(technology, metadata).size)),
    said("supported-versions", facts.supportedVersions(metadata, saidIn)),
    { id: "lines-of-code", value: linesOfCode(files), source: null },
    compiledCode(files),
  ];
}

const yesOrNo = (is: boolean): string => (is ? "yes" : "no");

type SaidIn = (name: string) => string;

/** Where each technology's metadata has what people ask about. */
interface MetadataFacts {
  source: string | null;
  hasBugTracker(saidIn: SaidIn): boolean;
  namesSource(saidIn: SaidIn): boolean;
  isMaintainerReachable(saidIn: SaidIn): boolean;
  supportedVersions(metadata: PackageMetadata, saidIn: SaidIn): string | null;
  isRequired(dependency: PackageMetadata["dependencies"][number]): boolean;
}

const codeHosts = new Set(["github.com", "bitbucket.org", "codeberg.org", "r-forge.r-project.org"]);

/** Whether a text has an address at which code is published. */
const namesCodeHost = (text: string): boolean =>
  text.split(/[\s,<>]+/).some((part) => {
    const url = URL.parse(part);
    if (!url || url.pathname === "/") return false;
    return codeHosts.has(url.hostname.replace(/^www\./, "")) || /^(?:gitlab|git|hg)\./.test(url.hostname);
  });

/** As a dependency, it is the language itself. */
const language = "R";

const metadataFacts: Record<Technology, MetadataFacts> = {
  R: {
    source: "DESCRIPTION",
    hasBugTracker: (saidIn) => saidIn("BugReports") !== "",
    namesSource: (saidIn) => namesCodeHost(saidIn("URL")) || namesCodeHost(saidIn("BugReports")),
    isMaintainerReachable: (saidIn) => isPersonWithMail(saidIn("Maintainer")),
    supportedVersions: ({ dependencies }) => {
      const bounds = dependencies.filter(({ field, name }) => field === "Depends" && name === language);
      return bounds.length === 0 ? null : bounds.map(({ constraint }) => `R ${constraint}`.trim()).join(", ");
    },
    isRequired: ({ field }) => field !== "Suggests" && field !== "Enhances",
  },
  Python: {
    source: null,
    hasBugTracker: (saidIn) => hasUrl(saidIn, /^(?:bug|issue|tracker)/i),
    namesSource: (saidIn) =>
      hasUrl(saidIn, /^(?:source|repo|code|github|gitlab)/i) || namesCodeHost(saidIn("Home-page")),
    isMaintainerReachable: (saidIn) =>
      ["Maintainer", "Author"].some((who) => {
        const mail = saidIn(`${who}-email`);
        return isPersonWithMail(mail) || (saidIn(who) !== "" && isMail(mail));
      }),
    supportedVersions: (_metadata, saidIn) =>
      saidIn("Requires-Python") === "" ? null : `Python ${saidIn("Requires-Python")}`,
    isRequired: ({ field, condition }) => field === "Requires-Dist" && !/\bextra\b/.test(condition),
  },
};

const hasUrl = (saidIn: SaidIn, label: RegExp): boolean =>
  saidIn("Project-URL")
    .split("\n")
    .some((line) => label.test(line.trim()) && line.includes("://"));

const isMail = (text: string): boolean => /^[^\s@<>,]{1,100}@[^\s@<>,]{1,200}$/.test(text.trim());

/** `Ada Lovelace <ada@example.org>`; the first of several. */
function isPersonWithMail(text: string): boolean {
  const open = text.indexOf("<");
  const close = text.indexOf(">", open);
  return (
    open > 0 && text.slice(0, open).trim() !== "" && isMail(text.slice(open + 1, close === -1 ? text.length : close))
  );
}

function directDependencies(technology: Technology, { dependencies }: PackageMetadata): ReadonlySet<string> {
  const format = formatOf(technology);
  return new Set(
    dependencies
      .filter(
        (dependency) =>
          metadataFacts[technology].isRequired(dependency) && !format.dependencies.isBuiltIn(dependency.name),
      )
      .map(({ name }) => format.normalizeName(name)),
  );
}

/** Files in which packages describe their changes. */
export const isNews = (path: string): boolean =>
  /^(?:inst\/|docs?\/)?(?:NEWS|CHANGES|CHANGELOG|HISTORY|RELEASE[_-]?NOTES)(?:\.(?:md|rd|rst|txt))?$/i.test(path);

function newsEntry(version: string, kind: "source" | "binary", texts: ReadonlyMap<string, string>): Indicator {
  const news = [...texts].filter(([path]) => isNews(path));
  const found = news.find(([, text]) => namesVersion(text, version));
  const value = found ? "yes" : news.length === 0 && kind === "binary" ? null : "no";
  return { id: "news-entry", value, source: (found ?? news[0])?.[0] ?? null };
}

/** Whether a text names a version, and not only as the beginning or the end of another one. */
function namesVersion(text: string, version: string): boolean {
  if (version === "") return false;
  for (let at = text.indexOf(version); at !== -1; at = text.indexOf(version, at + 1)) {
    const after = text.slice(at + version.length, at + version.length + 2);
    if (!/[0-9.]/.test(text[at - 1] ?? " ") && !/^(?:[0-9]|\.[0-9])/.test(after)) return true;
  }
  return false;
}

const languages: ReadonlyMap<string, string> = new Map(
  Object.entries({
    R: "r",
    Python: "py pyw",
    Cython: "pyx pxd",
    C: "c h",
    "C++": "cc cpp cxx hpp hh",
    Fortran: "f f90 f95 for",
    Rust: "rs",
    Go: "go",
    Java: "java",
    JavaScript: "js mjs ts",
    Shell: "sh bash",
    Stan: "stan",
    Julia: "jl",
  }).flatMap(([language, extensions]) => extensions.split(" ").map((extension) => [extension, language] as const)),
);

function linesOfCode(files: readonly InspectedFile[]): string | null {
  const lines = new Map<string, number>();
  for (const file of files) {
    const language = languages.get(extensionOf(file.path));
    if (language !== undefined && !file.generated) lines.set(language, (lines.get(language) ?? 0) + (file.lines ?? 0));
  }
  const most = [...lines].sort(([, a], [, b]) => b - a).map(([language, count]) => `${language}: ${count}`);
  return most.length === 0 ? null : most.join(", ");
}

const compiledLanguages = new Set(["C", "C++", "Fortran", "Rust", "Go", "Cython"]);

function compiledCode(files: readonly InspectedFile[]): Indicator {
  const found = files.find(
    ({ path, kind }) =>
      ["elf", "pe", "mach-o"].includes(kind) || compiledLanguages.has(languages.get(extensionOf(path)) ?? ""),
  );
  return { id: "compiled-code", value: yesOrNo(found !== undefined), source: found?.path ?? null };
}
