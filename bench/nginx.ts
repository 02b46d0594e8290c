import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Where Debian puts it; undefined when it is not on this machine. */
export const nginx = ["/usr/sbin/nginx", "/usr/bin/nginx"].find((path) => existsSync(path));

/** Serves `folder/html` by nginx. */
export async function serveByNginx(program: string, folder: string, port: number, workers = 1): Promise<ChildProcess> {
  await writeFile(
    join(folder, "nginx.conf"),
    `user root;
worker_processes ${workers};
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  sendfile on;
  keepalive_requests 1000000;
  server { listen 127.0.0.1:${port}; root ${folder}/html; }
}
`,
  );
  const server = spawn(program, ["-p", folder, "-c", join(folder, "nginx.conf")], { stdio: "ignore" });
  await sleep(500);
  return server;
}
