import { Agent, request as httpRequest } from "node:http";
import { apiPrefix } from "@packhouse/contract/operation";
import { type OperationName, operations } from "@packhouse/contract/operations";
import { propertyRuns } from "@packhouse/fixtures/property-runs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, startPackhouse, type TestPackhouse } from "../packhouse.ts";

/** Requests that no one should send: none may crash the server, hang, or reveal internals. */
const atOnce = 8;
const runs = propertyRuns(200);

let it: TestPackhouse;
let callers: Client[];
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });

beforeAll(async () => {
  it = await startPackhouse();
  const repository = await it.given.repository("R");
  await it.given.repository("Python");
  const keeper = await it.given.person("keeper", "repositorymaintainer");
  await it.given.repositoryMaintainer(keeper, repository);
  callers = [
    await it.bySession(it.admin),
    await it.as(it.admin),
    await it.bySession(keeper),
    await it.bySession(await it.given.person("somebody")),
    it.anonymous,
  ];
});
afterAll(() => {
  agent.destroy();
  return it.close();
});

interface Garbage {
  method: string;
  path: string;
  caller: number;
  headers: Record<string, string>;
  /** Instead of the caller's own. */
  authorization: string | undefined;
  body: Buffer | undefined;
}

const routes = Object.keys(operations) as OperationName[]; // its keys
const hostileTexts = [
  "",
  "0",
  "-1",
  "1e9",
  "99999999999999999999",
  "null",
  "NaN",
  "true",
  "../../etc/passwd",
  "..%2f..%2fetc",
  "' or 1=1 --",
  "\u0000",
  "%",
  "_",
  "\\",
  "\ud800",
  "İ",
  "🐫",
  "__proto__",
  "constructor",
  "a".repeat(3000),
  "2026-02-31",
  "9999999-01-01T00:00:00Z",
  "-271821-04-20T00:00:00Z",
  "$(1+1)",
  "<script>",
];
const text = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: "binary", maxLength: 20 }), fc.string());
/** As it can stand in a request line: everything else is escaped, but not always rightly. */
const inAddress = text.chain((value) =>
  fc.constantFrom(
    encodeURIComponent(value.toWellFormed()),
    value.replace(
      /[^\x21-\x7e]|[?#]/g,
      (character) => `%${(character.charCodeAt(0) % 256).toString(16).padStart(2, "0")}`,
    ),
  ),
);
const id = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 5 }).map(String) },
  { weight: 1, arbitrary: inAddress },
);

const parametersOf = (route: OperationName): string[] => {
  const { answer } = operations[route];
  return answer !== "nothing" && "list" in answer ? [...Object.keys(answer.list.filters), "page", "size", "sort"] : [];
};
const query = (route: OperationName) =>
  fc.array(fc.tuple(fc.oneof(fc.constantFrom(...parametersOf(route), "unknown"), inAddress), inAddress), {
    maxLength: 4,
  });

const pointer = fc.oneof(
  fc.constantFrom(
    "",
    "/",
    "/deleted",
    "/active",
    "/state",
    "/id",
    "/name",
    "/roleId",
    "/user/id",
    "/repository",
    "/links/0/href",
    "/links/-",
    "/__proto__/polluted",
    "/constructor/prototype/polluted",
    "/a~0b~1c~2",
  ),
  text,
);
const patch = fc.array(
  fc.record(
    {
      op: fc.oneof(fc.constantFrom("add", "remove", "replace", "move", "copy", "test"), text),
      path: fc.oneof(pointer, fc.jsonValue()),
      from: pointer,
      value: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
  { maxLength: 5 },
);
const creation = fc.dictionary(
  fc.constantFrom(
    "name",
    "publicationUri",
    "serverAddress",
    "user",
    "repository",
    "packageName",
    "lifetime",
    "id",
    "x",
  ),
  fc.oneof(text, fc.jsonValue(), fc.record({ id: fc.jsonValue() })),
);
const json = fc.oneof(patch, creation, fc.jsonValue()).map((value) => Buffer.from(JSON.stringify(value)));
const multipart = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom("repository", "file", "replace", "changes", "x"), text), { maxLength: 4 }),
    text,
  )
  .map(([parts, rest]) =>
    Buffer.from(
      [
        ...parts.map(([name, value]) => {
          const file = name === "file" ? `; filename="${value.replace(/[\r\n"]/g, "")}"` : "";
          return `--line\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
        }),
        rest === "" ? "--line--\r\n" : rest,
      ].join(""),
    ),
  );
const body = fc.oneof(
  { weight: 4, arbitrary: json },
  { weight: 2, arbitrary: multipart },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.constantFrom(Buffer.from("["), Buffer.from('{"a":'), Buffer.from("\ufeff{}"), undefined) },
);
const rightType: Record<string, string> = {
  PATCH: "application/json-patch+json",
  POST: "application/json",
};

const garbage: fc.Arbitrary<Garbage> = fc.constantFrom(...routes).chain((route) => {
  const [method = "", path = ""] = route.split(" ");
  const type =
    operations[route].body && "form" in Object(operations[route].body)
      ? "multipart/form-data; boundary=line"
      : rightType[method];
  return fc.record({
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom("GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "OPTIONS", "PROPFIND") },
    ),
    path: fc.tuple(id, inAddress, query(route)).map(([id, file, parameters]) => {
      const search = parameters.map(([name, value]) => `${name}=${value}`).join("&");
      const address = path.replace(":id", () => id).replace(":file", () => file);
      return `${apiPrefix}${address}${search ? `?${search}` : ""}`;
    }),
    caller: fc.nat({ max: 4 }),
    headers: fc.record({
      "content-type": fc.oneof(
        { weight: 6, arbitrary: fc.constant(type ?? "application/json") },
        {
          weight: 1,
          arbitrary: fc.constantFrom("text/plain", "multipart/form-data", "application/json; charset=utf-7", "/"),
        },
      ),
      accept: fc.oneof(
        { weight: 6, arbitrary: fc.constant("*/*") },
        { weight: 1, arbitrary: fc.constantFrom("text/html", ",;q=", "application/json;q=0", "*") },
      ),
    }),
    authorization: fc.oneof(
      { weight: 9, arbitrary: fc.constant(undefined) },
      {
        weight: 1,
        arbitrary: fc.constantFrom("Bearer", "Bearer a.b.c", "Basic %%%", "Basic Og==", "Digest x", "Bearer pkh_x"),
      },
    ),
    body: method === "GET" ? fc.constant(undefined) : body,
  });
});

function send({
  method,
  path,
  caller,
  headers,
  authorization,
  body,
}: Garbage): Promise<{ status: number; type: string; text: string }> {
  const credentials = authorization ?? callers[caller]?.authorization;
  return new Promise((done, failed) => {
    const request = httpRequest(
      it.address + path,
      {
        agent,
        method,
        timeout: 10_000,
        headers: {
          ...(credentials ? { authorization: credentials } : {}),
          ...headers,
          ...(body ? { "content-length": body.length } : {}),
        },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () =>
          done({
            status: response.statusCode ?? 0,
            type: response.headers["content-type"] ?? "",
            text: Buffer.concat(parts).toString("utf8"),
          }),
        );
        response.on("error", failed);
      },
    );
    request.on("timeout", () => request.destroy(new Error(`no answer to ${method} ${path}`)));
    request.on("error", failed);
    request.end(body);
  });
}

const inside = /node_modules|\.ts:\d|\bat \w+ \(|kysely|postgres|select "|insert into|syntax error/i;
let sent = 0;

async function check(one: Garbage): Promise<void> {
  const { status, type, text } = await send(one);
  sent += 1;
  const crashes = one.path.includes("/bad-endpoint");
  const what = `${one.method} ${one.path.slice(0, 300)} ${one.body?.toString("latin1").slice(0, 300) ?? ""}: ${status} ${text.slice(0, 300)}`;
  if (status >= 500 && !crashes) throw new Error(what);
  if (status >= 400 && one.method !== "HEAD") {
    if (!type.startsWith("application/json")) throw new Error(`${what}: ${type}`);
    const envelope: unknown = JSON.parse(text);
    expect(envelope).toMatchObject({ status: "ERROR", code: status, messageCode: expect.any(String) });
    if (inside.test(text)) throw new Error(`it tells of its inside: ${what}`);
  }
}

test("garbage is refused in the envelope, never with a 500, and reveals no internals", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(garbage, { minLength: atOnce, maxLength: atOnce }), async (some) => {
      await Promise.all(some.map(check));
    }),
    { ...runs, endOnFailure: true },
  );
  process.stdout.write(`${sent} requests of garbage were refused or did no harm.\n`);
  expect(sent).toBeGreaterThanOrEqual(runs.numRuns * atOnce);
  expect((await it.anonymous.request("/actuator/health")).status).toBe(200);
}, 300_000);
