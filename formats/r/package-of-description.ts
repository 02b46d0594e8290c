import { checkCount, checkFieldLengths } from "../metadata-limits.ts";
import type { RPackageFile } from "../package-file.ts";
import { type FormatCode, UnacceptablePackage } from "../unacceptable-package.ts";
import { authorsText, maintainerText, readAuthors } from "./authors-at-r.ts";
import { type BinaryRequest, binaryExtension, binaryFolder, minorVersion, problemsOfBinary } from "./binary-target.ts";
import { readDescription } from "./dcf.ts";
import { dependenciesIn } from "./dependencies.ts";
import { brokenRules } from "./description-rules.ts";
import { versionKey, versionOrder } from "./version.ts";

export const nameOfFile = (fileName: string): string => fileName.slice(0, Math.max(fileName.indexOf("_"), 0));

/**
 * The package that a DESCRIPTION describes: a source package, or a binary for the target that its uploader stated.
 * Throws `UnacceptablePackage` with every reason.
 */
export function packageOfDescription(
  description: Uint8Array | undefined,
  fileName: string,
  binary?: BinaryRequest,
): RPackageFile {
  if (!description) throw new UnacceptablePackage(["read.r.package.description.exception"], "there is no DESCRIPTION");
  const record = readDescription(description);
  const field = (name: string): string | null => record.get(name) || null;
  const people = readAuthors(record.get("Authors@R") ?? "");
  checkCount("authors", people.length);
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
  if (binary) codes.push(...problemsOfBinary(record.get("Built") ?? "", binary));
  const kind = codes.length > 0 ? "rules" : "unreadable";
  if (!binary && record.has("Built")) codes.push("unexpected.binary.package");
  if (name !== "" && name !== nameOfFile(fileName)) codes.push("name.mismatch");
  if (codes.length > 0) throw new UnacceptablePackage(codes, `DESCRIPTION of ${name} ${version}`, kind);

  const target = binary?.target;
  const file: RPackageFile = {
    technology: "R",
    name,
    version,
    normalizedName: name,
    versionKey: versionKey(version),
    versionOrder: versionOrder(version),
    kind: target ? "binary" : "source",
    target: target ? binaryFolder(target) : "",
    fileName: `${name}_${version}${target ? binaryExtension(target) : ".tar.gz"}`,
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
      built: target ? field("Built") : null,
      rversion: target ? (minorVersion(target.rVersion) ?? null) : null,
      architecture: target?.architecture ?? null,
      distribution: target?.distribution ?? null,
      encoding: field("Encoding"),
      bugReports: field("BugReports"),
      osType: field("OS_type"),
      licenseIsFoss: field("License_is_FOSS"),
      licenseRestrictsUse: field("License_restricts_use"),
      archs: field("Archs"),
    },
  };
  checkFieldLengths({ ...file, ...file.metadata });
  checkCount("dependencies", dependenciesIn({ ...file.metadata }).length);
  return file;
}
