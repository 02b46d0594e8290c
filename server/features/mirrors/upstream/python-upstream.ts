import { normalizeName } from "@packhouse/formats/python/name";
import { acceptedSimpleForms } from "@packhouse/formats/python/upstream-index";
import { versionKey } from "@packhouse/formats/python/version";
import { z } from "zod";
import { UpstreamFailure } from "../../../platform/errors/upstream-failure.ts";
import { isPattern, type PackageSelector, selectorsFor, type WantedFile, wantedOfProject } from "../records/mirror.ts";
import { readPythonProjectsTask, readPythonProjectTask } from "./index-tasks.ts";
import { readIndex } from "./read-index.ts";
import type { Reading, Upstream } from "./upstream.ts";

/** PyPI and every other simple index (PEP 503, 691). Sdists and wheels are read. */
export const pythonUpstream: Upstream = {
  async parts(reading) {
    const projects = await wantedProjects(reading);
    return [...projects].map(
      ([project, selectors]) =>
        () =>
          filesOfProject(reading, project, selectors),
    );
  },

  whyFetch({ fileName, digest }, present) {
    const here = present.some((it) => it.fileName === fileName || (digest && it.digests[digest.name] === digest.value));
    return here ? undefined : "absent";
  },
};

/** The list of all projects is read only where names are not spelled out. */
async function wantedProjects(reading: Reading): Promise<Map<string, PackageSelector[]>> {
  const { mirror } = reading;
  const selected = mirror.packages ?? [{ name: "*", version: null, generateManuals: mirror.generate_manuals }];
  const names = new Set(selected.filter(({ name }) => !isPattern(name)).map(({ name }) => normalizeName(name)));
  if (selected.some(({ name }) => isPattern(name))) for (const name of await allProjects(reading)) names.add(name);
  const found = [...names].map((name) => [name, selectorsFor(name, selected, normalizeName)] as const);
  return new Map(found.filter(([, selectors]) => selectors.length > 0));
}

async function allProjects(reading: Reading): Promise<string[]> {
  const index = { address: `${reading.mirror.uri}/`, accept: acceptedSimpleForms, wanted: "projects" };
  const names = await readIndex(reading, index, z.array(z.string()), ({ bytes, contentType }) =>
    reading.workers.run(readPythonProjectsTask, { bytes, contentType }),
  );
  if (!names) throw new UpstreamFailure(`there is no list of projects at ${index.address}`);
  return names;
}

async function filesOfProject(
  reading: Reading,
  project: string,
  selectors: readonly PackageSelector[],
): Promise<WantedFile[]> {
  const index = {
    address: `${reading.mirror.uri}/${project}/`,
    accept: acceptedSimpleForms,
    wanted: JSON.stringify(selectors),
  };
  const found = await readIndex(reading, index, wantedOfProject, ({ bytes, contentType, address }) =>
    reading.workers.run(readPythonProjectTask, { bytes, contentType, address, project, selectors }),
  );
  if (!found) {
    reading.failed(`${project}: the mirror has no such project`);
    return [];
  }
  const { files, skipped, skippedCount } = found;
  reading.skipped(skipped, skippedCount ?? skipped.length);
  for (const { name, version } of selectors) {
    const missing = !files.some((file) => version === null || versionKey(file.version) === versionKey(version));
    if (missing && !isPattern(name))
      reading.failed(`${project} ${version ?? ""}: the mirror has no ${version === null ? "release" : "such version"}`);
  }
  return files;
}
