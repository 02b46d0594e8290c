import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { digestOfSources } from "./source-digest.ts";
import { ended, project } from "./stages.ts";

const builds = join(project, "server/dist");
/** Loads the newest build. */
export const builtServer = join(builds, "packhouse.js");
/** The program that writes the server into a folder. */
export const bundler = "scripts/server-bundle.ts";
const sources = { folders: ["server", "contract", "formats", "inspection", "fixtures"], files: [bundler] };

/**
 * Builds the server when anything that goes into it has changed since the last time. The build before stays, because a
 * server that runs from it still loads parts of it and starts its workers.
 */
export async function provideServer(signal?: AbortSignal): Promise<void> {
  const name = (await digestOfSources(sources)).slice(0, 16);
  const build = join(builds, name);
  if (!existsSync(build)) await buildInto(build, signal);
  const loader = `import "./${name}/server.js";\n`;
  if (existsSync(builtServer) && readFileSync(builtServer, "utf8") === loader) return;
  const next = `${build}.js`;
  await writeFile(next, loader);
  await rename(next, builtServer);
  await removeOldBuilds(name);
}

async function buildInto(folder: string, signal: AbortSignal | undefined): Promise<void> {
  process.stdout.write("Building the server…\n");
  const started = Date.now();
  const cache = join(project, "node_modules/.cache");
  for (const needed of [builds, cache]) await mkdir(needed, { recursive: true });
  const scratch = await mkdtemp(join(cache, "server-"));
  try {
    const next = join(scratch, "next");
    const code = await ended([process.execPath, join(project, bundler), next], { signal });
    signal?.throwIfAborted();
    if (code !== 0) throw new Error("The server could not be built.");
    await rename(next, folder).catch((error: unknown) => {
      // Another start has built the same in the meantime.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  process.stdout.write(`The server is built (${((Date.now() - started) / 1000).toFixed(1)} s).\n`);
}

async function removeOldBuilds(newest: string): Promise<void> {
  const entries = await readdir(builds, { withFileTypes: true });
  const others = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory() && entry.name !== newest)
      .map(async ({ name }) => ({ path: join(builds, name), at: (await stat(join(builds, name))).mtimeMs })),
  );
  const [, ...old] = others.sort((one, other) => other.at - one.at);
  for (const { path } of old) await rm(path, { recursive: true, force: true });
}
