import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";

let packhouse: TestPackhouse;
beforeAll(async () => {
  packhouse = await startPackhouse({ settings: { allowedOrigins: ["https://console.example.org"] } });
  await packhouse.given.repository("R", { name: "cran", published: true, requiresAuthentication: false });
  await packhouse.given.repository("Python", { name: "wheels", published: true, requiresAuthentication: true });
});
afterAll(() => packhouse.close());

const ask = (method: string, path: string, init: RequestInit = {}) =>
  fetch(`${packhouse.address}${path}`, { method, redirect: "manual", ...init });

describe.each([
  "/repo/cran",
  "/repo/legacy",
  "/repo/cran/",
  "/repo/cran/src/contrib/PACKAGES",
  "/repo/cran/@2026-01-31/src/contrib/",
  "/repo/wheels/simple/",
  "/repo/nothing/",
])("at %s", (path) => {
  test("OPTIONS lists the methods, whether or not there is something", async () => {
    for (const headers of [{}, { origin: "https://console.example.org", "access-control-request-method": "GET" }]) {
      const answer = await ask("OPTIONS", path, { headers });
      expect([answer.status, answer.headers.get("allow"), await answer.text()]).toEqual([
        204,
        "GET, HEAD, OPTIONS",
        "",
      ]);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test("other methods are refused with those that there are", async () => {
    for (const method of ["PUT", "PATCH", "DELETE", "POST"]) {
      const answer = await ask(method, path, { body: "something", headers: { "content-type": "text/plain" } });
      expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, "GET, HEAD, OPTIONS"]);
    }
  });
});

test("OPTIONS at an address for uploads lists POST, too", async () => {
  for (const path of ["/repo/wheels/legacy/", "/repo/wheels/legacy"])
    expect((await ask("OPTIONS", path)).headers.get("allow")).toBe("GET, HEAD, OPTIONS, POST");
});
