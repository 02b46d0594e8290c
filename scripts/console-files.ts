import { createReadStream, existsSync, statSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";
import { project } from "./stages.ts";

const built = join(project, "console/dist");
const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** A file of the built console, an empty configuration, or the console's page for every other address. */
export function sendConsoleFile(pathname: string, response: ServerResponse): void {
  if (pathname === "/configuration.json") {
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
    return;
  }
  const file = join(built, normalize(`/${pathname}`));
  const shown = existsSync(file) && statSync(file).isFile() ? file : join(built, "index.html");
  response.writeHead(200, { "content-type": types[extname(shown)] ?? "application/octet-stream" });
  createReadStream(shown).pipe(response);
}
