import type { InterfaceEntry, Signal } from "@packhouse/contract/review/inspection";
import { readAuthors } from "@packhouse/formats/r/authors-at-r";
import { signalOf } from "../signal.ts";
import type { ReadArchive, TechnologyInspector } from "../technology-inspector.ts";
import { type CodeFacts, codeFacts } from "./code/code-facts.ts";
import { signalWith } from "./code/findings.ts";
import { unmistakable } from "./code/watched-functions.ts";
import { codeInDocument, isHelpPageCode } from "./code-in-documents.ts";
import { dataSignals } from "./data/data-with-code.ts";
import { indicatorsOf, isHelpPage } from "./indicators.ts";
import { installationSignalsOf, mayRunAtInstallation } from "./installation/installation.ts";
import { type DefinedAt, interfaceOf } from "./interface/interface.ts";
import { emptyNamespace } from "./interface/namespace.ts";
import { signalsOfPackage, withoutRepetitions } from "./package-code.ts";

/** R reads these from `R/`; elsewhere only what is called R code. */
const inPackage = /^R\/(?:unix\/|windows\/)?[^/]+\.[RrSsq]$/;
const script = /(?:^|\/)(?:[^/]+\.[Rr]|\.Rprofile)$/;
const citation = "inst/CITATION";
const dataList = "data/datalist";

export const rInspector: TechnologyInspector<CodeFacts> = {
  grammar: "r",
  isCode: (path) => path === "NAMESPACE" || path === citation || inPackage.test(path) || script.test(path),
  codeIn: codeInDocument,
  isKept: (path) => mayRunAtInstallation(path) || isHelpPage(path) || path === dataList,
  inspectCode: codeFacts,
  inspectBytes: dataSignals,
  finish(archive) {
    const entries = entriesOf(archive);
    return {
      interface: entries,
      signals: withoutRepetitions([
        ...signalsOfPackage(archive.code, namespaceOf(archive)).map(whereItRuns),
        ...fileSignals(archive),
      ]),
      indicators: indicatorsOf({ ...archive, entries }),
    };
  },
};

/** Code of help pages and of scripts for the installation reaches out when the package is installed. */
function whereItRuns(signal: Signal): Signal {
  const isReaching = (signal.id === "process" || signal.id === "network") && signal.level === "warning";
  if (!isReaching || signal.file === null) return signal;
  if (isHelpPageCode(signal.file)) return { ...signal, id: "r-help-code" };
  return installationScript.test(signal.file) ? { ...signal, id: "r-configure" } : signal;
}

const installationScript = /^(?:tools|src)\/(?:.*\/)?[^/]+\.[Rr]$/;

const namespaceOf = ({ code }: ReadArchive<CodeFacts>) => code.get("NAMESPACE")?.namespace ?? emptyNamespace();

function entriesOf(archive: ReadArchive<CodeFacts>): InterfaceEntry[] {
  const definitions = [...archive.code]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([file, facts]) => facts.definitions.map((one): DefinedAt => ({ ...one, file })));
  return interfaceOf({
    namespace: namespaceOf(archive),
    definitions,
    files: archive.files,
    datalist: archive.texts.get(dataList),
  });
}

/** What the files are, and what runs in addition to R code. */
function fileSignals({ kind, files, fields, texts, code }: ReadArchive<CodeFacts>): Signal[] {
  const installing = installationSignalsOf(texts);
  const libraries = [...code.keys()].filter((path) => path === "src/install.libs.R");
  const databases = kind === "source" ? files.filter(({ path }) => isCodeDatabase(path)) : [];
  return [
    ...installing,
    ...authorSignals(fields),
    ...libraries.map((path) => signalOf("r-install-libs", { subject: path, file: path, line: 1 })),
    ...databases.map(({ path }) => signalOf("bytecode-without-source", { subject: path, file: path })),
  ];
}

/** Sources contain R code as text; a database of it is made when they are installed. */
const isCodeDatabase = (path: string): boolean => /^R\/.*\.(?:rdb|rdx|rdc)$/i.test(path);

/** R evaluates this field when a package is built or installed. It lists persons, and nothing else. */
function authorSignals(fields: ReadArchive<CodeFacts>["fields"]): Signal[] {
  const authors = fields.find(({ name }) => name === "Authors@R")?.value.trim() ?? "";
  if (authors === "" || readAuthors(authors).length > 0) return [];
  const isReaching = [...unmistakable, "eval", "source", "parse", "pipe"].some((name) => authors.includes(name));
  const found = { subject: "Authors@R", file: "DESCRIPTION", excerpt: authors };
  return [signalWith(isReaching ? "warning" : "notice", "r-top-level-call", found)];
}
