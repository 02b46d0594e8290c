import type { InterfaceEntry, Signal } from "@packhouse/contract/review/inspection";
import type { ReadArchive, TechnologyInspector } from "../technology-inspector.ts";
import { type CodeFacts, codeFacts } from "./code/code-facts.ts";
import { indicatorsOf, isDocumentation } from "./indicators.ts";
import { installationSignals, runsAtInstallation } from "./installation.ts";
import { type DefinedAt, interfaceOf } from "./interface/interface.ts";
import { emptyNamespace } from "./interface/namespace.ts";
import { signalsOfPackage, withoutRepetitions } from "./package-code.ts";

/** R reads these from `R/`; elsewhere only what is called R code. */
const inPackage = /^R\/(?:unix\/|windows\/)?[^/]+\.[RrSsq]$/;
const script = /(?:^|\/)(?:[^/]+\.[Rr]|\.Rprofile)$/;
const dataList = "data/datalist";

export const rInspector: TechnologyInspector<CodeFacts> = {
  grammar: "r",
  isCode: (path) => path === "NAMESPACE" || inPackage.test(path) || script.test(path),
  isKept: (path) => runsAtInstallation(path) || isDocumentation(path) || path === dataList,
  inspectCode: codeFacts,
  finish(archive) {
    const entries = entriesOf(archive);
    return {
      interface: entries,
      signals: withoutRepetitions([...signalsOfPackage(archive.code, namespaceOf(archive)), ...fileSignals(archive)]),
      indicators: indicatorsOf({ ...archive, entries }),
    };
  },
};

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
function fileSignals({ kind, files, texts, code }: ReadArchive<CodeFacts>): Signal[] {
  const installing = [...texts].flatMap(([path, text]) =>
    runsAtInstallation(path) ? installationSignals(path, text) : [],
  );
  const libraries = code.has("src/install.libs.R") ? [presence("r-install-libs", "src/install.libs.R")] : [];
  const databases = kind === "source" ? files.filter(({ path }) => isCodeDatabase(path)) : [];
  return [...installing, ...libraries, ...databases.map(({ path }) => presence("bytecode-without-source", path))];
}

/** Sources contain R code as text; a database of it is made when they are installed. */
const isCodeDatabase = (path: string): boolean => /^R\/.*\.(?:rdb|rdx|rdc)$/i.test(path);

const presence = (id: "r-install-libs" | "bytecode-without-source", path: string): Signal => ({
  id,
  level: id === "r-install-libs" ? "warning" : "danger",
  subject: path,
  file: path,
  line: 1,
  excerpt: null,
});
