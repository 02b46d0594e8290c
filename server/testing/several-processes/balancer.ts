import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Nginx, startNginx } from "../servers/nginx.ts";

const manual = resolve(import.meta.dirname, "../../../docs/scaling.md");

/** The configuration from the manual, with the ports of this run. */
function configuration(port: number, replicas: readonly number[]): string {
  const [, text] = /```nginx\n([\s\S]*?)```/.exec(readFileSync(manual, "utf8")) ?? [];
  if (!text) throw new Error("the manual has no configuration of nginx");
  const servers = /(?: {4}server 127\.0\.0\.1:\d+(.*);\n)+/;
  const [, behind = ""] = servers.exec(text) ?? [];
  return text
    .replace(servers, replicas.map((replica) => `    server 127.0.0.1:${replica}${behind};\n`).join(""))
    .replace(/listen 127\.0\.0\.1:\d+/, `listen 127.0.0.1:${port}`);
}

/** The caller chooses its port, since the replicas must know their address. */
export const startBalancer = (port: number, replicas: readonly number[]): Promise<Nginx> =>
  startNginx(port, configuration(port, replicas));
