import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip as gzipCompress } from "node:zlib";
import { chunkFaults, readChunkManifest } from "./console-chunks.ts";
import { digestOfSources } from "./source-digest.ts";
import { ended, project, tool } from "./stages.ts";

const brotli = promisify(brotliCompress);
const gzip = promisify<Buffer, { level: number }, Buffer>(gzipCompress);
const built = join(project, "console/dist");
const stampName = ".built-from";
const stampFile = join(built, stampName);
const sources = { folders: ["console", "contract", "formats"] };

/** Builds the console when anything that goes into it has changed since the last time. */
export async function provideConsole(signal?: AbortSignal): Promise<void> {
  const stamp = await digestOfSources(sources);
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  process.stdout.write("Building the console…\n");
  const started = Date.now();
  const cache = join(project, "node_modules/.cache");
  await mkdir(cache, { recursive: true });
  // Servers that run serve the previous build until the new one is complete.
  const scratch = await mkdtemp(join(cache, "console-"));
  try {
    const next = join(scratch, "next");
    await buildInto(next, signal);
    writeFileSync(join(next, stampName), stamp);
    if (existsSync(built)) await rename(built, join(scratch, "previous"));
    await rename(next, built);
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
  process.stdout.write(`The console is built (${((Date.now() - started) / 1000).toFixed(1)} s).\n`);
}

async function buildInto(folder: string, signal: AbortSignal | undefined): Promise<void> {
  const code = await ended(
    tool("vite", "build", "console", "--logLevel", "warn", "--outDir", folder, "--emptyOutDir"),
    {
      signal,
      // Inherited from a shell or a test runner, another value would build the larger React for development.
      environment: { NODE_ENV: "production" },
    },
  );
  signal?.throwIfAborted();
  if (code !== 0) throw new Error("The console could not be built.");
  const faults = chunkFaults(readChunkManifest(join(folder, ".vite/manifest.json")));
  if (faults.length > 0) throw new Error(`Chunks of the console load what they must not:\n${faults.join("\n")}`);
  await compressFiles(folder);
}

const worthCompressing = /\.(js|css|svg|json)$/;

/** Writes a compressed copy next to each text of the build, so that the server compresses nothing. */
async function compressFiles(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  await Promise.all(
    files
      .filter((entry) => entry.isFile() && worthCompressing.test(entry.name))
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const bytes = await readFile(path);
        await writeFile(`${path}.br`, await brotli(bytes));
        await writeFile(`${path}.gz`, await gzip(bytes, { level: 9 }));
      }),
  );
}
