import { cp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from "node:http";
import { request as requestHttps } from "node:https";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { provideConsole } from "./console-build.ts";
import { sendConsoleFile } from "./console-files.ts";
import { project } from "./stages.ts";

/** `npm run console`: tries the console on another server with the same API, or writes its files for any web server. */
const usage = `npm run console -- --server URL [--port 8018]   serve the console, with its calls passed on to a server
npm run console -- --build FOLDER               write the console's files into a folder`;

const { values } = parseArgs({
  options: {
    server: { type: "string" },
    port: { type: "string", default: "8018" },
    build: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help || (values.server === undefined) === (values.build === undefined)) {
  process.stdout.write(`${usage}\n`);
  process.exit(values.help ? 0 : 1);
}
await provideConsole();
if (values.build !== undefined) await write(resolve(values.build));
else serve(values.server ?? "", Number(values.port));

async function write(folder: string): Promise<void> {
  await cp(join(project, "console/dist"), folder, { recursive: true });
  await rm(join(folder, ".built-from"), { force: true });
  process.stdout.write(`The console is in ${folder}.\n`);
}

function serve(given: string, port: number): void {
  const target = URL.canParse(given) ? new URL(given) : undefined;
  if (!target || !/^https?:$/.test(target.protocol)) {
    process.stderr.write(`${given} is not an address such as https://packages.example.org.\n`);
    process.exit(1);
  }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://console");
    const isCall = pathname.startsWith("/api/") || (pathname === "/login" && request.method === "POST");
    if (isCall) passOn(target, request, response);
    else sendConsoleFile(pathname, response);
  });
  server.on("error", (error: NodeJS.ErrnoException) => {
    process.stderr.write(
      error.code === "EADDRINUSE"
        ? `Port ${port} is in use. Choose another one with --port.\n`
        : `The console cannot be served: ${error.message}\n`,
    );
    process.exit(1);
  });
  server.listen(port, "127.0.0.1", () => {
    process.stdout.write(`The console for ${target.origin} is at http://localhost:${port}\n`);
  });
}

function passOn(target: URL, request: IncomingMessage, response: ServerResponse): void {
  const send = target.protocol === "https:" ? requestHttps : requestHttp;
  const path = target.pathname.replace(/\/$/, "") + (request.url ?? "/");
  // Without the page's origin, the server does not have to allow it.
  const { origin: _origin, referer: _referer, ...headers } = request.headers;
  const sent = send(
    {
      hostname: target.hostname,
      port: target.port,
      path,
      method: request.method,
      headers: { ...headers, host: target.host },
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  sent.on("error", (error) => {
    if (response.headersSent) response.destroy();
    else
      response.writeHead(502, { "content-type": "text/plain" }).end(`The server cannot be reached: ${error.message}\n`);
  });
  response.on("close", () => sent.destroy());
  request.pipe(sent);
}
