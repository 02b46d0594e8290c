import { mostReported } from "@packhouse/contract/mirrors";
import { longestName, longestVersion } from "@packhouse/formats/package-file";
import {
  NoSimpleIndex,
  type ProjectPage,
  readProjectList,
  readProjectPage,
  type UpstreamFile,
} from "@packhouse/formats/python/upstream-index";
import { compareVersions, isPreRelease, versionKey } from "@packhouse/formats/python/version";
import { UpstreamFailure } from "../../../platform/errors/upstream-failure.ts";
import { digestNames, type PackageSelector, type WantedFile, type WantedOfProject } from "../records/mirror.ts";

interface SimpleIndex {
  bytes: Uint8Array;
  contentType: string;
}

/** The names of all projects. Runs in a worker, like the functions below. */
export const readPythonProjects = ({ bytes, contentType }: SimpleIndex): string[] =>
  understood(() => readProjectList(textOf(bytes), contentType)).filter((name) => name.length <= longestName);

export interface PythonProjectInput extends SimpleIndex {
  /** The final address of the page. */
  address: string;
  project: string;
  selectors: readonly PackageSelector[];
}

/** The files that are wanted of those on the page of a project. */
export function readPythonProject(input: PythonProjectInput): WantedOfProject {
  const { bytes, contentType, address, project, selectors } = input;
  const page = understood(() => readProjectPage(textOf(bytes), contentType, address, project));
  // Longer names and versions could not be stored here.
  const files = page.files.filter(({ version }) => version.length <= longestVersion);
  const ofSelectors = selectors.map((selector) => wantedOf(project, { ...page, files }, selector));
  const skipped = ofSelectors.flatMap((wanted) => wanted.skipped);
  return {
    files: ofSelectors.flatMap((wanted) => wanted.files),
    skipped: skipped.slice(0, mostReported),
    skippedCount: skipped.length,
  };
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** All files of one version: the one named, or the newest final one that was not yanked (PEP 592). */
function wantedOf(project: string, page: ProjectPage, selector: PackageSelector): WantedOfProject {
  const version = selector.version ?? newestOf(page.files);
  if (version === undefined) {
    const reason = page.files.length > 0 ? "no.final.release" : "no.supported.file";
    return { files: [], skipped: [{ name: project, fileName: "", reason }] };
  }
  const isOfVersion = (file: { version: string | null }) =>
    file.version !== null && versionKey(file.version) === versionKey(version);
  const ofVersion = page.files.filter((file) => isOfVersion(file) && (selector.version !== null || !file.yanked));
  // A version has one sdist; others are the same under another spelling or as a zip file.
  const sdists = ofVersion.filter(({ kind }) => kind === "sdist");
  const sdist = sdists.find(({ fileName }) => fileName.toLowerCase().endsWith(".tar.gz")) ?? sdists[0];
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
      ? new UpstreamFailure(`the response is not a simple index: ${error.message}`)
      : error;
  }
}
