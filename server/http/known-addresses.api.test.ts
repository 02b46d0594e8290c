import { apiPrefix, pathOf } from "@packhouse/contract/operation";
import { type OperationName, operations } from "@packhouse/contract/operations";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";
import { smallRPackage } from "../testing/small-packages.ts";

const console = "https://console.example.org";
let it: TestPackhouse;
let admin: Client;
let stranger: Client;
beforeAll(async () => {
  it = await startPackhouse({ settings: { allowedOrigins: [console] } });
  admin = await it.as(it.admin);
  stranger = await it.as(await it.given.person("stranger"));
});
afterAll(() => it.close());

const addressOf = (name: OperationName): string =>
  apiPrefix + pathOf(operations[name], { id: 1, file: "a_1.0.tar.gz" });
const reads = Object.keys(operations).filter((name) => name.startsWith("GET ")) as OperationName[]; // keys of the table

async function ask(client: Client, method: string, path: string, headers: Record<string, string> = {}) {
  const response = await client.request(path, { method, headers });
  return { response, text: await response.text(), allow: response.headers.get("allow") };
}

describe("HEAD", () => {
  test("answers everyone at every address of the API as GET does, without a body", async () => {
    const wrong: string[] = [];
    for (const name of reads)
      for (const client of [admin, stranger, it.anonymous]) {
        const path = addressOf(name);
        const get = (await ask(client, "GET", path)).response;
        const { response: head, text } = await ask(client, "HEAD", path);
        const shown = ["content-type", "content-disposition", "cache-control"].map((header) =>
          head.headers.get(header),
        );
        const same = ["content-type", "content-disposition", "cache-control"].every(
          (header, at) => get.headers.get(header) === shown[at],
        );
        if (head.status !== get.status || text !== "" || !same)
          wrong.push(`${name}: ${get.status}, then ${head.status}`);
      }
    expect(wrong).toEqual([]);
    expect(reads.length).toBeGreaterThan(40);
  });

  test("states the length of what GET would send", async () => {
    for (const path of ["/config", "/r/config", "/users/roles", "/packages?search=none", "/users/999", "/nowhere"]) {
      const get = await ask(admin, "GET", apiPrefix + path);
      const head = await ask(admin, "HEAD", apiPrefix + path);
      expect([path, head.response.headers.get("content-length")]).toEqual([path, String(get.text.length)]);
    }
  });

  test("of a file has its length and is no download", async () => {
    const { name } = await it.given.repository("R");
    const file = await smallRPackage("sized", "1.0");
    const { data } = await admin.upload("R", file, { repository: name });
    const path = `${apiPrefix}/r/packages/${data.packageBag.id}/download/sized_1.0.tar.gz`;
    const { response, text } = await ask(admin, "HEAD", path);
    expect([response.status, response.headers.get("content-length"), text]).toEqual([200, `${file.bytes.length}`, ""]);
    await it.deps.downloads.flush();
    expect((await admin.get(`/packages/${data.packageBag.id}`)).data.downloads.total).toBe(0);
  });
});

describe("another method at a known address", () => {
  test.each([
    ["GET", "/check-server-address", "OPTIONS, POST"],
    ["HEAD", "/check-server-address", "OPTIONS, POST"],
    ["PUT", "/users/1", "GET, HEAD, OPTIONS, PATCH"],
    ["POST", "/users/1/", "GET, HEAD, OPTIONS, PATCH"],
    ["DELETE", "/r/packages", "GET, HEAD, OPTIONS"],
    ["PATCH", "/r/submissions?state=WAITING", "GET, HEAD, OPTIONS, POST"],
    ["GET", "/r/repositories/1/republish", "OPTIONS, POST"],
    ["DELETE", "/r/packages/1/download/a_1.tar.gz", "GET, HEAD, OPTIONS"],
  ])("%s %s is 405 with those that there are, whatever the role", async (method, path, allow) => {
    for (const client of [admin, stranger]) {
      const answer = await ask(client, method, apiPrefix + path);
      expect([answer.response.status, answer.allow]).toEqual([405, allow]);
      if (method !== "HEAD") expect(JSON.parse(answer.text).messageCode).toBe("method.not.allowed");
    }
    expect((await ask(it.anonymous, method, apiPrefix + path)).response.status).toBe(401);
  });

  test.each([
    ["GET", "/api/login", "OPTIONS, POST"],
    ["GET", "/api/logout", "OPTIONS, POST"],
    ["DELETE", "/login", "OPTIONS, POST"],
    ["POST", "/actuator/health", "GET, HEAD, OPTIONS"],
    ["DELETE", "/v2/api-docs", "GET, HEAD, OPTIONS"],
    ["PUT", "/configuration.json", "GET, HEAD, OPTIONS"],
  ])("%s %s is 405 outside of the API, too", async (method, path, allow) => {
    const answer = await ask(it.anonymous, method, path);
    expect([answer.response.status, answer.allow]).toEqual([405, allow]);
  });

  test.each(["/api/v2/manager/nowhere", "/api/v2/manager", "/api/v3/users", "/repository/x"])(
    "%s is unknown, and stays 404",
    async (path) => {
      for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
        const { response, allow } = await ask(admin, method, path, { "content-type": "application/json" });
        expect([method, response.status, allow]).toEqual([method, 404, null]);
      }
    },
  );
});

describe("OPTIONS", () => {
  test.each([{}, { origin: console }])(
    "that is no preflight lists the methods for those who are signed in: %j",
    async (headers) => {
      const { response, text, allow } = await ask(stranger, "OPTIONS", `${apiPrefix}/users/me`, headers);
      expect([response.status, allow, text]).toEqual([204, "GET, HEAD, OPTIONS, PATCH", ""]);
      const unknown = await ask(it.anonymous, "OPTIONS", `${apiPrefix}/users/me`, headers);
      expect([unknown.response.status, JSON.parse(unknown.text).messageCode]).toEqual([
        401,
        "error.user.not.authenticated",
      ]);
    },
  );

  test("as a preflight is answered without credentials, to the configured origins only", async () => {
    const preflight = (origin: string) =>
      ask(it.anonymous, "OPTIONS", `${apiPrefix}/users/me`, { origin, "access-control-request-method": "GET" });
    const known = await preflight(console);
    expect([known.response.status, known.response.headers.get("access-control-allow-origin")]).toEqual([204, console]);
    const other = await preflight("https://elsewhere.example.org");
    expect(other.response.headers.get("access-control-allow-origin")).toBeNull();
    expect(other.response.status).toBe(204);
  });
});

test("clients that ask for HAL get JSON", async () => {
  const { response, text } = await ask(admin, "GET", `${apiPrefix}/config`, { accept: "application/hal+json" });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
  expect(JSON.parse(text).status).toBe("SUCCESS");
  expect((await ask(admin, "GET", `${apiPrefix}/config`, { accept: "text/html" })).response.status).toBe(406);
});
