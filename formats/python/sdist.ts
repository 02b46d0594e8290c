import { readTarGz } from "../archive/package-archive.ts";
import { readZip } from "../archive/zip.ts";
import type { ByteSource } from "../byte-source.ts";
import type { PythonPackageFile, ReadLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { checkFields, checkMetadataVersion, readCoreMetadata } from "./core-metadata.ts";
import { isDistributionName } from "./name.ts";
import { packageOfMetadata, type Tags } from "./package-of-metadata.ts";
import { isVersion } from "./version.ts";

const noTags: Tags = { compatibilityTags: null, builtTag: null, pythonTag: null, abiTag: null, platformTag: null };

/** Files that can replace a missing description, best first. */
const readmes = [
  { names: ["README.md", "Readme.md", "readme.md"], contentType: "text/markdown" },
  { names: ["README.rst", "Readme.rst", "readme.rst"], contentType: "text/x-rst" },
  { names: ["README", "Readme", "readme"], contentType: "" },
] as const;
const wantedFiles = new Set<string>(["PKG-INFO", ...readmes.flatMap(({ names }) => [...names])]);

/**
 * Name and version of `{name}-{version}.tar.gz`, split at the last hyphen that is followed by a version
 * (PEP 625 and earlier).
 */
export function partsOfSdistName(fileName: string, mirrored = false): { name: string; version: string } {
  const stem = fileName.replace(mirrored ? /\.(tar\.gz|zip)$/i : /\.tar\.gz$/i, "");
  const hyphens = [...stem.matchAll(/-/g)].map(({ index }) => index).filter((at) => at > 0 && at < stem.length - 1);
  const at = hyphens.findLast((index) => isVersion(stem.slice(index + 1))) ?? hyphens.at(-1);
  if (stem === fileName || at === undefined || !isDistributionName(fileName))
    throw new UnacceptablePackage(["invalid.filename"]);
  return { name: stem.slice(0, at), version: stem.slice(at + 1) };
}

/** Reads a source distribution. Throws `UnacceptablePackage` with every reason. */
export async function readSdist(source: ByteSource, fileName: string, limits: ReadLimits): Promise<PythonPackageFile> {
  const isZip = /\.zip$/i.test(fileName);
  const named = partsOfSdistName(fileName, isZip);
  const { root, files } = await (isZip ? readZip : readTarGz)(source, (path) => wantedFiles.has(path), limits);
  const bytes = root === undefined ? undefined : files.get("PKG-INFO");
  if (!bytes)
    throw new UnacceptablePackage(
      ["read.python.pkg.info.exception"],
      "there is no PKG-INFO in the top folder; python -m build --sdist creates one",
    );

  const metadata = readCoreMetadata(bytes);
  checkMetadataVersion(metadata);
  checkFields(metadata, [named]);
  return packageOfMetadata(metadata, {
    fileName,
    kind: "source",
    tags: noTags,
    coreMetadata: null,
    readme: readmeOf(files),
  });
}

function readmeOf(files: ReadonlyMap<string, Uint8Array>) {
  for (const { names, contentType } of readmes) {
    const bytes = names.map((name) => files.get(name)).find((found) => found !== undefined);
    if (bytes) return { text: new TextDecoder().decode(bytes).replaceAll("\r\n", "\n").trimEnd(), contentType };
  }
  return undefined;
}
