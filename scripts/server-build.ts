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
  const loader = `import "./${name}/server.js";\n`;
  if (existsSync(builtServer) && readFileSync(builtServer, "utf8") === loader) return;
  process.stdout.write("Building the server…\n");
  const started = Date.now();
  const cache = join(project, "node_modules/.cache");
  for (const folder of [builds, cache]) await mkdir(folder, { recursive: true });
  const scratch = await mkdtemp(join(cache, "server-"));
  try {
    const next = join(scratch, name);
    const code = await ended([process.execPath, join(project, bundler), next], { signal });
    signal?.throwIfAborted();
    if (code !== 0) throw new Error("The server could not be built.");
    // Another start may have built the same in the meantime.
    if (!existsSync(join(builds, name))) await rename(next, join(builds, name));
    const nextLoader = join(scratch, "packhouse.js");
    await writeFile(nextLoader, loader);
    await rename(nextLoader, builtServer);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  await removeOldBuilds(name);
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
