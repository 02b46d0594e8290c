import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { SmallPackage } from "../small-packages.ts";

/** A request as the upstream saw it. */
export interface SeenRequest {
  path: string;
  readonly status: number;
  headers: IncomingMessage["headers"];
}

interface Drip {
  bytes: number;
  everyMs: number;
}

/** A fault of the upstream, for the next request of the path. */
type Mishap =
  | { redirect: string }
  | { status: number }
  /** The connection breaks after this many bytes. */
  | { cutAfter: number }
  /** The content arrives in small pieces. */
  | { drip: Drip }
  /** The head of the answer does, and never ends. */
  | { dripHead: Drip }
  /** It answers when this has resolved. */
  | { waitFor: Promise<unknown> };

export interface UpstreamServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:41234`. */
  address: string;
  port: number;
  put(path: string, content: Uint8Array | string, type?: string): void;
  remove(path: string): void;
  /** For the next request of a path, or for every one. */
  mishap(path: string, mishap: Mishap, always?: boolean): void;
  /** Whether `Range` is supported; true by default. */
  ranges: boolean;
  /** Requests since its last call. */
  takeRequests(): SeenRequest[];
  /** Lists R packages like a CRAN-like repository; checksums may be wrong. */
  putRPackages(packages: readonly SmallPackage[], md5Of?: (name: string) => string | undefined): void;
  /** Lists files of a Python project. */
  putProject(
    project: string,
    files: readonly (SmallPackage & { yanked?: boolean; sha256?: string })[],
    form?: "json" | "html",
  ): void;
}

const digestOf = (algorithm: string, bytes: Uint8Array): string => createHash(algorithm).update(bytes).digest("hex");

function drip(response: ServerResponse, bytes: Buffer, { bytes: count, everyMs }: Drip): void {
  let sent = 0;
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, sent + count));
    sent += count;
    if (sent >= bytes.length) response.end();
  }, everyMs);
  response.on("close", () => clearInterval(timer));
}

function dripHead({ socket }: ServerResponse, { bytes, everyMs }: Drip): void {
  socket?.write("HTTP/1.1 200 OK\r\nx-head: ");
  const timer = setInterval(() => socket?.write("x".repeat(bytes)), everyMs);
  socket?.on("close", () => clearInterval(timer));
}

/** A real HTTP server for static files, with ETags and ranges as mirrors see them. */
export async function startUpstream(): Promise<UpstreamServer> {
  const files = new Map<string, { bytes: Buffer; type: string }>();
  const mishaps = new Map<string, { mishap: Mishap; always: boolean }>();
  let requests: SeenRequest[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? "/", "http://upstream").pathname;
    requests.push({
      path,
      headers: request.headers,
      get status() {
        return response.statusCode;
      },
    });
    const { mishap, always = true } = mishaps.get(path) ?? {};
    if (!always) mishaps.delete(path);
    if (mishap && "waitFor" in mishap) await mishap.waitFor;
    if (mishap && "redirect" in mishap) return response.writeHead(302, { location: mishap.redirect }).end();
    if (mishap && "status" in mishap) return response.writeHead(mishap.status).end("no");
    if (mishap && "dripHead" in mishap) return dripHead(response, mishap.dripHead);
    const file = files.get(path);
    if (!file) return response.writeHead(404).end("not found");
    const etag = `"${digestOf("sha1", file.bytes)}"`;
    if (request.headers["if-none-match"] === etag) return response.writeHead(304, { etag }).end();
    const from = upstream.ranges && request.headers["if-range"] === etag ? rangeStart(request) : 0;
    const bytes = file.bytes.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      etag,
      "content-type": file.type,
      "content-length": bytes.length,
      ...(from > 0 ? { "content-range": `bytes ${from}-${file.bytes.length - 1}/${file.bytes.length}` } : {}),
    });
    if (mishap && "drip" in mishap) return drip(response, bytes, mishap.drip);
    if (!mishap || !("cutAfter" in mishap)) return response.end(bytes);
    response.write(bytes.subarray(0, mishap.cutAfter), () => response.destroy());
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const put = (path: string, content: Uint8Array | string, type = "application/octet-stream") =>
    files.set(path, { bytes: Buffer.from(content), type });

  const upstream: UpstreamServer = {
    address: `http://127.0.0.1:${port}`,
    port,
    ranges: true,
    put,
    remove: (path) => files.delete(path),
    mishap: (path, mishap, always = false) => mishaps.set(path, { mishap, always }),
    takeRequests() {
      const seen = requests;
      requests = [];
      return seen;
    },
    putRPackages(packages, md5Of = () => undefined) {
      const records = packages.map(({ fileName, bytes }) => {
        put(`/src/contrib/${fileName}`, bytes);
        const [, name = "", version = ""] = /^(.+)_(.+)\.tar\.gz$/.exec(fileName) ?? [];
        return `Package: ${name}\nVersion: ${version}\nMD5sum: ${md5Of(name) ?? digestOf("md5", bytes)}\n`;
      });
      put("/src/contrib/PACKAGES.gz", gzipSync(records.join("\n")));
    },
    putProject(project, projectFiles, form = "json") {
      const listed = projectFiles.map(({ fileName, bytes, yanked = false, sha256 = digestOf("sha256", bytes) }) => {
        put(`/files/${fileName}`, bytes);
        return { filename: fileName, url: `../../files/${fileName}`, hashes: { sha256 }, yanked };
      });
      const html = listed.map(
        (file) =>
          `<a href="${file.url}#sha256=${file.hashes.sha256}"${file.yanked ? ' data-yanked=""' : ""}>${file.filename}</a>`,
      );
      if (form === "html") put(`/simple/${project}/`, html.join("\n"), "text/html");
      else put(`/simple/${project}/`, JSON.stringify({ files: listed }), "application/vnd.pypi.simple.v1+json");
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return upstream;
}

const rangeStart = (request: IncomingMessage): number =>
  Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
