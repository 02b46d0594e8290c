import { readTarGz } from "../archive/package-archive.ts";
import type { ByteSource } from "../byte-source.ts";
import { defaultLimits, type ReadLimits, type RPackageFile } from "../package-file.ts";
import { type FormatCode, UnacceptablePackage } from "../unacceptable-package.ts";
import { authorsText, maintainerText, readAuthors } from "./authors-at-r.ts";
import { type Description, readDescription } from "./dcf.ts";
import { brokenRules } from "./description-rules.ts";
import { versionKey, versionOrder } from "./version.ts";

/** The name of a source package's file: something before the first underscore, and `.tar.gz`. */
export function checkFileName(fileName: string): void {
  if (/\.(zip|tgz|tar\.bz2|tar\.xz|tar|whl|egg)$/i.test(fileName))
    throw new UnacceptablePackage(["unsupported.package.format"]);
  if (!/\.tar\.gz$/i.test(fileName) || nameOfFile(fileName).trim() === "" || !fileName.includes("_"))
    throw new UnacceptablePackage(["invalid.filename"]);
}

const nameOfFile = (fileName: string): string => fileName.slice(0, Math.max(fileName.indexOf("_"), 0));

/** Reads a source package made by `R CMD build` or like one. Throws `UnacceptablePackage` with every reason. */
export async function readSourcePackage(
  source: ByteSource,
  fileName: string,
  limits: ReadLimits = defaultLimits,
): Promise<RPackageFile> {
  checkFileName(fileName);
  const { files } = await readTarGz(source, (path) => path === "DESCRIPTION", limits);
  const bytes = files.get("DESCRIPTION");
  if (!bytes) throw new UnacceptablePackage(["read.r.package.description.exception"], "there is no DESCRIPTION");
  return judge(readDescription(bytes), fileName);
}

function judge(record: Description, fileName: string): RPackageFile {
  const field = (name: string): string | null => record.get(name) || null;
  const people = readAuthors(record.get("Authors@R") ?? "");
  const author = field("Author") ?? (authorsText(people) || null);
  const name = record.get("Package") ?? "";
  const version = record.get("Version") ?? "";

  const codes: FormatCode[] = brokenRules({
    name,
    version,
    author: author ?? "",
    description: record.get("Description") ?? "",
    license: record.get("License") ?? "",
    title: record.get("Title") ?? "",
  });
  const kind = codes.length > 0 ? "rules" : "unreadable";
  if (record.has("Built")) codes.push("unexpected.binary.package");
  if (name !== "" && name !== nameOfFile(fileName)) codes.push("name.mismatch");
  if (codes.length > 0) throw new UnacceptablePackage(codes, `DESCRIPTION of ${name} ${version}`, kind);

  return {
    technology: "R",
    name,
    version,
    normalizedName: name,
    versionKey: versionKey(version),
    versionOrder: versionOrder(version),
    kind: "source",
    target: "",
    fileName: `${name}_${version}.tar.gz`,
    title: field("Title"),
    description: field("Description"),
    descriptionContentType: "txt",
    author,
    url: field("URL"),
    license: field("License"),
    metadata: {
      depends: field("Depends"),
      imports: field("Imports"),
      suggests: field("Suggests"),
      enhances: field("Enhances"),
      linkingTo: field("LinkingTo"),
      priority: field("Priority"),
      systemRequirements: field("SystemRequirements"),
      maintainer: field("Maintainer") ?? maintainerText(people) ?? null,
      needsCompilation: record.get("NeedsCompilation")?.toLowerCase() === "yes" ? "yes" : "no",
      built: null,
      encoding: field("Encoding"),
      bugReports: field("BugReports"),
      osType: field("OS_type"),
      licenseIsFoss: field("License_is_FOSS"),
      licenseRestrictsUse: field("License_restricts_use"),
      archs: field("Archs"),
    },
  };
}
