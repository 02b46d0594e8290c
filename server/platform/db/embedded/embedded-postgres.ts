import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, constants, existsSync, openSync } from "node:fs";
import { mkdir, readFile, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { Obstacle } from "../../errors/operator-error.ts";
import { type Cluster, idsOf, isRunning, makeCluster, user } from "./make-cluster.ts";
import { isSafeSocketFolder, makeSocketFolder, ownFolder } from "./owned-folder.ts";
import { type Account, accountFor, searchable, UnreachableFolder } from "./postgres-account.ts";
import { findPostgresPrograms, reachablePrograms } from "./postgres-programs.ts";

const database = "packhouse";
const startTimeoutMs = 60_000;
const stopTimeoutMs = 30_000;
/** A shutdown that takes longer than this at a start will not end. */
const predecessorTimeoutMs = 20_000;
const immediateStopTimeoutMs = 10_000;
const lookAgainMs = 1_000;
/** After a crash, servers have their sessions again within this time. */
const reconnectMs = 3_000;
const longestPauseMs = 15_000;

/** Small, because it shares the machine with the product; durability settings keep their safe defaults. */
const parameters: Record<string, string> = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  shared_buffers: "16MB",
  max_wal_size: "256MB",
  jit: "off",
  // Plans of prepared statements are made again when a table was analyzed: soon, while a new repository is filled.
  autovacuum_naptime: "10s",
  // It has no subscriptions, for which a process would wait.
  max_logical_replication_workers: "0",
  // Its files are on a local disk: random reads cost little more than sequential ones.
  random_page_cost: "1.1",
  log_min_messages: "warning",
};

/** Commands and administrators connect, too; a connection that nobody opens costs next to nothing. */
const spareConnections = 40;
const fewestConnections = 100;

export interface EmbeddedPostgres {
  connection: { host: string; user: string; database: string };
  /** Shuts it down, unless another process of ours still uses it. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Created if missing; used by PostgreSQL alone. */
  dataDir: string;
  log: Logger;
  /** Folder of `postgres` and `initdb`. */
  programDir?: string;
  /** How many connections the server's processes open at most. */
  connections?: number;
}

/**
 * Runs an embedded PostgreSQL on a Unix socket. One that outlived the process that started it (kill -9) is adopted; one
 * that is still shutting down is waited for; one that ends by itself (a full disk, a kill) is restarted as soon as
 * possible.
 */
export async function startEmbeddedPostgres({
  dataDir,
  log,
  programDir,
  connections = 0,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const programs = await reachablePrograms(findPostgresPrograms(programDir), searchable);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const at = { programs, ...placeOf(resolve(dataDir), programs, log) };
  await makeCluster(at);

  const unclean = existsSync(pidFileOf(at.cluster));
  const adopted = unclean ? await adopt(at, connections) : undefined;
  if (adopted !== undefined) log.info("took over the PostgreSQL of an earlier process");
  const place = adopted ?? (await start(at, connections));
  await createDatabase(place.connection);
  if (unclean && adopted === undefined) await afterCrash(place.connection);
  const stopKeeping = keepRunning(place, log);
  return {
    connection: place.connection,
    async stop() {
      await stopKeeping();
      await stop(place);
    },
  };
}

/** A PostgreSQL that this or another process of ours has started; undefined if there is none. */
async function adopt(at: Cluster, connections: number): Promise<Place | undefined> {
  const socketFolder = await adoptableSocket(at);
  return socketFolder === undefined
    ? undefined
    : { ...at, socketFolder, connection: connectionTo(socketFolder), connections };
}

/** Another process of ours may be faster; then its PostgreSQL is used. */
async function start(at: Cluster, connections: number): Promise<Place> {
  const socketFolder = await makeSocketFolder(at.account, dirname(at.cluster));
  const own: Place = { ...at, socketFolder, connection: connectionTo(socketFolder), connections };
  const began = Date.now();
  const deadline = began + startTimeoutMs;
  try {
    while (!(await startOnce(own, deadline))) {
      const others = await adopt(at, connections);
      if (others) return others;
      // A stopping predecessor holds the lock for some seconds.
      if (Date.now() > began + predecessorTimeoutMs && (await isShuttingDown(at.cluster))) await endAtOnce(at.cluster);
      if (Date.now() > deadline)
        throw new Obstacle(
          `PostgreSQL does not start. See the end of ${logFileOf(at.cluster)} for the reason, fix it, and start again.`,
        );
      await sleep(250);
    }
    return own;
  } finally {
    // Kept if the socket is in it.
    await rmdir(socketFolder).catch(() => {});
  }
}

const connectionTo = (socketFolder: string): EmbeddedPostgres["connection"] => ({ host: socketFolder, user, database });

/** Stops a PostgreSQL that a killed server left behind, unless another process of ours uses it. */
export async function stopAbandonedPostgres(dataDir: string): Promise<void> {
  const folders = [resolve(dataDir), clusterOfClosedFolder(resolve(dataDir))];
  const cluster = folders.find((folder) => existsSync(pidFileOf(folder)));
  if (cluster === undefined) return;
  const socketFolder = await adoptableSocket({ cluster, account: accountFor([]) });
  if (socketFolder !== undefined) await stop({ cluster, socketFolder, connection: connectionTo(socketFolder) });
}

/** PostgreSQL records where its socket is; undefined if it does not answer there. */
async function adoptableSocket({
  cluster,
  account,
}: Pick<Cluster, "cluster" | "account">): Promise<string | undefined> {
  const { socketFolder: folder } = await recordOf(cluster);
  if (folder === "" || (await postmasterOf(cluster)) === undefined) return undefined;
  if (!(await isSafeSocketFolder(folder, account)))
    throw new Obstacle(
      `PostgreSQL is running in ${cluster}, but other accounts can replace its socket in ${folder}. Stop that PostgreSQL, remove ${folder}, and start again.`,
    );
  return (await answers(connectionTo(folder))) ? folder : undefined;
}

/** What PostgreSQL records about itself in its folder; empty if there is nothing. */
async function recordOf(cluster: string): Promise<{ socketFolder: string; status: string }> {
  const lines = (await readFile(pidFileOf(cluster), "utf8").catch(() => "")).split("\n");
  return { socketFolder: lines[4] ?? "", status: lines[7]?.trim() ?? "" };
}

interface Place extends Cluster {
  socketFolder: string;
  connection: EmbeddedPostgres["connection"];
  /** How many it must allow. */
  connections: number;
}

/**
 * Checks every second whether it still runs, and restarts it if not; waits longer after a failed start. Returns a
 * function that stops watching.
 */
function keepRunning(place: Place, log: Logger): () => Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  const keep = async () => {
    for (let failures = 0; ; ) {
      const pauseMs = Math.min(lookAgainMs * 2 ** failures, longestPauseMs);
      await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => {});
      if (signal.aborted) return;
      if ((await postmasterOf(place.cluster)) !== undefined) {
        failures = 0;
        // If another process asks it to stop, it waits until we disconnect and refuses new connections until then.
        if (await isShuttingDown(place.cluster)) await shutDown(place.cluster);
        continue;
      }
      if (failures === 0) log.error({ postgresLog: logFileOf(place.cluster) }, "PostgreSQL has ended unexpectedly");
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
    // The process that stopped it may have removed the folder, as do programs that clean up temporary folders.
    await ownFolder(place.socketFolder, place.account);
    if (!(await startOnce(place, Date.now() + startTimeoutMs))) return false;
    log.info("PostgreSQL is running again");
    await afterCrash(place.connection);
    return true;
  } catch (error) {
    log.error(error, "PostgreSQL cannot be started right now");
    return false;
  }
}

/** Statistics do not survive a crash; without them the first queries are badly planned. */
const afterCrash = (connection: pg.ClientConfig) => inMaintenance(connection, database, "vacuum analyze");

/** Root may keep the data where no other account can reach it; then the cluster moves to a well-known place. */
function placeOf(dataDir: string, programs: string, log: Logger): { cluster: string; account: Account | undefined } {
  try {
    return { cluster: dataDir, account: accountFor([dataDir, programs]) };
  } catch (error) {
    if (!(error instanceof UnreachableFolder)) throw error;
    const cluster = clusterOfClosedFolder(dataDir);
    log.warn({ cluster }, "the database is stored outside the data folder, which PostgreSQL cannot access");
    return { cluster, account: accountFor([cluster, programs]) };
  }
}

const clusterOfClosedFolder = (dataDir: string): string =>
  join("/var/lib/packhouse", createHash("sha256").update(dataDir).digest("hex").slice(0, 16));

const appendWithoutLinks = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/** False if it ended before it answered. */
async function startOnce(place: Place, deadline: number): Promise<boolean> {
  const { programs, cluster, socketFolder, account, connection } = place;
  const settings = Object.entries({
    ...parameters,
    unix_socket_directories: socketFolder,
    max_connections: String(Math.max(fewestConnections, place.connections + spareConnections)),
  });
  const options = settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const [program = "", ...rest] = [...(account?.prefix ?? []), join(programs, "postgres")];
  const output = openSync(logFileOf(cluster), appendWithoutLinks, 0o600);
  try {
    // In its own process group: Ctrl-C is for us, and we shut it down properly.
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

/** True once it answers, false if the process ends before. */
async function accepts(
  child: ChildProcess,
  connection: EmbeddedPostgres["connection"],
  deadline: number,
): Promise<boolean> {
  let failed = false;
  child.once("error", () => {
    failed = true;
  });
  while (!failed && child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    if (await answers(connection)) return true;
    await sleep(25);
  }
  return false;
}

/** False while it starts or stops, and if there is none. */
const answers = (connection: EmbeddedPostgres["connection"]): Promise<boolean> =>
  inMaintenance(connection, "postgres", "select 1").then(
    () => true,
    () => false,
  );

/** It also says so when it hangs. */
const saysThatItShutsDown = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === "57P03" && error.message.includes("shutting down");

/** As it answers, too: its process could have been killed, and the number in the file given to another program. */
async function isShuttingDown(cluster: string): Promise<boolean> {
  const { socketFolder, status } = await recordOf(cluster);
  if (status !== "stopping") return false;
  const refusal = await inMaintenance(connectionTo(socketFolder), "postgres", "select 1").catch(
    (error: unknown) => error,
  );
  return saysThatItShutsDown(refusal);
}

async function createDatabase(connection: pg.ClientConfig): Promise<void> {
  const known = await inMaintenance(connection, "postgres", `select 1 from pg_database where datname = '${database}'`);
  if (known.rowCount !== 0) return;
  await inMaintenance(connection, "postgres", `create database ${database}`).catch((error: unknown) => {
    // Another process of ours was faster.
    if (!(error instanceof pg.DatabaseError) || error.code !== "42P04") throw error;
  });
}

async function inMaintenance(connection: pg.ClientConfig, name: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ ...connection, database: name, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {}); // it also fails what is called below
  try {
    await client.connect();
    return await client.query(statement);
  } finally {
    await client.end().catch(() => {});
  }
}

async function stop({
  cluster,
  socketFolder,
  connection,
}: Pick<Place, "cluster" | "socketFolder" | "connection">): Promise<void> {
  if (await isUsed(cluster, connection)) return;
  await shutDown(cluster);
  // Removes only PostgreSQL's own files: if the folder is not empty then, it stays.
  await rmdir(socketFolder).catch(() => {});
}

/**
 * Fast shutdown: running transactions are rolled back, the rest is written. PostgreSQL 18 hangs if that is asked for
 * while it recovers from the crash of a session. It is then ended at once, and the next start recovers.
 */
async function shutDown(cluster: string): Promise<void> {
  if (!(await endsBy("SIGINT", cluster, stopTimeoutMs))) await endAtOnce(cluster);
}

const endAtOnce = (cluster: string): Promise<boolean> => endsBy("SIGQUIT", cluster, immediateStopTimeoutMs);

async function endsBy(signal: NodeJS.Signals, cluster: string, withinMs: number): Promise<boolean> {
  const pid = await postmasterOf(cluster);
  if (pid === undefined || !isRunning(pid)) return true;
  process.kill(pid, signal);
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await sleep(20))
    if ((await postmasterOf(cluster)) !== pid) return true;
  return false;
}

/**
 * Whether another process of ours uses it. Sessions of a killed process take a moment to end. If it recovers from a
 * crash, it is waited for: it cannot be asked, must not be stopped, and the others' sessions come back only later.
 */
async function isUsed(cluster: string, connection: EmbeddedPostgres["connection"]): Promise<boolean> {
  const others = `select 1 from pg_stat_activity where backend_type = 'client backend' and datname = '${database}'`;
  const began = Date.now();
  let usedUntil = 0;
  for (;;) {
    try {
      const found = await inMaintenance(connection, "postgres", others);
      if (found.rowCount === 0 && Date.now() > usedUntil) return false;
      if (found.rowCount !== 0 && Date.now() > began + lookAgainMs) return true;
    } catch (error) {
      if (saysThatItShutsDown(error) || (await postmasterOf(cluster)) === undefined) return false;
      if (Date.now() > began + stopTimeoutMs) return true;
      usedUntil = Date.now() + reconnectMs;
    }
    await sleep(50);
  }
}

/** The process of a running PostgreSQL; undefined if there is none. */
async function postmasterOf(cluster: string): Promise<number | undefined> {
  try {
    const pid = Number.parseInt(await readFile(pidFileOf(cluster), "utf8"), 10);
    // The disk may have been full when it was written.
    return pid > 1 && isRunning(pid) ? pid : undefined;
  } catch {
    return undefined; // no file, or a stale one of a killed process
  }
}

const pidFileOf = (cluster: string): string => join(cluster, "postmaster.pid");
const logFileOf = (cluster: string): string => `${cluster}.log`;
