import { checkCount, checkFieldLengths } from "../metadata-limits.ts";
import type { PythonMetadata, PythonPackageFile } from "../package-file.ts";
import type { CoreMetadata } from "./core-metadata.ts";
import { normalizeName } from "./name.ts";
import { requirementsIn } from "./requirements.ts";
import { versionKey, versionOrder } from "./version.ts";

/** The parts of a wheel's file name other than name and version. */
export type Tags = Pick<PythonMetadata, "compatibilityTags" | "builtTag" | "pythonTag" | "abiTag" | "platformTag">;

interface Particulars {
  fileName: string;
  kind: "source" | "binary";
  tags: Tags;
  coreMetadata: string | null;
  /** A README from the archive, for metadata without a description. */
  readme?: { text: string; contentType: string } | undefined;
}

/** The package that core metadata describes, with the field names of the API. */
export function packageOfMetadata(
  it: CoreMetadata,
  { fileName, kind, tags, coreMetadata, readme }: Particulars,
): PythonPackageFile {
  const described = it.body ?? it.first("Description");
  const homePage = it.first("Home-page") ?? labeled(it.values("Project-URL"), /^home-?\s?page$/i);
  const file: PythonPackageFile = {
    technology: "Python",
    name: it.name,
    version: it.version,
    normalizedName: normalizeName(it.name),
    versionKey: versionKey(it.version),
    versionOrder: versionOrder(it.version),
    kind,
    target: kind === "source" ? "" : fileName,
    fileName,
    title: it.first("Summary"),
    description: described ?? readme?.text ?? null,
    descriptionContentType:
      it.first("Description-Content-Type") ?? (described === null ? (readme?.contentType ?? "") : ""),
    author: it.first("Author") ?? namesIn(it.first("Author-email")),
    url: it.all("Project-URL") ?? homePage ?? "",
    license: it.first("License-Expression") ?? it.first("License") ?? licenseOfClassifiers(it.values("Classifier")),
    metadata: {
      authorEmail: it.first("Author-email"),
      classifiers: it.all("Classifier"),
      homePage,
      keywords: it.first("Keywords"),
      maintainer: it.first("Maintainer"),
      maintainerEmail: it.first("Maintainer-email"),
      platform: it.all("Platform"),
      projectUrl: it.all("Project-URL"),
      providesExtra: it.all("Provides-Extra"),
      requiresDist: it.all("Requires-Dist"),
      requiresExternal: it.all("Requires-External"),
      requiresPython: it.first("Requires-Python"),
      summary: it.first("Summary"),
      ...tags,
      coreMetadata,
    },
  };
  checkLimits(it, file);
  return file;
}

function checkLimits(it: CoreMetadata, { metadata, ...file }: PythonPackageFile): void {
  checkFieldLengths({ ...file, ...metadata });
  checkCount("classifiers", it.values("Classifier").length);
  checkCount("extras", it.values("Provides-Extra").length);
  // As far as its reader can tell, one requirement may contain several.
  checkCount("dependencies", Math.max(it.values("Requires-Dist").length, requirementsIn({ ...metadata }).length));
  for (const header of ["Author", "Author-email", "Maintainer", "Maintainer-email"])
    checkCount("authors", (it.first(header) ?? "").split(",").length);
}

/** The address of a `label, address` entry. */
function labeled(entries: readonly string[], label: RegExp): string | null {
  for (const entry of entries) {
    const comma = entry.indexOf(",");
    if (comma > 0 && label.test(entry.slice(0, comma).trim())) return entry.slice(comma + 1).trim();
  }
  return null;
}

/** `Mara Quill <mara@example.org>, Reef Institute <…>` without the addresses. */
function namesIn(emails: string | null): string | null {
  const names = (emails ?? "").split(",").map((entry) => withoutAddress(entry).replaceAll('"', "").trim());
  return names.filter((name) => name !== "" && !name.includes("@")).join(", ") || null;
}

function withoutAddress(entry: string): string {
  const start = entry.indexOf("<");
  const end = start === -1 ? -1 : entry.indexOf(">", start);
  return end === -1 ? entry : entry.slice(0, start) + entry.slice(end + 1);
}

const licenseOfClassifiers = (classifiers: readonly string[]): string | null =>
  classifiers.find((entry) => entry.startsWith("License ::"))?.replace(/^License ::\s*/, "") ?? null;
