import { promisify } from "node:util";
import { gunzip as gunzipBytes } from "node:zlib";
import { longestName, longestVersion } from "@packhouse/formats/package-file";
import { readPackagesIndex, type UpstreamPackage } from "@packhouse/formats/r/upstream-index";
import { compareVersions, versionKey } from "@packhouse/formats/r/version";
import { UpstreamFailure } from "../../../platform/errors/upstream-failure.ts";
import { type PackageSelector, type PackageSelectors, selectorsFor, type WantedFile } from "../records/mirror.ts";

const gunzip = promisify(gunzipBytes);
const mostIndexBytes = 256 * 1024 * 1024;
const sameName = (name: string): string => name;

export interface RIndexInput {
  /** Address of the folder of the index. */
  contrib: string;
  bytes: Uint8Array;
  selected: PackageSelectors;
  generateManuals: boolean;
}

/** The wanted files of a `PACKAGES` file. Runs in a worker. */
export async function readRIndex({ contrib, bytes, selected, generateManuals }: RIndexInput): Promise<WantedFile[]> {
  return wantedOf(contrib, await unpacked(bytes), selected, generateManuals);
}

/** The address shows the compression of an index, but some servers decompress it on the way. */
async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await gunzip(bytes, { maxOutputLength: mostIndexBytes });
  } catch (error) {
    throw new UpstreamFailure(`the index cannot be unpacked: ${error instanceof Error ? error.message : "broken"}`);
  }
}

function wantedOf(
  contrib: string,
  bytes: Uint8Array,
  selected: PackageSelectors,
  generateManuals: boolean,
): WantedFile[] {
  const offered = new Map<string, UpstreamPackage[]>();
  for (const it of readPackagesIndex(bytes)) {
    if (it.name.length > longestName || it.version.length > longestVersion) continue; // could not be stored here
    const versions = offered.get(it.name);
    if (versions) versions.push(it);
    else offered.set(it.name, [it]);
  }
  if (selected === null) return [...offered.values()].map((all) => newestOf(contrib, all, generateManuals));

  const byName = new Map<string, PackageSelector[]>();
  for (const name of offered.keys()) {
    const own = selectorsFor(name, selected, sameName);
    if (own.length > 0) byName.set(name, own);
  }
  // Archived versions are no longer in the index, but can still be downloaded.
  for (const selector of selected)
    if (selector.version !== null && !offered.has(selector.name))
      byName.set(selector.name, selectorsFor(selector.name, selected, sameName));
  return [...byName].flatMap(([name, selectors]) => {
    const all = offered.get(name) ?? [];
    return selectors.flatMap(({ version, generateManuals: manuals }) => {
      if (version !== null) return [pinned(contrib, { name, version, generateManuals: manuals }, all)];
      return all.length > 0 ? [newestOf(contrib, all, manuals)] : [];
    });
  });
}

function newestOf(contrib: string, all: readonly UpstreamPackage[], generateManuals: boolean): WantedFile {
  const newest = all.reduce((best, it) => (compareVersions(it.version, best.version) > 0 ? it : best));
  return { ...fileOf(contrib, newest, generateManuals), followsUpstream: true };
}

/** An unlisted version is in the archive, and its digest is unknown. */
function pinned(
  contrib: string,
  { name, version, generateManuals }: Pick<WantedFile, "name" | "version" | "generateManuals">,
  all: readonly UpstreamPackage[],
): WantedFile {
  const listed = all.find((it) => versionKey(it.version) === versionKey(version));
  if (listed) return fileOf(contrib, listed, generateManuals);
  const fileName = `${name}_${version}.tar.gz`;
  const address = `${contrib}/Archive/${name}/${fileName}`;
  return { name, version, fileName, address, digest: null, followsUpstream: false, generateManuals };
}

function fileOf(contrib: string, { name, version, md5, path }: UpstreamPackage, generateManuals: boolean): WantedFile {
  const address = `${contrib}/${path.split("/").map(encodeURIComponent).join("/")}`;
  const digest = md5 === undefined ? null : { name: "md5" as const, value: md5 };
  return {
    name,
    version,
    fileName: `${name}_${version}.tar.gz`,
    address,
    digest,
    followsUpstream: false,
    generateManuals,
  };
}
