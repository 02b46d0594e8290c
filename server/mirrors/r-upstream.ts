import { promisify } from "node:util";
import { gunzip as gunzipBytes } from "node:zlib";
import { readPackagesIndex, type UpstreamPackage } from "@packhouse/formats/r/upstream-index";
import { compareVersions, versionKey } from "@packhouse/formats/r/version";
import { z } from "zod";
import { isPattern, type WantedFile, type Wish, type Wishes, wantedFile, wishesFor } from "./mirror.ts";
import { readIndex } from "./read-index.ts";
import type { Upstream } from "./upstream.ts";
import type { ReadIndex } from "./upstream-client.ts";
import { UpstreamFailure } from "./upstream-failure.ts";

const gunzip = promisify(gunzipBytes);
const mostIndexBytes = 256 * 1024 * 1024;
const sameName = (name: string): string => name;

/** CRAN and what is laid out like it ("R Installation and Administration", 6.6). Only source packages are read. */
export const rUpstream: Upstream = {
  async parts(reading) {
    const { mirror, failed } = reading;
    const wanted = JSON.stringify([mirror.packages, mirror.generate_manuals]);
    return [
      async () => {
        const contrib = `${mirror.uri}/src/contrib`;
        const shape = z.array(wantedFile);
        const read = async (index: ReadIndex) =>
          wantedOf(contrib, await unpacked(index), mirror.packages, mirror.generate_manuals);
        for (const form of ["PACKAGES.gz", "PACKAGES"]) {
          const files = await readIndex(reading, { address: `${contrib}/${form}`, accept: "*/*", wanted }, shape, read);
          if (!files) continue;
          for (const name of missingNames(mirror.packages, files)) failed(`${name}: the mirror has no such package`);
          return files;
        }
        throw new UpstreamFailure(`there is no ${contrib}/PACKAGES`);
      },
    ];
  },

  whyFetch(file, present) {
    const key = versionKey(file.version);
    const same = present.find((it) => it.kind === "source" && it.versionKey === key);
    if (!same) return "absent";
    const { digest, followsUpstream } = file;
    return followsUpstream && digest && same.digests[digest.name] !== digest.value ? "changed" : undefined;
  },
};

/** The address says what an index is compressed with, but some servers unpack it on the way. */
async function unpacked({ bytes }: ReadIndex): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await gunzip(bytes, { maxOutputLength: mostIndexBytes });
  } catch (error) {
    throw new UpstreamFailure(`the index cannot be unpacked: ${error instanceof Error ? error.message : "broken"}`);
  }
}

function wantedOf(contrib: string, bytes: Uint8Array, wished: Wishes, generateManuals: boolean): WantedFile[] {
  const offered = new Map<string, UpstreamPackage[]>();
  for (const it of readPackagesIndex(bytes)) offered.set(it.name, [...(offered.get(it.name) ?? []), it]);
  if (wished === null) return [...offered.values()].map((all) => newestOf(contrib, all, generateManuals));

  const byName = new Map<string, Wish[]>();
  for (const name of offered.keys()) {
    const own = wishesFor(name, wished, sameName);
    if (own.length > 0) byName.set(name, own);
  }
  // What was archived is not in the index any more, but its versions can still be had.
  for (const wish of wished)
    if (wish.version !== null && !offered.has(wish.name)) byName.set(wish.name, wishesFor(wish.name, wished, sameName));
  return [...byName].flatMap(([name, wishes]) => {
    const all = offered.get(name) ?? [];
    return wishes.flatMap(({ version, generateManuals: manuals }) => {
      if (version !== null) return [pinned(contrib, name, version, all, manuals)];
      return all.length > 0 ? [newestOf(contrib, all, manuals)] : [];
    });
  });
}

function newestOf(contrib: string, all: readonly UpstreamPackage[], generateManuals: boolean): WantedFile {
  const newest = all.reduce((best, it) => (compareVersions(it.version, best.version) > 0 ? it : best));
  return { ...fileOf(contrib, newest, generateManuals), followsUpstream: true };
}

/** A version that is not listed lies in the archive, where nobody tells its digest. */
function pinned(
  contrib: string,
  name: string,
  version: string,
  all: readonly UpstreamPackage[],
  generateManuals: boolean,
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

/** Names that were spelled out and of which nothing is there. */
function missingNames(wished: Wishes, files: readonly WantedFile[]): string[] {
  const found = new Set(files.map(({ name }) => name));
  return [...new Set((wished ?? []).map(({ name }) => name))].filter((name) => !isPattern(name) && !found.has(name));
}
