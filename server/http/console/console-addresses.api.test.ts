import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";

const folder = mkdtempSync(join(tmpdir(), "packhouse-console-"));
let packhouse: TestPackhouse;
beforeAll(async () => {
  const page = (name: string) => `<!doctype html><html><head><base href="/" /></head><body>${name}</body></html>`;
  writeFileSync(join(folder, "index.html"), page("the console"));
  writeFileSync(join(folder, "login.html"), page("the sign-in"));
  writeFileSync(join(folder, "color-scheme.js"), "'the scheme'");
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "assets/index-1.js"), "'an asset'");
  writeFileSync(join(folder, "assets/index-1.js.br"), brotliCompressSync("'an asset'"));
  packhouse = await startPackhouse({ consoleFolder: folder });
  await packhouse.given.repository("Python", { name: "shelf", published: true, requiresAuthentication: false });
});
afterAll(async () => {
  await packhouse.close();
  rmSync(folder, { recursive: true });
});

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";
async function ask(path: string, accept?: string) {
  const answer = await fetch(packhouse.address + path, { headers: accept ? { accept } : {} });
  const type = answer.headers.get("content-type")?.split(";")[0];
  return { status: answer.status, type, text: await answer.text(), vary: answer.headers.get("vary") ?? "" };
}

/** What clients of other package servers look for. */
const ofOtherServers = [
  "/pypi/seedtray/json",
  "/pypi/seedtray/1.0/json",
  "/pypi",
  "/simple/",
  "/simple/seedtray/",
  "/legacy/",
  "/search?q=seedtray",
  "/src/contrib/PACKAGES",
  "/integrity/seedtray/1.0/seedtray-1.0.tar.gz/provenance",
  "/robots.txt",
  "/.well-known/security.txt",
  "/packages/source/s/seedtray/seedtray-1.0.tar.gz",
  "/packagesx",
];

describe("an address that does not exist", () => {
  test.each(ofOtherServers)("%s is not found by a client, instead of the console's page", async (path) => {
    for (const accept of [undefined, "*/*", "application/json", "application/vnd.pypi.simple.v1+json"]) {
      const answer = await ask(path, accept);
      expect([accept, answer.status, answer.type]).toEqual([accept, 404, "application/json"]);
      expect(answer.vary).toContain("accept");
      expect(JSON.parse(answer.text)).toMatchObject({ status: "ERROR", messageCode: "not.found" });
    }
  });

  test.each(ofOtherServers)("%s shows people the console's page for it, as not found", async (path) => {
    const answer = await ask(path, browser);
    expect([answer.status, answer.type]).toEqual([404, "text/html"]);
    expect(answer.text).toContain("the console");
    expect(answer.vary).toContain("accept");
  });

  test.each(["/repo/shelf/pypi/seedtray/json", "/pypi/seedtray/json", "/assets/x.js", "/docs/x"])(
    "%s never has status 200",
    async (path) => {
      for (const accept of ["application/json", browser]) expect((await ask(path, accept)).status).toBe(404);
    },
  );
});

test.each(["/", "/packages", "/packages/?search=x", "/packages/R/17", "/repositories/Python/3", "/settings-tokens"])(
  "%s is the console, for everyone",
  async (path) => {
    for (const accept of [undefined, "application/json", browser]) {
      const answer = await ask(path, accept);
      expect([answer.status, answer.type]).toEqual([200, "text/html"]);
      expect(answer.text).toContain("the console");
    }
  },
);

describe("a file of the console", () => {
  const files = { "/assets/index-1.js": "public, max-age=31536000, immutable", "/color-scheme.js": "no-cache" };

  test.each(Object.entries(files))("%s is served, and kept as long as its name allows", async (path, kept) => {
    for (const method of ["GET", "HEAD"]) {
      const answer = await fetch(packhouse.address + path, { method });
      expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, kept]);
      expect(answer.headers.get("content-type")).toContain("javascript");
      expect((await answer.text()).startsWith("'")).toBe(method === "GET");
    }
  });

  test("is sent compressed to clients that accept that", async () => {
    const { address } = packhouse;
    const plain = await fetch(`${address}/assets/index-1.js`, { headers: { "accept-encoding": "identity" } });
    expect([plain.headers.get("content-encoding"), await plain.text()]).toEqual([null, "'an asset'"]);
    const packed = await fetch(`${address}/assets/index-1.js`, { headers: { "accept-encoding": "br" } });
    expect([packed.headers.get("content-encoding"), await packed.text()]).toEqual(["br", "'an asset'"]);
  });

  test.each([
    "/assets/",
    "/assets",
    "/assets/index-2.js",
    "/assets/index-1.js/",
    "/assets//index-1.js",
    "/assets/..%2fcolor-scheme.js",
    "/assets/%00",
    "/assets/.vite/x",
    "/.vite/x",
  ])("is not at %s, whatever the client can decompress", async (path) => {
    for (const encoding of ["identity", "gzip, br"]) {
      const answer = await fetch(packhouse.address + path, { headers: { "accept-encoding": encoding } });
      expect([answer.status, await answer.json()]).toEqual([
        404,
        expect.objectContaining({ messageCode: "not.found" }),
      ]);
    }
  });

  test("is only read", async () => {
    const answer = await fetch(`${packhouse.address}/assets/index-1.js`, { method: "DELETE" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});

test.each(["/login", "/logout", "/auth?code=x", "/auth/silent"])("%s is the sign-in", async (path) => {
  expect(await ask(path, browser)).toMatchObject({ status: 200, text: expect.stringContaining("the sign-in") });
});

describe("the address for signing out", () => {
  const follow = async (path: string, site: string | undefined) => {
    const headers = { accept: browser, ...(site === undefined ? {} : { "sec-fetch-site": site }) };
    const answer = await fetch(packhouse.address + path, { headers, redirect: "manual" });
    await answer.arrayBuffer();
    expect(answer.headers.get("vary")).toContain("sec-fetch-site");
    return answer.headers.get("location") ?? answer.status;
  };

  test("asks first when another site leads there, and only then", async () => {
    for (const site of ["cross-site", "same-site"]) {
      for (const path of ["/logout", "/logout/", "/logout?state=x"])
        expect(await follow(path, site)).toBe("/logout?ask");
      expect(await follow("/logout?ask", site)).toBe(200);
      expect(await follow("/login", site)).toBe(200);
    }
    for (const site of ["none", "same-origin", undefined]) expect(await follow("/logout", site)).toBe(200);
  });
});
