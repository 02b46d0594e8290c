import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Technology } from "@packhouse/contract/technology";
import { formatOf } from "@packhouse/formats/format";
import { z } from "zod";
import { fetchFromDebian } from "./debian-releases.ts";
import { archiveAt, type Pair } from "./pairs.ts";
import { moreRPackages, pythonProjects, pythonSources, rPackages } from "./projects.ts";

const run = promisify(execFile);

/** What was fetched once serves all later runs. It belongs to others and is never committed. */
const cache = join(resolve(import.meta.dirname, "../.."), ".cache/review-pairs");

/** Only these, of those that a source has: `pypi:flask,debian:flask,r:digest`; all if missing. */
const only = process.env.BENCH_UPDATES?.split(",");

/** Consecutive releases of well-known packages, as their authors made them. */
export async function* realUpdates(): AsyncGenerator<Pair> {
  yield* pythonUpdates(await fetchedFrom("pypi", pythonProjects, fetchPythonReleases));
  yield* updatesInOrder("Python", await fetchedFrom("debian", pythonSources, fromDebian("Python")));
  yield* updatesInOrder("R", await fetchedFrom("r", [...rPackages, ...moreRPackages], fromDebian("R")));
}

type Fetch = (folder: string, names: readonly string[]) => Promise<unknown>;

const fromDebian =
  (technology: Technology): Fetch =>
  (folder, names) =>
    fetchFromDebian(technology, folder, names);

async function fetchedFrom(source: string, all: readonly string[], fetch: Fetch): Promise<string[]> {
  const names = only ? all.filter((name) => only.includes(`${source}:${name}`)) : all;
  const folder = join(cache, source);
  await mkdir(folder, { recursive: true });
  const missing = names.filter((name) => !existsSync(join(folder, name)));
  if (missing.length > 0) process.stdout.write(`  fetching releases of ${missing.join(", ")}\n`);
  if (missing.length > 0) await fetch(folder, missing);
  return names.map((name) => join(folder, name));
}

const fetchPythonReleases: Fetch = (folder, names) =>
  run("/usr/bin/python3", [join(import.meta.dirname, "python-releases.py"), folder, ...names]);

const pairsFile = z.array(z.tuple([z.string(), z.string()]));

async function* pythonUpdates(folders: readonly string[]): AsyncGenerator<Pair> {
  for (const folder of folders)
    for (const [before, after] of pairsFile.parse(JSON.parse(await readFile(join(folder, "pairs.json"), "utf8")))) {
      const sdist = after.endsWith(".whl") ? sdistOf(after, await readdir(folder)) : undefined;
      const archive = (fileName: string) => archiveAt("Python", join(folder, fileName));
      const pair = { name: after, before: archive(before), after: archive(after) };
      yield sdist === undefined ? pair : { ...pair, sdist: archive(sdist) };
    }
}

/** Of the same release, among what was fetched. */
function sdistOf(wheel: string, fileNames: readonly string[]): string | undefined {
  const version = wheel.split("-")[1] ?? "";
  return fileNames.find((fileName) => fileName.endsWith(`-${version}.tar.gz`));
}

/** Each release of what was fetched, and the one before it; a mirror may lack some in between. */
async function* updatesInOrder(technology: Technology, folders: readonly string[]): AsyncGenerator<Pair> {
  const versionOf = (fileName: string) => fileName.replace(/^.*[_-](?=[0-9])|\.tar\.gz$/g, "");
  const { compareVersions } = formatOf(technology);
  for (const folder of folders) {
    const files = (await readdir(folder)).sort((a, b) => compareVersions(versionOf(a), versionOf(b)));
    for (const [index, name] of files.entries()) {
      const before = files[index - 1];
      if (before === undefined) continue;
      yield {
        name,
        before: archiveAt(technology, join(folder, before)),
        after: archiveAt(technology, join(folder, name)),
      };
    }
  }
}
