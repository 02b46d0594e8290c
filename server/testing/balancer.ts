import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./product.ts";

const manual = resolve(import.meta.dirname, "../../docs/scaling.md");

/** nginx on loopback before some replicas. */
export interface Balancer {
  address: string;
  stop(): Promise<void>;
}

/** What the manual tells operators to write, with the ports of this run. */
function configuration(port: number, replicas: readonly number[]): string {
  const [, text] = /```nginx\n([\s\S]*?)```/.exec(readFileSync(manual, "utf8")) ?? [];
  if (!text) throw new Error("the manual has no configuration of nginx");
  const servers = /(?: {4}server 127\.0\.0\.1:\d+(.*);\n)+/;
  const [, behind = ""] = servers.exec(text) ?? [];
  return text
    .replace(servers, replicas.map((replica) => `    server 127.0.0.1:${replica}${behind};\n`).join(""))
    .replace(/listen 127\.0\.0\.1:\d+/, `listen 127.0.0.1:${port}`);
}

/** The port under which it can be reached is its caller's to choose, since the replicas must know their address. */
export async function startBalancer(port: number, replicas: readonly number[]): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), "packhouse-balancer-"));
  await Promise.all(["client", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => mkdir(join(folder, name))));
  await writeFile(
    join(folder, "nginx.conf"),
    `${process.getuid?.() === 0 ? "user root;\n" : ""}worker_processes 1;
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${folder}/client;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
${configuration(port, replicas)}
}
`,
  );
  const server = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf")], { stdio: "ignore" });
  const ended = new Promise<void>((done) => server.once("exit", () => done()));
  await listening(server, port);
  return {
    address: `http://localhost:${port}`,
    async stop() {
      server.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function listening(server: ChildProcess, port: number): Promise<void> {
  let failure: Error | undefined;
  server.once("error", (error) => {
    failure = error;
  });
  for (let tries = 0; tries < 200; tries += 1) {
    if (failure) throw failure;
    if (server.exitCode !== null) throw new Error(`nginx ended with ${server.exitCode}`);
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await sleep(50);
  }
  throw new Error("nginx does not listen");
}

/** Ports for a balancer and its replicas, which are chosen before any of them starts. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
