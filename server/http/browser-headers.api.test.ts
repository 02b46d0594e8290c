import { apiPrefix } from "@packhouse/contract/operation";
import { afterEach, describe, expect, test } from "vitest";
import type { Settings } from "../platform/settings/settings.ts";
import { startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";

let packhouse: TestPackhouse;
afterEach(() => packhouse.close());

async function start(settings: Partial<Settings> = {}): Promise<void> {
  packhouse = await startPackhouse({ settings });
}
/** Public and private addresses of all kinds, and one that cannot be decoded. */
const addresses = [
  "/configuration.json",
  "/actuator/health",
  `${apiPrefix}/packages`,
  "/repo/none/",
  "/nothing",
  "/%zz",
  "/repo/none/%zz",
];
const headersOf = async (path: string, init: RequestInit = {}) => (await fetch(packhouse.address + path, init)).headers;
/** One directive of a Content-Security-Policy, as a list. */
const directive = (headers: Headers, name: string): string[] | undefined =>
  headers
    .get("content-security-policy")
    ?.split(";")
    .map((part) => part.trim().split(" "))
    .find(([first]) => first === name)
    ?.slice(1);

describe("security headers for browsers", () => {
  test("let only our own content run and be framed", async () => {
    await start();
    for (const path of ["/configuration.json", `${apiPrefix}/packages`, "/nothing", "/%zz"]) {
      const headers = await headersOf(path);
      expect(directive(headers, "default-src")).toEqual(["'self'"]);
      expect(directive(headers, "script-src")).toEqual(["'self'"]);
      expect(directive(headers, "script-src-attr")).toEqual(["'none'"]);
      expect(directive(headers, "object-src")).toEqual(["'none'"]);
      expect(directive(headers, "base-uri")).toEqual(["'self'"]);
      expect(directive(headers, "frame-ancestors")).toEqual(["'self'"]);
      expect(directive(headers, "connect-src")).toEqual(["'self'"]);
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    }
    // Uploaded content may do nothing at all.
    expect(directive(await headersOf("/repo/none/"), "default-src")).toEqual(["'none'"]);
  });

  test("never allow guessing types and never set a cookie", async () => {
    await start();
    for (const path of addresses) {
      const headers = await headersOf(path);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("set-cookie")).toBeNull();
      expect(headers.get("x-powered-by")).toBeNull();
    }
  });

  test("forbid caching answers of the API", async () => {
    await start();
    for (const [path, init] of [
      [`${apiPrefix}/packages`, {}],
      [`${apiPrefix}/%zz`, {}],
      ["/login", { method: "POST", body: "{}", headers: { "content-type": "application/json" } }],
    ] as const)
      expect((await headersOf(path, init)).get("cache-control")).toBe("no-store");
  });

  test("allow the provider's origins, for tokens and renewals, and no others", async () => {
    await start({
      "auth.oidc.enabled": true,
      "auth.oidc.issuer": "https://id.example.org/realms/people",
      "auth.oidc.clientId": "packhouse",
      "auth.oidc.origins": ["https://tokens.example.org"],
    });
    const headers = await headersOf("/configuration.json");
    const reachable = ["'self'", "https://id.example.org", "https://tokens.example.org"];
    expect(directive(headers, "connect-src")).toEqual(reachable);
    expect(directive(headers, "frame-src")).toEqual(reachable);
    expect(directive(headers, "script-src")).toEqual(["'self'"]);
  });

  test("require TLS only where the server is reached by TLS", async () => {
    await start();
    expect((await headersOf("/configuration.json")).get("strict-transport-security")).toBeNull();
    await packhouse.close();
    await start({ publicUrl: "https://packages.example.org" });
    const headers = await headersOf("/configuration.json", { headers: { host: "packages.example.org" } });
    expect(headers.get("strict-transport-security")).toMatch(/max-age=\d{7,}/);
  });
});

describe("pages of other origins", () => {
  const preflight = (origin: string, path = `${apiPrefix}/packages/1`) =>
    headersOf(path, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "PATCH", "access-control-request-headers": "authorization" },
    });

  test("may not call the API", async () => {
    await start();
    expect((await preflight("https://console.example.org")).get("access-control-allow-origin")).toBeNull();
  });

  test("may call the API, and nothing else, when they are listed", async () => {
    await start({ allowedOrigins: ["https://console.example.org"] });
    const allowed = await preflight("https://console.example.org");
    expect(allowed.get("access-control-allow-origin")).toBe("https://console.example.org");
    expect(allowed.get("access-control-allow-methods")).toContain("PATCH");
    expect(allowed.get("access-control-allow-headers")).toMatch(/authorization/i);
    expect((await preflight("https://elsewhere.example.org")).get("access-control-allow-origin")).toBeNull();
    const origin = { headers: { origin: "https://console.example.org" } };
    // Refusals, too: the page has to read why.
    expect((await headersOf(`${apiPrefix}/packages`, origin)).get("access-control-allow-origin")).toBe(
      "https://console.example.org",
    );
    expect((await headersOf("/repo/none/", origin)).get("access-control-allow-origin")).toBeNull();
  });
});
