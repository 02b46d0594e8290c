import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** nginx on loopback. */
export interface Nginx {
  address: string;
  stop(): Promise<void>;
}

/** Starts nginx with the content of its `http` block, which must listen on `port`. */
export async function startNginx(port: number, http: string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), "packhouse-nginx-"));
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
${http}
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
