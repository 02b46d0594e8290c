import { mirrorSkip } from "@packhouse/contract/mirrors";
import { normalizeName } from "@packhouse/formats/python/name";
import {
  acceptedSimpleForms,
  NoSimpleIndex,
  type ProjectPage,
  readProjectList,
  readProjectPage,
  type UpstreamFile,
} from "@packhouse/formats/python/upstream-index";
import { compareVersions, isPreRelease, versionKey } from "@packhouse/formats/python/version";
import { z } from "zod";
import { digestNames, isPattern, mostReported, type WantedFile, type Wish, wantedFile, wishesFor } from "./mirror.ts";
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

/** What is wanted of a project, and what of it cannot be brought. */
const wantedOfProject = z.object({ files: z.array(wantedFile), skipped: z.array(mirrorSkip) });
type WantedOfProject = z.infer<typeof wantedOfProject>;

async function filesOfProject(reading: Reading, project: string, wishes: readonly Wish[]): Promise<WantedFile[]> {
  const index = {
    address: `${reading.mirror.uri}/${project}/`,
    accept: acceptedSimpleForms,
    wanted: JSON.stringify(wishes),
  };
  const found = await readIndex(reading, index, wantedOfProject, ({ bytes, contentType, address }) => {
    const page = understood(() => readProjectPage(bytes.toString("utf8"), contentType, address, project));
    const ofWishes = wishes.map((wish) => wantedOf(project, page, wish));
    return {
      files: ofWishes.flatMap(({ files }) => files),
      skipped: ofWishes.flatMap(({ skipped }) => skipped).slice(0, mostReported),
    };
  });
  if (!found) {
    reading.failed(`${project}: the mirror has no such project`);
    return [];
  }
  const { files, skipped } = found;
  for (const skip of skipped) reading.skipped(skip);
  for (const { name, version } of wishes) {
    const missing = !files.some((file) => version === null || versionKey(file.version) === versionKey(version));
    if (missing && !isPattern(name))
      reading.failed(`${project} ${version ?? ""}: the mirror has no ${version === null ? "release" : "such version"}`);
  }
  return files;
}

/** All files of one version: the one that was named, or the newest final one that was not yanked (PEP 592). */
function wantedOf(project: string, page: ProjectPage, wish: Wish): WantedOfProject {
  const version = wish.version ?? newestOf(page.files);
  if (version === undefined) {
    const reason = page.files.length > 0 ? "no.final.release" : "no.supported.file";
    return { files: [], skipped: [{ name: project, fileName: "", reason }] };
  }
  const isOfVersion = (file: { version: string | null }) =>
    file.version !== null && versionKey(file.version) === versionKey(version);
  const ofVersion = page.files.filter((file) => isOfVersion(file) && (wish.version !== null || !file.yanked));
  // A version has one; others have another spelling, or are the same as a zip file.
  const sdists = ofVersion.filter(({ kind }) => kind === "sdist");
  const sdist = sdists.find(({ fileName }) => /\.tar\.gz$/i.test(fileName)) ?? sdists[0];
  const files = ofVersion
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
  const skipped = page.unsupported
    .filter(isOfVersion)
    .map(({ fileName }) => ({ name: project, fileName, reason: "unsupported.format" as const }));
  return { files, skipped };
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
