import { checkLetterCase } from "../archive/member-paths.ts";
import { zipContent } from "../archive/zip.ts";
import { type ZipMember, zipDirectory } from "../archive/zip-structure.ts";
import type { ByteSource } from "../byte-source.ts";
import type { PythonPackageFile, ReadLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { checkFields, checkMetadataVersion, readCoreMetadata } from "./core-metadata.ts";
import { isDistributionName } from "./name.ts";
import { packageOfMetadata, type Tags } from "./package-of-metadata.ts";
import { wheelModulePath } from "./wheel-paths.ts";
import { mismatch, readRecord } from "./wheel-record.ts";

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

/** Wheels replace each `-` in names and versions with `_`. */
const unescaped = (part: string): string => part.replaceAll("_", "-");

/** How thoroughly a wheel is read. */
export interface WheelReading {
  limits: ReadLimits;
  /** Whether all files are unpacked and compared with RECORD. */
  compares: boolean;
}

/** Reads a wheel: its structure, its metadata, and whether its files match its RECORD. */
export async function readWheel(
  source: ByteSource,
  fileName: string,
  { limits, compares }: WheelReading,
): Promise<PythonPackageFile> {
  const named = partsOfWheelName(fileName);
  const entries = await zipDirectory(source, limits);
  const folder = metadataFolder(entries);
  checkInstalledPaths(entries);
  const [folderName = "", folderVersion = ""] = folder
    .replace(/\.dist-info$/, "")
    .split("-")
    .map(unescaped);
  const content = async (name: string) => {
    const member = entries.find(({ filename }) => filename === `${folder}/${name}`);
    return member && zipContent(source, member, limits.maxMetadataBytes);
  };
  const bytes = await content("METADATA");
  if (!bytes) throw new UnacceptablePackage(["read.python.pkg.info.exception"], "there is no METADATA");
  checkLetterCase(
    entries.map(({ filename }) => filename),
    new Map(["METADATA", "WHEEL", "RECORD"].map((name) => [`${folder}/${name}`, name])),
  );
  const metadata = readCoreMetadata(bytes);
  checkMetadataVersion(metadata);
  const wheelFile = await content("WHEEL");
  // pip accepts the old Wheel-Version 0.1, too, and there are such wheels.
  const wheelVersion = (wheelFile && readCoreMetadata(wheelFile).first("Wheel-Version")) ?? "";
  const recordFile = await content("RECORD");
  const record = recordFile
    ? readRecord(recordFile, entries, { name: folder, build: named.tags.builtTag })
    : "there is no RECORD";
  const knowsVersion = /^[01](\.|$)/.test(wheelVersion);
  const fault = typeof record === "string" ? record : knowsVersion ? undefined : "WHEEL has an unknown version";
  checkFields(metadata, [named, { name: folderName, version: folderVersion }], fault);
  const it = packageOfMetadata(metadata, {
    fileName,
    kind: "binary",
    tags: named.tags,
    coreMetadata: exactText(bytes),
  });
  if (compares && typeof record !== "string") {
    // Tools of that time changed METADATA after writing RECORD.
    const isOld = wheelVersion.startsWith("0");
    const compared = isOld ? entries.filter(({ filename }) => filename !== `${folder}/METADATA`) : entries;
    const wrong = await mismatch(source, compared, record);
    if (wrong !== undefined) throw new UnacceptablePackage(["invalid.metadata"], wrong);
  }
  return it;
}

/**
 * Files of `{name}.data/purelib` and `platlib` are installed next to those at the top of a wheel, and replace them. Empty
 * files replace nothing.
 */
function checkInstalledPaths(entries: readonly ZipMember[]): void {
  const known = new Set<string>();
  for (const { filename, isFolder, uncompressedSize } of entries) {
    const path = isFolder || uncompressedSize === 0 ? undefined : wheelModulePath(filename);
    if (path === undefined) continue;
    if (known.has(path))
      throw new UnacceptablePackage(
        ["unsafe.archive.entry"],
        `another file is installed in place of ${JSON.stringify(filename.slice(0, 200))}`,
      );
    known.add(path);
  }
}

/** The file served next to the wheel must be its METADATA byte for byte (PEP 658); null if text would lose bytes. */
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
