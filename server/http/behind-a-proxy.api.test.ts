import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { createServer, request as httpsRequest, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { apiPrefix } from "@packhouse/contract/operation";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";
import { smallRPackage, smallSdist } from "../testing/small-packages.ts";

const publicUrl = "https://packages.example.org/internal/packhouse";
const prefix = "/internal/packhouse";

let packhouse: TestPackhouse;
let proxy: Server;

/** Terminates TLS and forwards requests, with or without the path prefix, and with any Host. */
function startProxy(stripsPrefix: () => boolean): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "packhouse-proxy-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=packages.example.org", "-days", "2"];
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-keyout",
      key,
      "-out",
      cert,
      ...subject,
    ],
    { stdio: "ignore" },
  );
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    const url = request.url ?? "/";
    const onward = httpRequest(
      packhouse.address + (stripsPrefix() && url.startsWith(prefix) ? url.slice(prefix.length) : url),
      { method: request.method ?? "GET", headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(onward);
  });
  rmSync(folder, { recursive: true });
  return new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(server)));
}

let strips = false;
beforeAll(async () => {
  packhouse = await startPackhouse({ settings: { publicUrl } });
  proxy = await startProxy(() => strips);
});
afterAll(async () => {
  await packhouse.close();
  proxy.close();
});

/** Requests a path below the prefix from the proxy, without following redirects. */
async function ask(path: string, headers: Record<string, string> = {}) {
  const { port } = proxy.address() as AddressInfo; // it listens on a port
  return new Promise<{ status: number; location: string | undefined; body: string }>((done, failed) => {
    const options = { host: "127.0.0.1", port, path, rejectUnauthorized: false, agent: false };
    httpsRequest({ ...options, headers: { host: "packages.example.org", ...headers } }, (answer) => {
      const { statusCode = 0, headers } = answer;
      text(answer).then((body) => done({ status: statusCode, location: headers.location, body }), failed);
    })
      .on("error", failed)
      .end();
  });
}

describe.each([
  ["passes the path prefix on", false],
  ["strips the path prefix", true],
])("behind a proxy with TLS that %s", (_, stripping) => {
  const name = stripping ? "stripped" : "passed";
  beforeAll(async () => {
    strips = stripping;
    const admin = await packhouse.as(packhouse.admin);
    await packhouse.given.repository("R", { name: `r-${name}` });
    await packhouse.given.repository("Python", { name });
    await admin.upload("R", await smallRPackage("tidepool", "1.0"), { repository: `r-${name}` });
    await admin.upload("Python", await smallSdist("harbor", "1.0"), { repository: name });
  });

  test("pages link to files relatively, and the links lead there", async () => {
    const page = `${prefix}/repo/${name}/harbor/`;
    const { body } = await ask(page);
    const [, href = ""] = /<a href="([^"#]+)/.exec(body) ?? [];
    expect(href).toMatch(/^(\.\.?|%40blob)\//);
    const file = await ask(new URL(href, `https://packages.example.org${page}`).pathname);
    expect(file.status).toBe(200);
    expect((await ask(`${prefix}/repo/r-${name}/src/contrib/PACKAGES`)).body).toContain("Package: tidepool");
  });

  test("redirects stay below the prefix, without any host", async () => {
    expect(await ask(`${prefix}/repo/${name}/Harbor`)).toMatchObject({
      status: 301,
      location: `${prefix}/repo/${name}/harbor/`,
    });
  });

  test("links of the API are built from the public address, never from the Host header", async () => {
    const { authorization } = await packhouse.as(packhouse.admin);
    for (const host of ["packages.example.org", "evil.example.net"]) {
      const forwarded = { "x-forwarded-host": "evil.example.net", "x-forwarded-proto": "http" };
      const { status, body } = await ask(`${prefix}${apiPrefix}/packages?size=1`, {
        authorization,
        host,
        ...forwarded,
      });
      expect(status).toBe(200);
      expect(body).not.toContain("evil.example.net");
      expect(body).toContain(`${publicUrl}${apiPrefix}/packages?`);
      const { data } = JSON.parse(body);
      for (const { href } of [...data.links, ...data.content[0].links])
        expect(href.startsWith(`${publicUrl}${apiPrefix}/`)).toBe(true);
    }
  });
});

test("without a public address an unknown Host is refused, so that it never becomes part of a link", async () => {
  await using own = await startPackhouse();
  const status = (host: string) =>
    new Promise((done) =>
      httpRequest(`${own.address}/repo/x/`, { headers: { host }, agent: false }, (answer) => {
        answer.resume();
        done(answer.statusCode);
      }).end(),
    );
  expect(await status("evil.example.net")).toBe(400);
  expect(await status(new URL(own.address).host)).toBe(404);
});
