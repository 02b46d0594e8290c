import { normalizeName } from "@packhouse/formats/python/name";
import {
  acceptedSimpleForms,
  NoSimpleIndex,
  readProjectList,
  readProjectPage,
  type UpstreamFile,
} from "@packhouse/formats/python/upstream-index";
import { compareVersions, isPreRelease, versionKey } from "@packhouse/formats/python/version";
import { z } from "zod";
import { digestNames, isPattern, type WantedFile, type Wish, wantedFile, wishesFor } from "./mirror.ts";
import { readIndex } from "./read-index.ts";
import type { Reading, Upstream } from "./upstream.ts";
import { UpstreamFailure } from "./upstream-failure.ts";

/** PyPI and whatever else has a simple index (PEP 503, 691). Sdists and wheels are read. */
export const pythonUpstream: Upstream = {
  async parts(reading) {
    const projects = await wantedProjects(reading);
    return [...projects].map(
      ([project, wishes]) =>
        () =>
          filesOfProject(reading, project, wishes),
    );
  },

  whyFetch({ fileName, digest }, present) {
    const here = present.some((it) => it.fileName === fileName || (digest && it.digests[digest.name] === digest.value));
    return here ? undefined : "absent";
  },
};

/** The list of all projects is read only where names are not spelled out. */
async function wantedProjects(reading: Reading): Promise<Map<string, Wish[]>> {
  const { mirror } = reading;
  const wished = mirror.packages ?? [{ name: "*", version: null, generateManuals: mirror.generate_manuals }];
  const names = new Set(wished.filter(({ name }) => !isPattern(name)).map(({ name }) => normalizeName(name)));
  if (wished.some(({ name }) => isPattern(name))) for (const name of await allProjects(reading)) names.add(name);
  const found = [...names].map((name) => [name, wishesFor(name, wished, normalizeName)] as const);
  return new Map(found.filter(([, wishes]) => wishes.length > 0));
}

async function allProjects(reading: Reading): Promise<string[]> {
  const index = { address: `${reading.mirror.uri}/`, accept: acceptedSimpleForms, wanted: "projects" };
  const names = await readIndex(reading, index, z.array(z.string()), ({ bytes, contentType }) =>
    understood(() => readProjectList(bytes.toString("utf8"), contentType)),
  );
  if (!names) throw new UpstreamFailure(`there is no list of projects at ${index.address}`);
  return names;
}

async function filesOfProject(reading: Reading, project: string, wishes: readonly Wish[]): Promise<WantedFile[]> {
  const index = {
    address: `${reading.mirror.uri}/${project}/`,
    accept: acceptedSimpleForms,
    wanted: JSON.stringify(wishes),
  };
  const files = await readIndex(reading, index, z.array(wantedFile), ({ bytes, contentType, address }) => {
    const offered = understood(() => readProjectPage(bytes.toString("utf8"), contentType, address, project));
    return wishes.flatMap((wish) => wantedOf(project, offered, wish));
  });
  if (!files) reading.failed(`${project}: the mirror has no such project`);
  for (const { name, version } of wishes) {
    const missing =
      files && !files.some((file) => version === null || versionKey(file.version) === versionKey(version));
    if (missing && !isPattern(name))
      reading.failed(`${project} ${version ?? ""}: the mirror has no ${version === null ? "release" : "such version"}`);
  }
  return files ?? [];
}

/** All files of one version: the one that was named, or the newest final one that was not yanked (PEP 592). */
function wantedOf(project: string, offered: readonly UpstreamFile[], wish: Wish): WantedFile[] {
  const version = wish.version ?? newestOf(offered);
  if (version === undefined) return [];
  const ofVersion = offered.filter(
    (file) => versionKey(file.version) === versionKey(version) && (wish.version !== null || !file.yanked),
  );
  const [sdist] = ofVersion.filter(({ kind }) => kind === "sdist"); // a version has one; a second has another spelling
  return ofVersion
    .filter((file) => file.kind === "wheel" || file === sdist)
    .map((file) => ({
      name: project,
      version: file.version,
      fileName: file.fileName,
      address: file.url,
      digest: digestOf(file),
      followsUpstream: false,
      generateManuals: false,
    }));
}

function newestOf(offered: readonly UpstreamFile[]): string | undefined {
  const final = offered.filter(({ version, yanked }) => !yanked && !isPreRelease(version));
  return final
    .map(({ version }) => version)
    .sort(compareVersions)
    .at(-1);
}

function digestOf({ hashes }: UpstreamFile): WantedFile["digest"] {
  for (const name of digestNames) {
    const value = hashes[name];
    if (value !== undefined) return { name, value };
  }
  return null;
}

function understood<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof NoSimpleIndex
      ? new UpstreamFailure(`the answer is no simple index: ${error.message}`)
      : error;
  }
}
