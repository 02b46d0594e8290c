import { longestName, longestVersion } from "@packhouse/formats/package-file";
import {
  NoSimpleIndex,
  readProjectList,
  readProjectPage,
  type UpstreamFile,
} from "@packhouse/formats/python/upstream-index";
import { compareVersions, isPreRelease, versionKey } from "@packhouse/formats/python/version";
import { digestNames, type WantedFile, type Wish } from "./mirror.ts";
import { UpstreamFailure } from "./upstream-failure.ts";

interface SimpleIndex {
  bytes: Uint8Array;
  contentType: string;
}

/** The names of all projects. Runs in a worker, as what follows does. */
export const readPythonProjects = ({ bytes, contentType }: SimpleIndex): string[] =>
  understood(() => readProjectList(textOf(bytes), contentType)).filter((name) => name.length <= longestName);

export interface PythonProjectInput extends SimpleIndex {
  /** Where the page was in the end. */
  address: string;
  project: string;
  wishes: readonly Wish[];
}

/** The files that are wanted of those on the page of a project. */
export function readPythonProject({ bytes, contentType, address, project, wishes }: PythonProjectInput): WantedFile[] {
  const offered = understood(() => readProjectPage(textOf(bytes), contentType, address, project)).filter(
    ({ version }) => version.length <= longestVersion, // a longer one could not be stored here
  );
  return wishes.flatMap((wish) => wantedOf(project, offered, wish));
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

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
