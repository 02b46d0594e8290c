import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { apiPrefix } from "@packhouse/contract/operation";
import { pino } from "pino";
import { z } from "zod";
import { memoryOptions } from "../entry/memory-options.ts";
import { openBackends } from "../platform/backends/backends.ts";
import type { Db } from "../platform/db/database.ts";
import { readSettings } from "../platform/settings/settings.ts";
import { keepCompiled } from "./programs/compiled.ts";
import { productEnvironment, productProgram } from "./programs/product-program.ts";
import type { SmallPackage } from "./small-packages.ts";

const projectFolder = resolve(import.meta.dirname, "../..");

/** A running product, started as an operator would: its own process, database and data folder. */
export interface Product extends AsyncDisposable {
  address: string;
  dataDir: string;
  process: ChildProcess;
  /** Ends the process with the signal and waits for it; the data folder stays. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Ends the process and removes the data folder. */
  stop(): Promise<void>;
}

export interface ProductOptions {
  /** `whole`: with its mirror and its mail, which appear only after the start. */
  demo?: boolean | "whole";
  dataDir?: string;
  /** The data folder stays when the product is stopped. */
  keepsData?: boolean;
  port?: number;
  environment?: Record<string, string>;
}

const startTimeoutMs = 300_000;

/** Name data folders that tests copy, of the demo and without any record, because building them takes longer. */
export const demoDataVariable = "PACKHOUSE_TEST_DEMO_DATA";
export const emptyDataVariable = "PACKHOUSE_TEST_EMPTY_DATA";

export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "packhouse-e2e-")));
  const built = options.dataDir === undefined ? builtData(options.demo) : undefined;
  // With its owners: as root, the database belongs to another account.
  if (built !== undefined) execFileSync("cp", ["--archive", `${built}/.`, dataDir]);
  const port = options.port ?? (await freePort());
  const address = `http://localhost:${port}`;
  const child = spawn(process.execPath, [...memoryOptions.node, productProgram(), options.demo ? "demo" : "start"], {
    cwd: projectFolder,
    env: {
      ...productEnvironment(),
      ...keepCompiled,
      ...memoryOptions.environment,
      PACKHOUSE_PORT: String(port),
      PACKHOUSE_DATA_DIR: dataDir,
      PACKHOUSE_LOG_LEVEL: "error",
      // Test machines are busy; the test of overload overrides this.
      PACKHOUSE_OVERLOAD_EVENT_LOOP_DELAY_MS: "0",
      ...(options.demo === true ? { PACKHOUSE_DECLARATIVE_PATHS: "", PACKHOUSE_MAIL_HOST: "" } : {}),
      ...options.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-20_000);
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);

  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) await kill("SIGTERM");
    if (!options.keepsData) await rm(dataDir, { recursive: true, force: true });
  };

  const deadline = Date.now() + startTimeoutMs;
  while (!(await answers(address))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`The product did not start:\n${output}`);
    }
    await sleep(100);
  }
  if (built !== undefined && options.demo) await inDatabaseOf({ dataDir }, (db) => moveRepositories(db, address));
  return { address, dataDir, process: child, kill, stop, [Symbol.asyncDispose]: stop };
}

/** The folder that a new product copies, if there is one. */
function builtData(demo: ProductOptions["demo"] = false): string | undefined {
  if (demo === "whole") return undefined;
  return process.env[demo ? demoDataVariable : emptyDataVariable];
}

/** To the address of a product that began as a copy of another one. */
const moveRepositories = (db: Db, address: string): Promise<unknown> =>
  db
    .updateTable("repositories")
    .set(({ fn, ref, val }) => {
      const here = (column: "publication_uri" | "server_address") =>
        fn<string>("regexp_replace", [ref(column), val("^http://localhost:[0-9]+"), val(address)]);
      return { publication_uri: here("publication_uri"), server_address: here("server_address") };
    })
    .execute();

/** For states that no call can bring about, such as a token that expired yesterday. */
export async function inDatabaseOf(
  { dataDir }: Pick<Product, "dataDir">,
  work: (db: Db) => Promise<unknown>,
): Promise<void> {
  const settings = readSettings({ PACKHOUSE_DATA_DIR: dataDir });
  const backends = await openBackends(settings, pino({ level: "silent" }));
  try {
    await work(backends.database.db);
  } finally {
    await backends.close();
  }
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/actuator/health`)).ok;
  } catch {
    return false; // not listening yet
  }
}

/** Below those that systems give to connections and to servers on port 0, which may take one before it is used. */
const portsForServers = { from: 20_000, to: 26_384 };

/** A process that listens on the port this far above another has chosen that one, until it ends. */
const toItsReservation = 6_384;

/** A port that nothing listens on, and that no other call returns, in any process, while this process runs. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(portsForServers.from, portsForServers.to);
    const reservation = await listening(port + toItsReservation);
    if (!reservation) continue;
    reservation.unref();
    const trial = await listening(port);
    if (!trial) continue; // stays reserved: something else uses it
    await new Promise((closed) => trial.close(closed));
    return port;
  }
}

async function listening(port: number): Promise<Server | undefined> {
  const server = createServer();
  const free = await new Promise<boolean>((tried) => {
    server.once("error", () => tried(false));
    server.listen(port, () => tried(true));
  });
  return free ? server : undefined;
}

const answer = z.object({ status: z.string(), code: z.number(), data: z.unknown() });
const identified = z.object({ id: z.number() });
const submitted = z.object({ id: z.number(), state: z.string(), packageBag: identified });

/** The API as used by a script. */
export interface ApiUser {
  token: string;
  call(method: string, path: string, body?: unknown): Promise<z.infer<typeof answer>>;
  createRepository(technology: "R" | "Python", name: string, more?: Record<string, unknown>): Promise<number>;
  upload(
    technology: "R" | "Python",
    repository: string,
    file: Omit<SmallPackage, "type">,
    more?: Record<string, string>,
  ): Promise<z.infer<typeof submitted>>;
  accept(technology: "R" | "Python", submissionId: number): Promise<void>;
  createToken(name: string): Promise<string>;
}

export async function signIn(product: Pick<Product, "address">, login: string, password: string): Promise<ApiUser> {
  const response = await fetch(`${product.address}/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ login, password }),
  });
  if (!response.ok) throw new Error(`signing in as ${login} answered ${response.status}`);
  const { token } = z.object({ data: z.object({ token: z.string() }) }).parse(await response.json()).data;

  const call: ApiUser["call"] = async (method, path, body) => {
    const patch = method === "PATCH";
    const reply = await fetch(product.address + apiPrefix + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": patch ? "application/json-patch+json" : "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const parsed = answer.parse(
      reply.status === 204 ? { status: "SUCCESS", code: 204, data: null } : await reply.json(),
    );
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(parsed)}`);
    return parsed;
  };
  const folder = { R: "r", Python: "python" } as const;
  return {
    token,
    call,
    async createRepository(technology, name, more = {}) {
      const address = `${product.address}/repo/${encodeURIComponent(name)}`;
      const { data } = await call("POST", `/${folder[technology]}/repositories`, {
        name,
        publicationUri: address,
        serverAddress: address,
        requiresAuthentication: false,
        published: true,
        ...more,
      });
      return identified.parse(data).id;
    },
    async upload(technology, repository, { fileName, bytes }, more = {}) {
      const form = new FormData();
      form.append("repository", repository);
      form.append("generateManual", "false");
      for (const [name, value] of Object.entries(more)) form.append(name, value);
      form.append("file", new Blob([new Uint8Array(bytes)], { type: "application/gzip" }), fileName);
      const reply = await fetch(`${product.address}${apiPrefix}/${folder[technology]}/submissions`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: form,
      });
      const parsed = answer.parse(await reply.json());
      if (reply.status !== 201)
        throw new Error(`uploading ${fileName} answered ${reply.status}: ${JSON.stringify(parsed)}`);
      return submitted.parse(parsed.data);
    },
    async accept(technology, submissionId) {
      await call("PATCH", `/${folder[technology]}/submissions/${submissionId}`, [
        { op: "replace", path: "/state", value: "ACCEPTED" },
      ]);
    },
    async createToken(name) {
      const { data } = await call("POST", "/access-tokens", { name, lifetime: "30" });
      return z.object({ value: z.string() }).parse(data).value;
    },
  };
}
