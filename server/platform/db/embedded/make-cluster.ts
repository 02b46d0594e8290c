import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { Obstacle, OperatorError } from "../../errors/operator-error.ts";
import { ownFolder } from "./owned-folder.ts";
import type { Account } from "./postgres-account.ts";

const run = promisify(execFile);

/** The superuser of the cluster. */
export const user = "packhouse";

/** The folder of a database, and what may work in it. */
export interface Cluster {
  /** Folder of `postgres` and `initdb`. */
  programs: string;
  cluster: string;
  account: Account | undefined;
}

/** Initializes the folder, unless it has been; refuses one that contains anything else, or that another version wrote. */
export async function makeCluster({ programs, cluster, account }: Cluster): Promise<void> {
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  const found = await readdir(cluster);
  // Checked before any ownership is changed.
  const other = found.find((name) => !name.startsWith(unfinishedPrefix));
  if (other !== undefined && !found.includes("PG_VERSION"))
    throw new Obstacle(
      `The folder ${cluster} is for the database, but contains something else (${other}). Empty it, or name another data folder in PACKHOUSE_DATA_DIR.`,
    );
  await ownFolder(cluster, account);
  const inside = !(await canBeReplaced(cluster));
  const place = inside
    ? { parent: cluster, start: unfinishedPrefix }
    : { parent: dirname(cluster), start: `${basename(cluster)}.${unfinishedPrefix}` };
  await removeUnfinished(place);
  if (other !== undefined) return requireSameMajor(programs, cluster);
  // Elsewhere first, because an interrupted initialization would look complete. In a new folder each time, because
  // `initdb` continues to write when the process that started it is killed.
  const unfinished = await mkdtemp(join(place.parent, `${place.start}-${process.pid}-`));
  await ownFolder(unfinished, account);
  await initialize({ programs, cluster: unfinished, account });
  await (inside ? moveContents(unfinished, cluster) : rename(unfinished, cluster)).catch(async (error: unknown) => {
    // Another process of ours was faster.
    if (!existsSync(join(cluster, "PG_VERSION"))) throw error;
    await rm(unfinished, { recursive: true, force: true });
  });
}

const unfinishedPrefix = "unfinished";

/** Removes what processes left behind that were killed while they initialized. */
async function removeUnfinished({ parent, start }: { parent: string; start: string }): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(start)) continue;
    const pid = Number.parseInt(name.slice(start.length + 1), 10);
    if (pid !== process.pid && isRunning(pid)) continue;
    // Where its `initdb` is still writing, the rest is removed by the next start.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
  }
}

/** `PG_VERSION` last: without it the folder does not count as initialized. */
async function moveContents(from: string, to: string): Promise<void> {
  const names = (await readdir(from)).filter((name) => name !== "PG_VERSION");
  for (const name of [...names, "PG_VERSION"]) await rename(join(from, name), join(to, name));
  await rmdir(from);
}

/** A link to another disk, or a mount point, is kept. */
async function canBeReplaced(folder: string): Promise<boolean> {
  const [its, parents] = await Promise.all([lstat(folder), lstat(dirname(folder))]);
  return its.isDirectory() && its.dev === parents.dev;
}

async function initialize({ programs, cluster, account }: Cluster): Promise<void> {
  const [program = "", ...rest] = [...(account?.prefix ?? []), join(programs, "initdb")];
  const cleanEnvironment = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };
  const options = ["--username", user, "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--data-checksums"];
  await run(program, [...rest, "--pgdata", cluster, ...options, "--no-instructions"], {
    ...idsOf(account),
    cwd: cluster,
    env: cleanEnvironment,
  });
}

/** Only the major version that wrote a cluster can read it; PostgreSQL's own message is not helpful. */
async function requireSameMajor(programs: string, cluster: string): Promise<void> {
  const wrote = (await readFile(join(cluster, "PG_VERSION"), "utf8")).trim();
  const { stdout } = await run(join(programs, "postgres"), ["--version"]);
  const [, reads] = /\(PostgreSQL\) (\d+)/.exec(stdout) ?? [];
  if (wrote === reads) return;
  throw new OperatorError(
    `The database in ${cluster} was written by PostgreSQL ${wrote}; this version of Packhouse comes with PostgreSQL ${reads}, which cannot read it. Run \`packhouse export FOLDER\` with the previous version of Packhouse, then \`packhouse import FOLDER\` with this version and another folder in PACKHOUSE_DATA_DIR (docs/backup.md).`,
  );
}

/** `setpriv` changes the ids itself; Node does so only without it. */
export const idsOf = (account: Account | undefined) =>
  account && account.prefix.length === 0 ? { uid: account.uid, gid: account.gid } : {};

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
