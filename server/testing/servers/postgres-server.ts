import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { openSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { accountFor } from "../../platform/db/embedded/postgres-account.ts";
import { freePort } from "../product.ts";
import { makeCertificate } from "./certificate.ts";

const run = promisify(execFile);

/** A PostgreSQL server as in production: Debian's, by TCP, with a password, for a role with few rights. */
export interface PostgresServer extends AsyncDisposable {
  connection: { host: string; port: number; user: string; password: string };
  administrator: { user: string; password: string };
  /** The address of a database, in the format of `databaseUrl`. */
  url(database: string): string;
  /** Creates an empty database and returns its address. */
  makeDatabase(name?: string): Promise<string>;
  /** The certificate by which clients verify it. */
  certificate: string;
  /** From here on connections are refused, and open ones break; written data stays. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  /** From here on nothing is answered, on any connection. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Its processes at the moment. */
  processes(): Promise<number[]>;
  stop(): Promise<void>;
}

/** The lowest version that is supported. */
const programs = "/usr/lib/postgresql/15/bin";
const startTimeoutMs = 60_000;
const user = "packhouse";

export async function startPostgresServer(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "packhouse-test-postgres-"));
  const cluster = join(folder, "cluster");
  const [port, password, ownerPassword] = [await freePort(), newPassword(), newPassword()];
  const administrator = { user: "postgres", password: ownerPassword };
  const owner = { host: "127.0.0.1", port, ...administrator, database: "postgres" };
  const certificate = join(folder, "certificate.pem");
  let server: ChildProcess | undefined;
  const endWithUs = () => server?.kill("SIGQUIT");
  process.once("exit", endWithUs); // an interrupted run stops nothing itself

  const goDown = async () => {
    if (server) await end(server);
    server = undefined;
  };
  const comeBack = async () => {
    server = await startServer(folder, cluster, port);
    await answering(owner, folder, server);
  };
  const stop = async () => {
    await goDown();
    process.off("exit", endWithUs);
    await rm(folder, { recursive: true, force: true });
  };
  const makeDatabase = async (name = `made_${randomBytes(6).toString("hex")}`) => {
    await inMaintenance(owner, `create database ${name} owner ${user}`);
    return url(name);
  };
  const url = (name: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${name}`;
  try {
    await chmod(folder, 0o755); // root's PostgreSQL runs as another account
    await makeCluster(folder, cluster, ownerPassword);
    await comeBack();
    await inMaintenance(owner, `create role ${user} login createdb password '${password}'`);
  } catch (error) {
    await stop();
    throw error;
  }
  const connection = { host: "127.0.0.1", port, user, password };
  const processes = async () => (server?.pid === undefined ? [] : [server.pid, ...(await childrenOf(server.pid))]);
  const signal = async (name: "SIGSTOP" | "SIGCONT") => {
    for (const pid of await processes()) process.kill(pid, name);
  };
  const pause = () => signal("SIGSTOP");
  const resume = () => signal("SIGCONT");
  return {
    connection,
    administrator,
    url,
    makeDatabase,
    certificate,
    goDown,
    comeBack,
    pause,
    resume,
    processes,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

const newPassword = () => randomBytes(16).toString("hex");

function programOf(name: string, folder: string) {
  const account = accountFor([folder, programs]);
  const [program = "", ...parameters] = [...(account?.prefix ?? []), join(programs, name)];
  return { program, parameters, account };
}

async function makeCluster(folder: string, cluster: string, password: string): Promise<void> {
  const { program, parameters, account } = programOf("initdb", folder);
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, password);
  const { key } = await makeCertificate(folder);
  await chmod(key, 0o600);
  await mkdir(cluster, { mode: 0o700 });
  if (account) for (const path of [passwordFile, key, cluster]) await chown(path, account.uid, account.gid);
  const options = ["--auth", "scram-sha-256", "--pwfile", passwordFile, "--username", "postgres", "--no-instructions"];
  const locale = ["--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync"];
  await run(program, [...parameters, "--pgdata", cluster, ...options, ...locale], { cwd: cluster });
}

async function startServer(folder: string, cluster: string, port: number): Promise<ChildProcess> {
  const { program, parameters } = programOf("postgres", folder);
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    ssl: "on",
    ssl_cert_file: join(folder, "certificate.pem"),
    ssl_key_file: join(folder, "key.pem"),
    // Thrown away after the tests.
    fsync: "off",
    full_page_writes: "off",
    shared_buffers: "64MB",
    random_page_cost: "1.1", // as the manual advises
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = openSync(join(folder, "postgres.log"), "a");
  return spawn(program, [...parameters, "-D", cluster, ...options], { cwd: cluster, stdio: ["ignore", log, log] });
}

/** PostgreSQL has a process for each connection, and some of its own. */
async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise<void>((done) => server.once("exit", () => done()));
  server.kill("SIGINT"); // breaks connections, writes the rest
  await ended;
}

async function answering(owner: pg.ClientConfig, folder: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const failed = await inMaintenance(owner, "select 1").catch((error: unknown) => error ?? "unknown");
    if (failed === undefined) return;
    if (server.exitCode !== null || Date.now() > deadline) {
      const log = await readFile(join(folder, "postgres.log"), "utf8").catch(() => "");
      throw new Error(`PostgreSQL does not start:\n${log}`, { cause: failed });
    }
    await sleep(50);
  }
}

async function inMaintenance(connection: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
