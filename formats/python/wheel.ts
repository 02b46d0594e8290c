import { type ZipMember, zipContent, zipDirectory } from "../archive/zip.ts";
import type { ByteSource } from "../byte-source.ts";
import type { PythonPackageFile, ReadLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { checkMetadataVersion, judge, readCoreMetadata } from "./core-metadata.ts";
import { isDistributionName } from "./name.ts";
import { packageOfMetadata, type Tags } from "./package-of-metadata.ts";

interface WheelName {
  name: string;
  version: string;
  tags: Tags;
}

/** https://packaging.python.org/en/latest/specifications/binary-distribution-format/#file-name-convention */
export function partsOfWheelName(fileName: string): WheelName {
  const parts = fileName.replace(/\.whl$/i, "").split("-");
  const built = parts.length === 6 ? (parts[2] ?? "") : undefined;
  const wellFormed =
    (parts.length === 5 || (built !== undefined && /^\d/.test(built))) && parts.every((part) => part !== "");
  if (!wellFormed || !isDistributionName(fileName)) throw new UnacceptablePackage(["invalid.filename"]);
  const [name = "", version = ""] = parts.map(unescaped);
  const [pythonTag = "", abiTag = "", platformTag = ""] = parts.slice(-3);
  return {
    name,
    version,
    tags: {
      compatibilityTags: `${pythonTag}-${abiTag}-${platformTag}`,
      builtTag: built ?? null,
      pythonTag,
      abiTag,
      platformTag,
    },
  };
}

/** Wheels write `_` for each `-` in names and versions. */
const unescaped = (part: string): string => part.replaceAll("_", "-");

/** Reads a wheel by its central directory; of its members only METADATA, WHEEL and RECORD are unpacked. */
export async function readWheel(source: ByteSource, fileName: string, limits: ReadLimits): Promise<PythonPackageFile> {
  const named = partsOfWheelName(fileName);
  const entries = await zipDirectory(source, isMetadata, limits);
  const folder = metadataFolder(entries);
  const [folderName = "", folderVersion = ""] = folder
    .replace(/\.dist-info$/, "")
    .split("-")
    .map(unescaped);
  const member = (name: string) => entries.find(({ filename }) => filename === `${folder}/${name}`);
  const [metadataFile, wheelFile] = [member("METADATA"), member("WHEEL")];
  if (!metadataFile) throw new UnacceptablePackage(["read.python.pkg.info.exception"], "there is no METADATA");
  const bytes = await zipContent(metadataFile, limits.maxMetadataBytes);
  const metadata = readCoreMetadata(bytes);
  checkMetadataVersion(metadata);
  // pip takes the old Wheel-Version 0.1 too, and there are such wheels.
  const wheelVersion =
    wheelFile && readCoreMetadata(await zipContent(wheelFile, limits.maxMetadataBytes)).first("Wheel-Version");
  const record = member("RECORD");
  const complete =
    record !== undefined &&
    listsExactly(await zipContent(record, limits.maxMetadataBytes), entries) &&
    /^[01](\.|$)/.test(wheelVersion ?? "");
  judge(metadata, [named, { name: folderName, version: folderVersion }], complete ? [] : ["invalid.metadata"]);
  return packageOfMetadata(metadata, {
    fileName,
    kind: "binary",
    tags: named.tags,
    coreMetadata: exactText(bytes),
  });
}

const isMetadata = ([top = "", name = "", ...deeper]: readonly string[]) =>
  top.endsWith(".dist-info") && deeper.length === 0 && ["METADATA", "WHEEL", "RECORD"].includes(name);

/**
 * Whether RECORD names every file that the wheel installs, and no other. What lies in the metadata folder it may leave
 * out or call otherwise: old tools wrote the build number into that folder's name.
 * https://packaging.python.org/en/latest/specifications/binary-distribution-format/#signed-wheel-files
 */
function listsExactly(record: Uint8Array, entries: readonly ZipMember[]): boolean {
  const installed = (paths: readonly string[]) => new Set(paths.filter((path) => !/^[^/]+\.dist-info\//.test(path)));
  const listed = installed(
    new TextDecoder()
      .decode(record)
      .split(/\r?\n/)
      .filter((line) => line !== "")
      .map(firstField),
  );
  const files = installed(entries.filter(({ isFolder }) => !isFolder).map(({ filename }) => filename));
  return files.size === listed.size && [...files].every((path) => listed.has(path));
}

/** Of a line of CSV as Python writes it: quoted when a comma, a quote or a line break is in it. */
function firstField(line: string): string {
  const quoted = /^"((?:[^"]|"")*)"/.exec(line)?.[1];
  return quoted === undefined ? (line.split(",")[0] ?? "") : quoted.replaceAll('""', '"');
}

/** What is served beside the wheel must be its METADATA to the byte (PEP 658): nothing where text would lose bytes. */
function exactText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

function metadataFolder(entries: readonly ZipMember[]): string {
  const tops = new Set(
    entries.map((entry) => entry.filename.split("/")[0] ?? "").filter((top) => top.endsWith(".dist-info")),
  );
  if (tops.size === 0)
    throw new UnacceptablePackage(["read.python.pkg.info.exception"], "there is no dist-info folder");
  if (tops.size > 1) throw new UnacceptablePackage(["invalid.metadata"], "there are several dist-info folders");
  const [folder = ""] = tops;
  return folder;
}
