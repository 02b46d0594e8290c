import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { apiPrefix } from "@packhouse/contract/operation";
import { hashPassword } from "@packhouse/server/identity/passwords/password";
import { declarationFolder } from "@packhouse/server/testing/declared";
import { freePort, signIn } from "@packhouse/server/testing/product";
import { isAlive, type StartedByNpm, startByNpm } from "@packhouse/server/testing/programs/started-by-npm";
import { startProvider, type TestProvider } from "@packhouse/server/testing/servers/identity-provider";
import { startUpstream, type UpstreamServer } from "@packhouse/server/testing/servers/upstream-server";
import { type SmallPackage, smallRPackage, smallSdist } from "@packhouse/server/testing/small-packages";
import { z } from "zod";
import { type Answer, Harm, parsed } from "./attack.ts";

export const administratorPassword = "administrators have long ones";
export const password = "correct horse battery";
const users = 120;
/** Their passwords are guessed and changed; no other attack signs in as them. */
export const victims = ["victim0", "victim1", "victim2", "victim3", "victim4"] as const;
const answerTimeoutMs = 20_000;
const startTimeoutMs = 120_000;

export type Body = string | FormData | Uint8Array<ArrayBuffer>;

/** What a stored upload is answered with. */
export const submitted = z.object({ packageBag: z.object({ id: z.number() }) });

let names = 0;
/** A package name that no other attack uses. */
export function freshName(prefix: string): string {
  names += 1;
  return `${prefix}${names}`;
}

export interface Call {
  /** Without one, the call is anonymous. */
  token?: string;
  json?: unknown;
  patch?: unknown;
  body?: Body;
  headers?: Record<string, string>;
  timeoutMs?: number;
}

/** What one read of the concurrent reader came to. */
export interface Read {
  address: string;
  at: number;
  tookMs: number;
  failure: string | undefined;
}

const read = z.object({
  address: z.string(),
  at: z.number(),
  tookMs: z.number(),
  failure: z.string().optional(),
});

/** The running product with its people, its repositories, and a reader who never stops. */
export interface Scene extends AsyncDisposable {
  address: string;
  environment: Record<string, string>;
  provider: TestProvider;
  upstream: UpstreamServer;
  /** Tokens of an administrator and a repository maintainer. */
  administrator: string;
  maintainer: string;
  /** A user whom no other attack has used, with their token. */
  freshUser(): Promise<{ login: string; token: string }>;
  /** From a client address of its own unless the headers say otherwise; `path` is below the API unless it is complete. */
  send(method: string, path: string, call?: Call): Promise<Answer>;
  upload(technology: "r" | "python", repository: string, file: SmallPackage, call?: Call): Promise<Answer>;
  /** What the answer's `data` must be. */
  data<Shape extends z.ZodType>(answer: Answer, shape: Shape): z.infer<Shape>;
  /** Process of the server. */
  readonly pid: number;
  memoryMb(): number;
  /** Whether the same process still answers. */
  isWell(): Promise<boolean>;
  /** After an attack that succeeded. */
  restart(): Promise<void>;
  reads: Read[];
}

export const openRepositories = { r: "harbor", python: "quay" } as const;
/** Not part of `openRepositories`: the number of packages that attacks upload must not slow the reader's own pages. */
export const attackedRepositories = { r: "storm", python: "surge" } as const;

export async function startScene(): Promise<Scene> {
  const dataDir = await mkdtemp(join(tmpdir(), "packhouse-attack-"));
  const [provider, upstream, declared, port] = await Promise.all([
    startProvider(() => new Date()),
    startUpstream(),
    declarationFolder(),
    freePort(),
  ]);
  const address = `http://127.0.0.1:${port}`;
  await declared.declare("mirrored", {
    technology: "R",
    publicationUri: `${address}/repo/mirrored`,
    serverAddress: `${address}/repo/mirrored`,
    mirrors: [{ name: "upstream", uri: upstream.address }],
  });
  // One hash for all: a hash for each would take the start longer than the attacks.
  const passwordHash = await hashPassword(password);
  const logins = [...victims, ...Array.from({ length: users }, (_, index) => `mallory${index}`)];
  const people = [
    { login: "maintainer", passwordHash, role: "repositorymaintainer" },
    ...logins.map((login) => ({ login, passwordHash })),
  ];
  const environment = {
    PACKHOUSE_PORT: String(port),
    PACKHOUSE_DATA_DIR: dataDir,
    PACKHOUSE_ADMIN_PASSWORD: administratorPassword,
    PACKHOUSE_PEOPLE: JSON.stringify(people),
    // Each attack comes from an address of its own, so that the limits of one do not stand in the way of the next.
    PACKHOUSE_TRUSTED_PROXIES: "127.0.0.1",
    PACKHOUSE_AUTH_OIDC_ENABLED: "true",
    PACKHOUSE_AUTH_OIDC_ISSUER: provider.issuer,
    PACKHOUSE_AUTH_OIDC_CLIENT_ID: "packhouse-console",
    PACKHOUSE_AUTH_OIDC_ADMINS: "boss",
    PACKHOUSE_DECLARATIVE_PATHS: declared.path,
    PACKHOUSE_MIRRORS_ALLOW_PRIVATE_ADDRESSES: "true",
    // Low enough that an attack soon reaches them; the attacks try whether limits hold, not how high they are.
    PACKHOUSE_LIMITS_WAITING_PER_USER: "150",
    PACKHOUSE_LIMITS_CALLS_PER_USER: "1000",
    PACKHOUSE_LOG_LEVEL: "error",
    // The test machine is busy, and the reader must be served all the time.
    PACKHOUSE_OVERLOAD_EVENT_LOOP_DELAY_MS: "0",
  };
  const reads: Read[] = [];
  let product: StartedByNpm | undefined;
  let reader: Worker | undefined;
  let pid = 0;
  let usedUsers = 0;
  let usedAddresses = 0;

  const health = async (timeoutMs: number): Promise<boolean> =>
    fetch(`${address}/actuator/health`, { signal: AbortSignal.timeout(timeoutMs) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const start = async () => {
    const started = startByNpm(environment);
    product = started;
    let gone = false;
    void started.ended.then(() => {
      gone = true;
    });
    for (const deadline = Date.now() + startTimeoutMs; !(await health(2_000)); await sleep(100))
      if (gone || Date.now() > deadline) throw new Error(`The product does not start:\n${started.output()}`);
    pid = started.parts().server ?? 0;
  };
  const stop = async () => {
    if (!product) return;
    const { parts, npm, ended } = product;
    const { server, database } = parts();
    npm.kill("SIGTERM");
    const late = setTimeout(() => {
      for (const one of [server, npm.pid, database]) if (one && isAlive(one)) process.kill(one, "SIGKILL");
    }, 15_000);
    await ended;
    clearTimeout(late);
    product = undefined;
  };
  const startReader = () => {
    const { r, python } = openRepositories;
    const addresses = [
      `${address}/repo/${r}/src/contrib/PACKAGES`,
      `${address}/repo/${python}/simple/`,
      `${address}/repo/${r}/src/contrib/lantern_1.0.tar.gz`,
      `${address}/repo/${r}/src/contrib/PACKAGES.gz`,
      `${address}/repo/${python}/simple/lantern/`,
    ];
    const timeoutMs = 60_000;
    const worker = new Worker(new URL("reader.ts", import.meta.url), {
      workerData: { addresses, everyMs: 40, timeoutMs },
    });
    worker.on("message", (message) => {
      const { failure, ...rest } = read.parse(message);
      reads.push({ ...rest, failure });
    });
    return worker;
  };

  const scene: Scene = {
    address,
    environment,
    provider,
    upstream,
    administrator: "",
    maintainer: "",
    reads,
    get pid() {
      return pid;
    },
    async freshUser() {
      const login = `mallory${usedUsers % users}`;
      usedUsers += 1;
      return { login, token: (await signIn({ address }, login, password)).token };
    },
    async send(method, path, { token, json, patch, body, headers = {}, timeoutMs = answerTimeoutMs } = {}) {
      usedAddresses += 1;
      const type =
        patch === undefined ? (json === undefined ? undefined : "application/json") : "application/json-patch+json";
      const sent = body ?? (patch === undefined && json === undefined ? undefined : JSON.stringify(patch ?? json));
      const began = performance.now();
      try {
        const response = await fetch(path.startsWith("/_") ? address + path.slice(2) : address + apiPrefix + path, {
          method,
          headers: {
            "x-forwarded-for": `198.51.${Math.floor(usedAddresses / 250) % 250}.${usedAddresses % 250}`,
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(type === undefined ? {} : { "content-type": type }),
            ...headers,
          },
          ...(sent === undefined ? {} : { body: sent }),
          signal: AbortSignal.timeout(timeoutMs),
        });
        const text = await response.text();
        return {
          status: response.status,
          headers: response.headers,
          text,
          bytes: Buffer.byteLength(text),
          tookMs: performance.now() - began,
        };
      } catch (error) {
        const seconds = ((performance.now() - began) / 1000).toFixed(1);
        const reason = error instanceof Error ? `${error.name} ${String(error.cause ?? "")}` : String(error);
        throw new Harm(`no answer to ${method} ${path.slice(0, 60)} after ${seconds} s (${reason.trim()})`);
      }
    },
    async upload(technology, repository, { fileName, bytes, type }, call = {}) {
      const form = new FormData();
      form.append("repository", repository);
      if (technology === "r") form.append("generateManual", "false");
      form.append("file", new Blob([new Uint8Array(bytes)], { type }), fileName);
      return scene.send("POST", `/${technology}/submissions`, { ...call, body: form });
    },
    data(answer, shape) {
      const result = shape.safeParse(z.object({ data: z.unknown() }).safeParse(parsed(answer.text)).data?.data);
      if (result.success) return result.data;
      throw new Error(`unexpected answer ${answer.status}: ${answer.text.slice(0, 300)}`);
    },
    memoryMb: () => residentMb(pid),
    isWell: async () => isAlive(pid) && (await health(10_000)),
    async restart() {
      if (isAlive(pid)) process.kill(pid, "SIGKILL");
      await stop();
      await start();
      await signInAgain();
    },
    async [Symbol.asyncDispose]() {
      reader?.postMessage("end");
      await reader?.terminate();
      await stop();
      await Promise.all([provider[Symbol.asyncDispose](), upstream[Symbol.asyncDispose]()]);
      await declared[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  const signInAgain = async () => {
    scene.administrator = (await signIn(scene, "admin", administratorPassword)).token;
    scene.maintainer = (await signIn(scene, "maintainer", password)).token;
  };
  try {
    await start();
    await signInAgain();
    await furnish(scene);
    reader = startReader();
  } catch (error) {
    await scene[Symbol.asyncDispose]();
    throw error;
  }
  return scene;
}

async function furnish({ address }: Scene): Promise<void> {
  const administrator = await signIn({ address }, "admin", administratorPassword);
  await administrator.createRepository("R", openRepositories.r);
  await administrator.createRepository("Python", openRepositories.python);
  await administrator.createRepository("R", attackedRepositories.r);
  await administrator.createRepository("Python", attackedRepositories.python);
  const r = await smallRPackage("lantern", "1.0");
  const python = await smallSdist("lantern", "1.0");
  await administrator.upload("R", openRepositories.r, r);
  await administrator.upload("Python", openRepositories.python, python);
}

function residentMb(pid: number): number {
  try {
    const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  } catch {
    return 0; // it has ended
  }
}
