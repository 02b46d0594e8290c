import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { openSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./product.ts";

/** An S3-compatible server of our own: OpenStack Swift from Debian's packages, which checks signatures. */
export interface ObjectStore extends AsyncDisposable {
  /** Such as `http://127.0.0.1:40123`. */
  endpoint: string;
  region: string;
  /** As the variables that the product reads; its parts are fit for any client. */
  credentials: { AWS_ACCESS_KEY_ID: string; AWS_SECRET_ACCESS_KEY: string };
  /** Makes an empty bucket and gives its `storageUrl`. */
  makeBucket(name?: string): Promise<string>;
  /** From here on connections are taken but nothing is answered. */
  pause(): void;
  resume(): void;
  /** From here on connections are refused; what was stored stays. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

const startTimeoutMs = 120_000;
const region = "us-east-1";
/** Debian's own: another one that comes first in the path would not find the packages. */
const python = "/usr/bin/python3";

/** Runs an account, a container and an object server with one disk each (a folder), and the proxy that speaks S3. */
export async function startObjectStore(): Promise<ObjectStore> {
  const folder = await mkdtemp(join(tmpdir(), "packhouse-test-bucket-"));
  const secret = randomBytes(16).toString("hex");
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const running: ChildProcess[] = [];
  let proxy: ChildProcess | undefined;

  const stop = async () => {
    for (const child of proxy ? [proxy, ...running] : running) await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  const comeBack = async () => {
    proxy = startServer("proxy", folder);
    await answering(endpoint, folder, proxy);
  };
  try {
    const cachePort = await freePort();
    running.push(startCache(cachePort));
    await writeFile(configurationFile(folder, "proxy"), proxyConfiguration(folder, port, cachePort, secret));
    await mkdir(join(folder, "devices", "disk"), { recursive: true });
    const ports = { account: await freePort(), container: await freePort(), object: await freePort() };
    await makeRings(folder, ports);
    for (const [part, partPort] of Object.entries(ports)) {
      await writeFile(configurationFile(folder, part), serverConfiguration(part, folder, partPort));
      running.push(startServer(part, folder));
    }
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
    pause: () => void proxy?.kill("SIGSTOP"),
    resume: () => void proxy?.kill("SIGCONT"),
    async goDown() {
      if (proxy) await end(proxy);
      proxy = undefined;
    },
    comeBack,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

const configurationFile = (folder: string, part: string) => join(folder, `${part}-server.conf`);

function startServer(part: string, folder: string): ChildProcess {
  const log = openSync(join(folder, `${part}.log`), "a");
  return spawn(python, [`/usr/bin/swift-${part}-server`, configurationFile(folder, part), "--verbose"], {
    cwd: folder,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" },
    stdio: ["ignore", log, log],
  });
}

/** Swift cannot do without one. */
function startCache(port: number): ChildProcess {
  const parameters = [
    "-l",
    "127.0.0.1",
    "-p",
    String(port),
    "-U",
    "0",
    "-m",
    "16",
    "-t",
    "1",
    "-u",
    userInfo().username,
  ];
  return spawn("/usr/bin/memcached", parameters, { stdio: "ignore" });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  child.kill("SIGKILL");
  await ended;
}

/** One copy of everything, on one disk. A line of Python for the three rings starts faster than nine of Swift's own command. */
function makeRings(folder: string, ports: Record<string, number>): Promise<void> {
  const program = `
import json, sys
from swift.common.ring import RingBuilder
for part, port in json.loads(sys.argv[1]).items():
    builder = RingBuilder(4, 1, 0)
    builder.add_dev(dict(region=1, zone=1, ip="127.0.0.1", port=port, device="disk", weight=1.0))
    builder.rebalance()
    builder.get_ring().save(part + ".ring.gz")
`;
  const child = spawn(python, ["-c", program, JSON.stringify(ports)], { cwd: folder, env: {}, stdio: "ignore" });
  return new Promise((done, failed) => {
    child.on("error", failed);
    child.on("exit", (code) => (code === 0 ? done() : failed(new Error(`making Swift's rings ended with ${code}`))));
  });
}

async function answering(endpoint: string, folder: string, proxy: ChildProcess): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const healthy = await fetch(`${endpoint}/healthcheck`).then(
      (answer) => answer.ok,
      () => false, // not listening yet
    );
    if (healthy) return;
    if (proxy.exitCode !== null || Date.now() > deadline)
      throw new Error(`Swift does not start:\n${await readFile(join(folder, "proxy.log"), "utf8").catch(() => "")}`);
    await sleep(50);
  }
}

const common = (folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${join(folder, "devices")}
mount_check = false
disable_fallocate = true
log_level = WARNING
`;

const serverConfiguration = (part: string, folder: string, port: number) => `${common(folder, port)}
[pipeline:main]
pipeline = ${part}-server

[app:${part}-server]
use = egg:swift#${part}
`;

const proxyConfiguration = (folder: string, port: number, cachePort: number, secret: string) => `${common(folder, port)}
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
