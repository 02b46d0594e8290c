import { readdir } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { apiPrefix } from "@packhouse/contract/operation";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";
import { smallRPackage } from "../testing/small-packages.ts";

let it: TestPackhouse;
let admin: Client;
let user: Client;

beforeAll(async () => {
  it = await startPackhouse({ settings: { "upload.maxBytes": 100_000 } });
  admin = await it.as(it.admin);
  user = await it.as(await it.given.person("somebody"));
  await it.given.repository("R", { name: "north" });
  await it.given.repository("Python", { name: "south" });
});
afterAll(() => it.close());

const json = "application/json";
const patch = "application/json-patch+json";

/** Sends what `fetch` would not: any method, address and bytes. */
function raw(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string | Uint8Array,
): Promise<{ http: number; messageCode: string; data: unknown }> {
  return new Promise((done, failed) => {
    const request = httpRequest(
      it.address + path,
      { method, headers: { authorization: admin.authorization, ...headers } },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => {
          const envelope = JSON.parse(Buffer.concat(parts).toString());
          expect(envelope).toMatchObject({ status: "ERROR", code: response.statusCode, message: expect.any(String) });
          done({ http: response.statusCode ?? 0, messageCode: envelope.messageCode, data: envelope.data });
        });
      },
    );
    request.on("error", failed);
    request.end(body);
  });
}
const codeOf = async (...request: Parameters<typeof raw>) => (await raw(...request)).messageCode;

describe("malformed requests are refused", () => {
  test.each<[string, Parameters<typeof raw>, string]>([
    ["an address with a broken escape", ["GET", `${apiPrefix}/users/%ff%`], "bad.request"],
    ["an id that is no number", ["GET", `${apiPrefix}/users/abc`], "bad.request"],
    ["an id that no record can have", ["GET", `${apiPrefix}/users/999999999999`], "user.notfound"],
    ["a flag that is none", ["GET", `${apiPrefix}/users?active=maybe`], "bad.request"],
    ["an unknown order", ["GET", `${apiPrefix}/users?sort=shoeSize`], "unrecognized.query.parameter"],
    ["an unknown address", ["GET", `${apiPrefix}/nowhere`], "not.found"],
    ["a method that is not offered", ["DELETE", `${apiPrefix}/users/1`], "method.not.allowed"],
    ["a page where JSON is asked for", ["GET", `${apiPrefix}/users`, { accept: "text/html" }], "not.acceptable"],
    [
      "a patch as plain JSON",
      ["PATCH", `${apiPrefix}/users/1`, { "content-type": json }, "[]"],
      "unsupported.media.type",
    ],
    ["a body without a type", ["POST", `${apiPrefix}/access-tokens`, {}, "{}"], "unsupported.media.type"],
    ["broken JSON", ["POST", `${apiPrefix}/access-tokens`, { "content-type": json }, '{"name":'], "bad.request"],
    ["no body", ["POST", `${apiPrefix}/access-tokens`, { "content-type": json }, ""], "bad.request"],
    [
      "NUL in a text",
      ["POST", `${apiPrefix}/access-tokens`, { "content-type": json }, '{"name":"a\\u0000"}'],
      "bad.request",
    ],
    ["NUL in a search", ["GET", `${apiPrefix}/users?search=%00`], "bad.request"],
    ["a patch that is no list", ["PATCH", `${apiPrefix}/users/1`, { "content-type": patch }, "{}"], "bad.request"],
  ])("%s", async (_what, request, code) => {
    expect(await codeOf(...request)).toBe(code);
  });

  test("bytes that are not UTF-8, and a body that is too large", async () => {
    const path = `${apiPrefix}/access-tokens`;
    const broken = Buffer.from([0x7b, 0x22, 0x6e, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    expect(await codeOf("POST", path, { "content-type": json }, broken)).toBe("bad.request");
    const large = JSON.stringify({ name: "x".repeat(2 * 1024 * 1024) });
    const answer = await raw("POST", path, { "content-type": json, "content-length": String(large.length) }, large);
    expect([answer.http, answer.messageCode, answer.data]).toEqual([413, "payload.too.large", null]);
  });

  test("a host that is not this server's", async () => {
    expect(await codeOf("GET", `${apiPrefix}/users`, { host: "evil.example.org" })).toBe("bad.request");
  });
});

describe("the order of checks", () => {
  test("is authentication, address, method, type, body, then the role", async () => {
    const nobody = { authorization: "Bearer nothing" };
    const signedIn = { authorization: user.authorization };
    const asked = async (headers: Record<string, string>, method: string, path: string, body?: string) =>
      codeOf(method, apiPrefix + path, headers, body);
    expect(await asked(nobody, "PUT", "/nowhere")).toBe("error.user.not.authenticated");
    expect(await asked(signedIn, "PUT", "/users/1")).toBe("method.not.allowed");
    expect(await asked({ ...signedIn, "content-type": json }, "PATCH", "/users/1", "[]")).toBe(
      "unsupported.media.type",
    );
    expect(await asked({ ...signedIn, "content-type": patch }, "PATCH", "/users/x", "{}")).toBe("bad.request");
    expect(await asked({ ...signedIn, "content-type": patch }, "PATCH", "/users/1", "{}")).toBe("bad.request");
    expect(await asked({ ...signedIn, "content-type": json }, "POST", "/r/repositories", '{"shoeSize":1}')).toBe(
      "bad.request",
    );
    expect(await asked({ ...signedIn, "content-type": patch }, "PATCH", "/users/1", "[]")).toBe("user.not.authorized");
  });
});

describe("a hostile patch", () => {
  test.each([
    [{ op: "add", path: "/__proto__/isAdmin", value: true }],
    [{ op: "add", path: "/constructor/prototype/isAdmin", value: true }],
    [{ op: "replace", path: "/nothing/here", value: 1 }],
    [{ op: "replace", path: "deleted", value: true }],
    [{ op: "replace", path: "/deleted" }],
    [{ op: "explode", path: "/deleted" }],
    [{ op: "remove", path: "/roleId" }],
    [{ op: "replace", path: "/active", value: null }],
    [{ op: "replace", path: "/roleId", value: 99 }],
    [{ op: "copy", from: "", path: "/name" }],
    ["replace"],
    [null],
  ])("is refused and changes nothing: %j", async (operation) => {
    const { id } = await it.given.person(`target-${Math.random()}`);
    const before = (await admin.get(`/users/${id}`)).data;
    const answer = await admin.patch(`/users/${id}`, [operation]);
    expect([answer.http, answer.messageCode]).toEqual([422, "error.malformed.patch"]);
    expect((await admin.get(`/users/${id}`)).data).toEqual(before);
    expect("isAdmin" in {}).toBe(false);
  });

  test("of a read-only property is refused", async () => {
    const { id } = await it.given.person("immutable");
    const answer = await admin.patch(`/users/${id}`, [replace("/login", "another")]);
    expect([answer.http, answer.data]).toEqual([422, ["forbidden.update"]]);
  });
});

describe("an upload", () => {
  test("that is over the size limit is refused, however much is still to come, and leaves nothing", async () => {
    const { fileName } = await smallRPackage("large", "1.0");
    for (const size of [200_000, 20_000_000]) {
      const answer = await admin.upload("R", { fileName, bytes: new Uint8Array(size) }, { repository: "north" });
      expect([answer.http, answer.messageCode]).toEqual([413, "payload.too.large"]);
    }
    expect(await it.deps.db.selectFrom("objects").select("digest").execute()).toEqual([]);
  });

  test.for([
    ["/r/submissions", "north"],
    ["/python/submissions", "south"],
  ] as const)("whose file has no name is refused: %s", async ([path, repository]) => {
    const headers = { authorization: admin.authorization, "content-type": "multipart/form-data; boundary=line" };
    const part = 'content-disposition: form-data; name="file"\r\ncontent-type: application/octet-stream';
    const body = `--line\r\n${part}\r\n\r\nbytes\r\n--line--\r\n`;
    expect(await codeOf("POST", `${apiPrefix}${path}?repository=${repository}`, headers, body)).toBe(
      "error.validation",
    );
    expect(await readdir(join(it.environment.PACKHOUSE_DATA_DIR ?? "", "storage/incoming"))).toEqual([]);
  });

  test("whose form ends too early is refused", async () => {
    const headers = { "content-type": "multipart/form-data; boundary=line" };
    const body = '--line\r\ncontent-disposition: form-data; name="file"; filename="a_1.tar.gz"\r\n\r\nbytes';
    expect(await codeOf("POST", `${apiPrefix}/r/submissions`, headers, body)).toBe("bad.request");
  });
});
