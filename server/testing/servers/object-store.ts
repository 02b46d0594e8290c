import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { openSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../product.ts";

/** An S3-compatible server of our own: OpenStack Swift from Debian's packages, which checks signatures. */
export interface ObjectStore extends AsyncDisposable {
  /** Such as `http://127.0.0.1:40123`. */
  endpoint: string;
  region: string;
  /** As the variables that the product reads; usable by any client. */
  credentials: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string };
  /** Creates an empty bucket and returns its `storageUrl`. */
  makeBucket(name?: string): Promise<string>;
  /** From here on connections are accepted but nothing is answered. */
  pause(): void;
  resume(): void;
  /** From here on connections are refused; stored data stays. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

/** Less than a hook of a test may take, which then says what Swift says. */
const startTimeoutMs = 90_000;
const region = "us-east-1";
/** Shared by all servers: a process has credentials for one server, and some tests have two. */
const secret = "secret-of-tests";

export async function startObjectStore(): Promise<ObjectStore> {
  const folder = await mkdtemp(join(tmpdir(), "packhouse-test-bucket-"));
  const [proxy, cachePort] = [await freePort(), await freePort()];
  const ports = { account: await freePort(), container: await freePort(), object: await freePort(), proxy };
  const endpoint = `http://127.0.0.1:${proxy}`;
  const cache = startCache(cachePort);
  let swift: ChildProcess | undefined;
  const endWithUs = () => {
    cache.kill("SIGKILL");
    swift?.kill("SIGKILL");
  };
  process.once("exit", endWithUs); // an interrupted run stops nothing itself

  const goDown = async () => {
    if (swift) await end(swift);
    swift = undefined;
  };
  const comeBack = async () => {
    swift = startSwift(folder, ports);
    await answering(endpoint, folder, swift);
  };
  const stop = async () => {
    await goDown();
    await end(cache);
    process.off("exit", endWithUs);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (const part of ["account", "container", "object"])
      await writeFile(join(folder, `${part}-server.conf`), serverConfiguration(part, folder));
    await writeFile(join(folder, "proxy-server.conf"), proxyConfiguration(folder, cachePort));
    await mkdir(join(folder, "devices", "disk"), { recursive: true });
    await comeBack();
  } catch (error) {
    await stop();
    throw error;
  }

  const credentials = { AWS_ACCESS_KEY_ID: "test:tester", AWS_SECRET_ACCESS_KEY: secret };
  return {
    endpoint,
    region,
    credentials,
    async makeBucket(name = `bucket-${randomBytes(6).toString("hex")}`) {
      const { CreateBucketCommand, S3Client } = await import("@aws-sdk/client-s3");
      const client = new S3Client({
        endpoint,
        region,
        forcePathStyle: true,
        credentials: { accessKeyId: credentials.AWS_ACCESS_KEY_ID, secretAccessKey: secret },
      });
      await client.send(new CreateBucketCommand({ Bucket: name }));
      client.destroy();
      return `s3://${name}?endpoint=${endpoint}&region=${region}&pathStyle=true`;
    },
    pause: () => void swift?.kill("SIGSTOP"),
    resume: () => void swift?.kill("SIGCONT"),
    goDown,
    comeBack,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function startSwift(folder: string, ports: Record<string, number>): ChildProcess {
  const log = openSync(join(folder, "swift.log"), "a");
  // Debian's own Python: another one earlier in the path would not find Swift.
  return spawn("/usr/bin/python3", [join(import.meta.dirname, "run-swift.py"), folder, JSON.stringify(ports)], {
    cwd: folder,
    env: { LC_ALL: "C.UTF-8" },
    stdio: ["ignore", log, log],
  });
}

/** Swift requires one. */
function startCache(port: number): ChildProcess {
  const parameters = `-l 127.0.0.1 -p ${port} -U 0 -m 16 -t 1 -u ${userInfo().username}`;
  return spawn("/usr/bin/memcached", parameters.split(" "), { stdio: "ignore" });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  child.kill("SIGKILL");
  await ended;
}

async function answering(endpoint: string, folder: string, swift: ChildProcess): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const healthy = await fetch(`${endpoint}/healthcheck`, { signal: AbortSignal.timeout(10_000) }).then(
      (answer) => answer.ok,
      () => false, // not listening yet
    );
    if (healthy) return;
    if (swift.exitCode !== null || Date.now() > deadline)
      throw new Error(`Swift does not start:\n${await readFile(join(folder, "swift.log"), "utf8").catch(() => "")}`);
    await sleep(50);
  }
}

const common = (folder: string) => `[DEFAULT]
swift_dir = ${folder}
devices = ${join(folder, "devices")}
mount_check = false
disable_fallocate = true
log_level = WARNING
`;

const serverConfiguration = (part: string, folder: string) => `${common(folder)}
[pipeline:main]
pipeline = ${part}-server

[app:${part}-server]
use = egg:swift#${part}
`;

const proxyConfiguration = (folder: string, cachePort: number) => `${common(folder)}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth slo dlo proxy-server

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true

[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${secret} .admin

[filter:s3api]
use = egg:swift#s3api
location = ${region}

${["catch_errors", "gatekeeper", "healthcheck", "listing_formats", "bulk", "slo", "dlo"]
  .map((filter) => `[filter:${filter}]\nuse = egg:swift#${filter}\n`)
  .join("\n")}
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cachePort}
`;
