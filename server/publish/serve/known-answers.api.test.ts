import { channel } from "node:diagnostics_channel";
import { request as send } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../../platform/observability/log.ts";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage, smallSdist } from "../../testing/small-packages.ts";

const lines: Record<string, unknown>[] = [];
let it: TestPackhouse;
let admin: Client;
const ids = new Map<string, number>();

/** Requests that the framework has served. */
let framework = 0;
const served = channel("tracing:fastify.request.handler:start");
const count = () => {
  framework += 1;
};

beforeAll(async () => {
  served.subscribe(count);
  it = await startPackhouse({
    log: createLog("info", { write: (line) => lines.push(JSON.parse(line)) }),
    settings: { "log.requests": true },
  });
  admin = await it.as(it.admin);
  for (const [technology, name, file] of [
    ["Python", "pages", await smallSdist("harbor", "1.0")],
    ["R", "records", await smallRPackage("gridwalk", "1.0")],
    ["Python", "closing", await smallSdist("harbor", "1.0")],
    ["Python", "withdrawn", await smallSdist("harbor", "1.0")],
  ] as const) {
    ids.set(name, (await it.given.repository(technology, { name })).id);
    expect((await admin.upload(technology, file, { repository: name })).http).toBe(201);
  }
});
afterAll(async () => {
  served.unsubscribe(count);
  await it.close();
});
beforeEach(() => {
  framework = 0;
});

interface Answer {
  status: number | undefined;
  headers: Record<string, unknown>;
  body: string;
}

/** With headers exactly as given, and those of the answer as they are. */
const ask = (path: string, headers: readonly string[] = [], method = "GET"): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { host } = new URL(it.address);
    const given = ["host", host, ...headers];
    const sent = send(it.address + path, { method, headers: given, setDefaultHeaders: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const { date: _date, "x-trace-id": traceId, ...kept } = response.headers;
        const body = Buffer.concat(chunks).toString("base64");
        resolve({
          status: response.statusCode,
          headers: { ...kept, traced: /^[0-9a-f]{32}$/.test(String(traceId)) },
          body,
        });
      });
    });
    sent.on("error", reject);
    sent.end();
  });

const page = "/repo/pages/simple/harbor/";
const records = "/repo/records/src/contrib/PACKAGES";
const json = ["accept", "application/vnd.pypi.simple.v1+json"];
const pip = [
  "accept",
  "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html; q=0.1, text/html; q=0.01",
];
const both = ["accept", "text/html", "accept", "application/vnd.pypi.simple.v1+json"];

describe("an index that was read before is answered as the first time", () => {
  const indexes: [path: string, headers: string[]][] = [
    [page, []],
    [page, json],
    [page, pip],
    [page, both],
    [page, ["accept-encoding", "gzip, deflate"]],
    [page, ["accept-encoding", "gzip;q=0"]],
    [page, ["range", "bytes=0-3"]],
    [page, ["if-none-match", '"another"']],
    [page, ["origin", "https://elsewhere.example.org"]],
    [page, ["authorization", "Bearer nonsense"]],
    [page, ["connection", "close"]],
    [`${page}?format=application/vnd.pypi.simple.v1%2Bjson`, []],
    ["/repo/pages/simple/", []],
    ["/repo/pages/simple/", json],
    ["/repo/pages/", json],
    [records, []],
    [`${records}.gz`, []],
    [`${records}.rds`, ["user-agent", "R (4.2.2 x86_64-pc-linux-gnu x86_64 linux-gnu)"]],
    [
      "/repo/records/linux/jammy/src/contrib/PACKAGES",
      ["user-agent", "R (4.2.2 x86_64-pc-linux-gnu x86_64 linux-gnu)"],
    ],
  ];

  test.each(indexes)("%s %j", async (path, headers) => {
    // The first of them may follow an equal one.
    const fresh = `${path}${path.includes("?") ? "&" : "?"}first=${Math.random()}`;
    const first = await ask(fresh, headers);
    expect(first.status).toBe(200);
    expect(framework).toBe(1);
    expect(await ask(fresh, headers)).toEqual(first);
    expect(await ask(fresh, headers, "HEAD")).toEqual({ ...first, body: "" });
    expect(framework).toBe(1);
  });

  test.each([page, records])("%s, if the client has it", async (path) => {
    const { headers } = await ask(path);
    const etag = String(headers.etag);
    const unchanged = await ask(`${path}?first`, ["if-none-match", etag]);
    expect(unchanged.status).toBe(304);
    await ask(`${path}?first`);
    framework = 0;
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"])
      expect(await ask(`${path}?first`, ["if-none-match", tag])).toEqual(unchanged);
    expect(await ask(`${path}?first`, ["if-none-match", etag], "HEAD")).toEqual(unchanged);
    expect(framework).toBe(0);
  });

  test("to clients that want another form with that form", async () => {
    const html = await ask(page);
    const asJson = await ask(page, json);
    const packed = await ask(page, ["accept-encoding", "gzip"]);
    expect(new Set([html, asJson, packed].map(({ headers }) => headers.etag)).size).toBe(3);
    expect(await ask(page)).toEqual(html);
    expect(await ask(page, json)).toEqual(asJson);
    expect((await ask(page, ["accept", "image/png"])).status).toBe(406);
  });
});

describe("a request that no earlier answer fits is answered by the framework", () => {
  test.each<[what: string, path: string, headers: string[], status: number]>([
    ["a header twice", page, ["authorization", "a", "authorization", "b"], 400],
    ["a file", "/repo/records/src/contrib/gridwalk_1.0.tar.gz", [], 200],
    ["a page for people", "/repo/pages/", ["accept", "text/html, application/xhtml+xml"], 200],
    ["a snapshot", "/repo/pages/@2/simple/harbor/", [], 200],
    ["an unknown project", "/repo/pages/simple/none/", [], 404],
    ["an unknown repository", "/repo/none/simple/harbor/", [], 404],
  ])("%s", async (_what, path, headers, status) => {
    await ask(page);
    const first = await ask(path, headers);
    expect(first.status).toBe(status);
    expect(await ask(path, headers)).toEqual(first);
  });

  test("another host, as pages of other sites would name it", async () => {
    await ask(page);
    const answer = await fetch(it.address + page, { headers: { host: "attacker.example.org" } });
    expect(answer.status).toBe(200); // fetch sets the host itself
    const sent = await new Promise<number | undefined>((resolve) =>
      send(it.address + page, { headers: { host: "attacker.example.org" } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end(),
    );
    expect(sent).toBe(400);
  });

  test("another method", async () => {
    await ask(page);
    expect((await ask(page, ["content-length", "0"], "POST")).status).toBe(405);
    expect(await ask(page, [], "OPTIONS")).toMatchObject({ status: 204, headers: { allow: "GET, HEAD, OPTIONS" } });
  });

  test("a new release is on the page when its upload returns", async () => {
    const before = await ask(page);
    await admin.upload("Python", await smallSdist("harbor", "1.1"), { repository: "pages" });
    const after = await ask(page);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(Buffer.from(after.body, "base64").toString()).toContain("harbor-1.1");
  });

  test("a repository that was made private, and then public again", async () => {
    const path = "/repo/closing/simple/harbor/";
    const first = await ask(path);
    expect(await ask(path)).toEqual(first);
    const change = (value: boolean) =>
      admin.patch(`/python/repositories/${ids.get("closing")}`, [replace("/requiresAuthentication", value)]);
    expect((await change(true)).http).toBe(200);
    for (const etag of [[], ["if-none-match", String(first.headers.etag)]])
      expect((await ask(path, etag)).status).toBe(401);
    // What a user may read is not given to the next one.
    expect((await ask(path, ["authorization", admin.authorization])).status).toBe(200);
    expect((await ask(path)).status).toBe(401);
    expect((await change(false)).http).toBe(200);
    expect(await ask(path)).toEqual(first);
  });

  test("a repository that was taken offline", async () => {
    const path = "/repo/withdrawn/simple/harbor/";
    await ask(path);
    expect((await ask(path)).status).toBe(200);
    await admin.patch(`/python/repositories/${ids.get("withdrawn")}`, [replace("/published", false)]);
    expect((await ask(path)).status).toBe(404);
  });
});

test.each([
  ["records", `${records}.gz`],
  ["pages", page],
])("clients that ask at once for an index that has changed share what is read (%s)", async (repository, path) => {
  await ask(path);
  if (path === page) await admin.upload("Python", await smallSdist("harbor", "2.0"), { repository });
  else await admin.upload("R", await smallRPackage("gridwalk", "2.0"), { repository });
  it.takeStatements();
  const answers = await Promise.all(Array.from({ length: 30 }, () => ask(path)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const reads = it.takeStatements().filter(({ sql }) => /"index_(parts|blocks)"/.test(sql));
  expect(reads.length).toBeGreaterThan(0);
  expect(reads.length).toBeLessThanOrEqual(3);
});

test("an answer that was known is logged and traced like others", async () => {
  await ask(`${page}?logged`);
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  framework = 0;
  lines.length = 0;
  await ask(`${page}?logged`, ["traceparent", `00-${traceId}-b7ad6b7169203331-01`]);
  expect(framework).toBe(0);
  await expect
    .poll(() => lines.find((line) => line.msg === "request"))
    .toMatchObject({
      traceId,
      method: "GET",
      route: "/repo/*",
      status: 200,
      bytes: expect.any(Number),
      ms: expect.any(Number),
    });
});
