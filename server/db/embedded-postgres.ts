import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync } from "node:fs";
import { chmod, chown, mkdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import type { Logger } from "pino";
import { Mistake } from "../mistake.ts";
import { type Account, accountFor, searchable, UnreachableFolder } from "./postgres-account.ts";
import { findPostgresPrograms, reachablePrograms } from "./postgres-programs.ts";

const run = promisify(execFile);

const user = "packhouse";
const database = "packhouse";
const startTimeoutMs = 60_000;
const lookAgainMs = 1_000;
const longestPauseMs = 15_000;

/** Small, because it shares the machine with the product; checked writes and the defaults for safety stay. */
const parameters: Record<string, string> = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  shared_buffers: "16MB",
  max_connections: "60",
  max_wal_size: "256MB",
  jit: "off",
  // Its files lie on a local disk: pages in any order cost little more than pages in a row.
  random_page_cost: "1.1",
  log_min_messages: "warning",
};

export interface EmbeddedPostgres {
  connection: { host: string; user: string; database: string };
  /** Shuts it down, unless another process of ours still works with it. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Made when it is missing; belongs to PostgreSQL alone. */
  dataDir: string;
  log: Logger;
  /** Folder of `postgres` and `initdb`. */
  programDir?: string;
}

/**
 * Runs a PostgreSQL of our own on a unix socket. One that outlived the process that started it (a kill -9) is adopted;
 * one that is still dying is waited for; one that ends by itself (its disk was full, somebody has killed it) is started
 * again as soon as it can be.
 */
export async function startEmbeddedPostgres({
  dataDir,
  log,
  programDir,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const programs = await reachablePrograms(findPostgresPrograms(programDir), searchable);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const { cluster, account } = placeOf(resolve(dataDir), programs, log);
  const socketFolder = await makeSocketFolder(cluster, account);
  const connection = { host: socketFolder, user, database };

  const place: Place = { programs, cluster, socketFolder, account, connection };

  const unclean = existsSync(pidFileOf(cluster));
  if (unclean && (await answers(connection))) {
    log.info("adopted the PostgreSQL of an earlier process");
  } else {
    await initialize(programs, cluster, account);
    await start(place);
    await createDatabase(connection);
    if (unclean) await afterCrash(connection);
  }
  const stopKeeping = keepRunning(place, log);
  return {
    connection,
    async stop() {
      await stopKeeping();
      await stop(cluster, connection);
    },
  };
}

interface Place {
  programs: string;
  cluster: string;
  socketFolder: string;
  account: Account | undefined;
  connection: EmbeddedPostgres["connection"];
}

/**
 * Looks every second whether it still runs, and starts it when it does not; after a start that failed it waits longer.
 * Returns what ends that.
 */
function keepRunning(place: Place, log: Logger): () => Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  const keep = async () => {
    for (let failures = 0; ; ) {
      const pauseMs = Math.min(lookAgainMs * 2 ** failures, longestPauseMs);
      await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => {});
      if (signal.aborted) return;
      if ((await postmasterOf(place.cluster)) !== undefined) continue;
      if (failures === 0) log.error({ postgresLog: logFileOf(place.cluster) }, "PostgreSQL has ended by itself");
      failures = (await startedAgain(place, log)) ? 0 : failures + 1;
    }
  };
  const keeping = keep();
  return async () => {
    ended.abort();
    await keeping;
  };
}

async function startedAgain(place: Place, log: Logger): Promise<boolean> {
  try {
    if (!(await startOnce(place, Date.now() + startTimeoutMs))) return false;
    log.info("PostgreSQL runs again");
    await afterCrash(place.connection);
    return true;
  } catch (error) {
    log.error(error, "PostgreSQL cannot be started at the moment");
    return false;
  }
}

/** Statistics do not survive a crash; without them the first queries are planned blindly. */
const afterCrash = (connection: pg.ClientConfig) => inMaintenance(connection, database, "vacuum analyze");

/** Root may keep the data where no other account can reach it; then the cluster moves to a place that is known for such. */
function placeOf(dataDir: string, programs: string, log: Logger): { cluster: string; account: Account | undefined } {
  try {
    return { cluster: dataDir, account: accountFor([dataDir, programs]) };
  } catch (error) {
    if (!(error instanceof UnreachableFolder)) throw error;
    const cluster = join("/var/lib/packhouse", digestOf(dataDir));
    log.warn({ cluster }, "the database lies outside the data folder, which PostgreSQL cannot reach");
    return { cluster, account: accountFor([cluster, programs]) };
  }
}

const digestOf = (path: string): string => createHash("sha256").update(path).digest("hex").slice(0, 16);

/** The path of a socket ends at 107 bytes, so it lies in a short one of its own. */
async function makeSocketFolder(cluster: string, account: Account | undefined): Promise<string> {
  const folder = join(tmpdir(), `packhouse-${digestOf(cluster)}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await own(folder, account);
  return folder;
}

async function own(folder: string, account: Account | undefined): Promise<void> {
  await chmod(folder, 0o700);
  if (account) await chown(folder, account.uid, account.gid);
}

async function initialize(programs: string, cluster: string, account: Account | undefined): Promise<void> {
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  await own(cluster, account);
  if (existsSync(join(cluster, "PG_VERSION"))) return requireSameMajor(programs, cluster);
  const [program = "", ...rest] = [...(account?.prefix ?? []), join(programs, "initdb")];
  const cleanEnvironment = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };
  const options = ["--username", user, "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--data-checksums"];
  await run(program, [...rest, "--pgdata", cluster, ...options, "--no-instructions"], {
    ...idsOf(account),
    cwd: cluster,
    env: cleanEnvironment,
  });
}

/** A cluster is read by the major version that wrote it alone; that one says so in words that help nobody. */
async function requireSameMajor(programs: string, cluster: string): Promise<void> {
  const wrote = (await readFile(join(cluster, "PG_VERSION"), "utf8")).trim();
  const { stdout } = await run(join(programs, "postgres"), ["--version"]);
  const [, reads] = /\(PostgreSQL\) (\d+)/.exec(stdout) ?? [];
  if (wrote === reads) return;
  throw new Mistake(
    `The database in ${cluster} was written by PostgreSQL ${wrote}; this version of Packhouse comes with PostgreSQL ${reads}, which cannot read it. Call \`packhouse export FOLDER\` of the version of Packhouse that ran before, then \`packhouse import FOLDER\` of this one with another folder in PACKHOUSE_DATA_DIR (docs/backup.md).`,
  );
}

// setpriv changes the ids itself; only without it Node does.
const idsOf = (account: Account | undefined) =>
  account && account.prefix.length === 0 ? { uid: account.uid, gid: account.gid } : {};

async function start(place: Place): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  while (!(await startOnce(place, deadline))) {
    // A dying predecessor holds the lock for some seconds.
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL does not start; its own words are in ${logFileOf(place.cluster)}`);
    await sleep(250);
  }
}

/** False when it has ended before it answered. */
async function startOnce(place: Place, deadline: number): Promise<boolean> {
  const { programs, cluster, socketFolder, account, connection } = place;
  const settings = Object.entries({ ...parameters, unix_socket_directories: socketFolder });
  const options = settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const [program = "", ...rest] = [...(account?.prefix ?? []), join(programs, "postgres")];
  const output = openSync(logFileOf(cluster), "a", 0o600);
  try {
    // In a group of its own: Ctrl-C is for us, and we end it in order.
    const child = spawn(program, [...rest, "-D", cluster, ...options], {
      ...idsOf(account),
      cwd: cluster,
      env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" },
      detached: true,
      stdio: ["ignore", output, output],
    });
    child.unref();
    return await accepts(child, connection, deadline);
  } finally {
    closeSync(output);
  }
}

/** True once it answers, false when the process ends before. */
async function accepts(child: ChildProcess, connection: pg.ClientConfig, deadline: number): Promise<boolean> {
  const maintenance = { ...connection, database: "postgres" };
  let failed = false;
  child.once("error", () => {
    failed = true;
  });
  while (!failed && child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    if (await answers(maintenance)) return true;
    await sleep(25);
  }
  return false;
}

async function answers(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {}); // the answer below says it
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false; // starting, stopping, or not there
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabase(connection: pg.ClientConfig): Promise<void> {
  const known = await inMaintenance(connection, "postgres", `select 1 from pg_database where datname = '${database}'`);
  if (known.rowCount === 0) await inMaintenance(connection, "postgres", `create database ${database}`);
}

async function inMaintenance(connection: pg.ClientConfig, name: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ ...connection, database: name });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Fast shutdown: running transactions are rolled back, the rest is written. */
async function stop(cluster: string, connection: pg.ClientConfig): Promise<void> {
  const pid = await postmasterOf(cluster);
  if (pid === undefined) return;
  const others = await inMaintenance(
    connection,
    "postgres",
    `select 1 from pg_stat_activity where backend_type = 'client backend' and datname = '${database}'`,
  );
  if (others.rowCount !== 0) return;
  process.kill(pid, "SIGINT");
  while (existsSync(pidFileOf(cluster))) await sleep(20);
}

/** The process of a running PostgreSQL; undefined when there is none. */
async function postmasterOf(cluster: string): Promise<number | undefined> {
  try {
    const pid = Number.parseInt(await readFile(pidFileOf(cluster), "utf8"), 10);
    if (!(pid > 1)) return undefined; // the disk was full when it was written
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined; // no file, or one of a process that was killed
  }
}

const pidFileOf = (cluster: string): string => join(cluster, "postmaster.pid");
const logFileOf = (cluster: string): string => `${cluster}.log`;
