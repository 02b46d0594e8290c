import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { formatOf } from "@packhouse/formats/format";
import { z } from "zod";
import { archiveAt, type Pair } from "./pairs.ts";
import { pythonProjects, rPackages } from "./projects.ts";
import { fetchRReleases } from "./r-releases.ts";

const run = promisify(execFile);

/** What was fetched once serves all later runs. It belongs to others and is never committed. */
const cache = join(resolve(import.meta.dirname, "../.."), ".cache/review-pairs");

/** Consecutive releases of well-known packages, as their authors made them. */
export async function* realUpdates(): AsyncGenerator<Pair> {
  yield* pythonUpdates(await fetchedInto("python", pythonProjects, fetchPythonReleases));
  yield* rUpdates(await fetchedInto("r", rPackages, fetchRReleases));
}

type Fetch = (folder: string, names: readonly string[]) => Promise<unknown>;

async function fetchedInto(technology: string, names: readonly string[], fetch: Fetch): Promise<string[]> {
  const folder = join(cache, technology);
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

/** The two newest of what was fetched, and the two oldest. */
async function* rUpdates(folders: readonly string[]): AsyncGenerator<Pair> {
  const versionOf = (fileName: string) => fileName.slice(fileName.indexOf("_") + 1).replace(".tar.gz", "");
  const { compareVersions } = formatOf("R");
  for (const folder of folders) {
    const files = (await readdir(folder)).sort((a, b) => compareVersions(versionOf(a), versionOf(b)));
    for (const newest of new Set([files.length - 1, 1])) {
      const [one, other] = files.slice(newest - 1, newest + 1).map((name) => archiveAt("R", join(folder, name)));
      if (one && other) yield { name: files[newest] ?? "", before: one, after: other };
    }
  }
}
