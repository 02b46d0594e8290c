import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { hasCode } from "@packhouse/server/platform/errors/has-code";
import { replace, startPackhouse, type TestPackhouse } from "@packhouse/server/testing/packhouse";
import { freePort } from "@packhouse/server/testing/product";
import { fillRepository } from "@packhouse/server/testing/records/full-repositories";
import { setup } from "@packhouse/server/testing/servers/database-server";
import { smallRPackage, smallSdist } from "@packhouse/server/testing/small-packages";
import { rate } from "./index-pages.ts";
import { nginx, serveByNginx } from "./nginx.ts";
import { onPypiserver } from "./python-peers.ts";

const run = promisify(execFile);

const rPackages = Number(process.env.BENCH_R_PACKAGES ?? 23_000);
/** `write_PACKAGES` opens each archive; of all of them that would take an hour. */
const rSample = Math.min(rPackages, 1000);
const projects = Number(process.env.BENCH_PROJECTS ?? 5000);
const filesOfProject = 20;

/** Renders whole repositories from nothing, and compares that with the tools that others use to render or serve them. */
export async function rendering(): Promise<string[]> {
  const stop = await setup();
  try {
    await using it = await startPackhouse({ settings: { "publication.waitMs": 60_000 } });
    return [...(await renderR(it)), ...(await renderPython(it))];
  } finally {
    await stop();
  }
}

/** Seconds from the call that publishes a full repository to its answer, which waits for the whole index. */
async function publish(it: TestPackhouse, technology: "R" | "Python", amounts: { names: number; versions: number }) {
  const admin = await it.bySession(it.admin);
  const repository = await it.given.repository(technology, { published: false });
  await fillRepository(it.deps.db, { id: repository.id, technology }, amounts);
  const path = `/${technology === "R" ? "r" : "python"}/repositories/${repository.id}`;
  const started = performance.now();
  const answer = await admin.patch(path, [replace("/published", true)]);
  if (answer.http !== 200 || answer.data.synchronizing) throw new Error(`publishing answered ${answer.http}`);
  const seconds = (performance.now() - started) / 1000;
  return { seconds, path, name: repository.name, address: `${it.address}/repo/${repository.name}` };
}

/** More than it takes until PostgreSQL plans a statement no longer for its values. */
const changesBefore = 20;

/** Seconds until all pages are rendered again, in a repository that has been in use. */
async function renderAgain(it: TestPackhouse, { path, name }: { path: string; name: string }): Promise<number> {
  const admin = await it.bySession(it.admin);
  for (let count = 0; count < changesBefore; count += 1) {
    const { http } = await admin.upload("Python", await smallSdist(`later${count}`, "1.0"), { repository: name });
    if (http !== 201) throw new Error(`an upload answered ${http}`);
  }
  const started = performance.now();
  const answer = await admin.patch(path, [replace("/hashMethod", "MD5")]);
  if (answer.http !== 200 || answer.data.synchronizing) throw new Error(`another hash method answered ${answer.http}`);
  return (performance.now() - started) / 1000;
}

async function renderR(it: TestPackhouse): Promise<string[]> {
  const { seconds, address } = await publish(it, "R", { names: rPackages, versions: 1 });
  const index = await (await fetch(`${address}/src/contrib/PACKAGES`)).text();
  const listed = index.match(/^Package: /gm)?.length;
  if (listed !== rPackages) throw new Error(`the index lists ${listed} packages`);
  const theirs = await writePackages();
  return [
    `R, ${rPackages} packages from nothing, all forms of the index: ${seconds.toFixed(1)} s`,
    theirs === undefined
      ? "tools::write_PACKAGES: left out, R is not on this machine"
      : `tools::write_PACKAGES, ${rSample} packages: ${theirs.toFixed(1)} s, which is ${((theirs / rSample / seconds) * rPackages).toFixed(0)} times as long for each`,
  ];
}

/** Seconds that R takes to index a folder. */
async function writePackages(): Promise<number | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "packhouse-write-packages-"));
  try {
    for (let index = 0; index < rSample; index += 1) {
      const file = await smallRPackage(`package${index}x`, "1.0", { Imports: "stats, utils" });
      await writeFile(join(folder, file.fileName), file.bytes);
    }
    const code = `cat(system.time(tools::write_PACKAGES("${folder}", type = "source"))[["elapsed"]])`;
    return Number((await run("Rscript", ["--vanilla", "-e", code])).stdout);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function renderPython(it: TestPackhouse): Promise<string[]> {
  const files = projects * filesOfProject;
  const published = await publish(it, "Python", { names: projects, versions: filesOfProject });
  const { seconds, address } = published;
  const list = (await (await fetch(`${address}/simple/`, { headers: { accept: json } })).json()) as {
    projects: { name: string }[];
  };
  if (list.projects.length !== projects) throw new Error(`the list has ${list.projects.length} projects`);
  const name = list.projects[Math.floor(projects / 2)]?.name ?? "";
  const page = `${address}/simple/${name}/`;
  const bytes = Buffer.from(await (await fetch(page)).arrayBuffer());
  const ours = await rate(page);
  const again = await renderAgain(it, published);
  return [
    `Python, ${projects} projects with ${files} files from nothing, all forms of all pages: ${seconds.toFixed(1)} s`,
    `the same again with another hash method, after ${changesBefore} changes: ${again.toFixed(1)} s`,
    `a project's page, 20 connections: Packhouse ${ours.toFixed(0)}/s`,
    await measured("nginx, the page as a file", () => nginxRate(bytes)),
    await measured(`pypiserver, ${files} files in a folder`, () =>
      onPypiserver(
        list.projects.flatMap((one) => emptyFilesOf(one.name)),
        name,
        rate,
      ),
    ),
  ];
}

const json = "application/vnd.pypi.simple.v1+json";

async function measured(what: string, measure: () => Promise<number | string>): Promise<string> {
  const result = await measure();
  return `${what}: ${typeof result === "number" ? `${result.toFixed(result < 10 ? 2 : 0)}/s` : result}`;
}

const emptyFilesOf = (name: string) =>
  Array.from({ length: filesOfProject }, (_unused, index) => {
    const version = `1.${index}`;
    return { name, version, fileName: `${name}-${version}.tar.gz`, bytes: new Uint8Array() };
  });

async function nginxRate(bytes: Uint8Array): Promise<number | string> {
  if (!nginx) return "left out, it is not on this machine";
  const folder = await mkdtemp(join(tmpdir(), "packhouse-nginx-"));
  await mkdir(join(folder, "html"));
  await writeFile(join(folder, "html/page.html"), bytes);
  const port = await freePort();
  const server = await serveByNginx(nginx, folder, port);
  try {
    return await rate(`http://localhost:${port}/page.html`);
  } finally {
    server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}
