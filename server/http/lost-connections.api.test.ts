import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { apiPrefix } from "@packhouse/contract/operation";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createLog } from "../platform/observability/log.ts";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";
import { smallRPackage } from "../testing/small-packages.ts";

const workerProgram = fileURLToPath(new URL("../testing/hostile-input/hostile-worker.ts", import.meta.url));

let it: TestPackhouse;
/** What the server logged as failures of its own. */
const failures: string[] = [];
let admin: Client;
let client: Client;
beforeAll(async () => {
  const log = createLog("error", { write: (line) => failures.push(line) });
  it = await startPackhouse({ workerProgram, settings: { "workers.count": 1 }, log });
  admin = await it.bySession(it.admin);
  client = await it.bySession(await it.given.person("uploader"));
  await it.given.repository("R", { name: "north" });
  await it.given.repository("Python", { name: "south" });
});
afterAll(() => it.close());

const multipart = { "content-type": "multipart/form-data; boundary=x", "content-length": "100000" };
const beginning =
  '--x\r\ncontent-disposition: form-data; name="file"; filename="a_1.0.tar.gz"\r\ncontent-type: application/gzip\r\n\r\nabc';

/** As many as the upload slots of one user, and fewer than the database connections. */
const atOnce = 8;

/** Sends partial requests, and resets their connections while the server authenticates them. */
async function resetDuringSignIn(request: string, headers: Record<string, string> = {}, body = ""): Promise<void> {
  const { hostname, port } = new URL(it.address);
  const head = Object.entries({ host: "localhost", authorization: client.authorization, ...headers });
  const text = `${request} HTTP/1.1\r\n${head.map((field) => `${field.join(": ")}\r\n`).join("")}\r\n${body}`;
  await it.deps.db.transaction().execute(async (tx) => {
    await sql`lock table sessions in access exclusive mode`.execute(tx);
    const { server } = it.packhouse.app.fastify;
    const lost = Promise.withResolvers<void>();
    let left = atOnce;
    const watch = (socket: Socket) =>
      socket.once("close", () => {
        left -= 1;
        if (left === 0) lost.resolve();
      });
    server.on("connection", watch);
    const sockets = Array.from({ length: atOnce }, () => connect(Number(port), hostname));
    for (const socket of sockets) socket.on("error", () => undefined).write(text);
    const waiting = sql`
      select from pg_locks where relation = 'sessions'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`;
    await vi.waitUntil(async () => (await waiting.execute(tx)).rows.length >= atOnce, { timeout: 20_000 });
    for (const socket of sockets) socket.resetAndDestroy();
    await lost.promise;
    server.off("connection", watch);
  });
}

test.each([`${apiPrefix}/r/submissions`, "/repo/south/legacy/"])(
  "a client that leaves during its upload to %s is no failure of the server",
  async (path) => {
    const { hostname, port } = new URL(it.address);
    const fields = Object.entries({ host: "localhost", authorization: client.authorization, ...multipart });
    const socket = connect(Number(port), hostname).on("error", () => undefined);
    socket.write(
      `POST ${path} HTTP/1.1\r\n${fields.map((field) => `${field.join(": ")}\r\n`).join("")}\r\n${beginning}`,
    );
    const { uploads } = it.deps.limits;
    await vi.waitUntil(() => uploads.running === 1, { timeout: 20_000 });
    socket.destroy();
    await vi.waitUntil(() => uploads.running === 0, { timeout: 20_000 });
    await client.get("/users/me");
    expect(failures).toEqual([]);
  },
);

describe("lost connections release what they hold", () => {
  test("upload slots", { timeout: 60_000 }, async () => {
    for (const body of ["", beginning]) await resetDuringSignIn(`POST ${apiPrefix}/r/submissions`, multipart, body);
    const { http } = await client.upload("R", await smallRPackage("after", "1.0"), { repository: "north" });
    expect(http).toBe(201);
    const { uploads } = it.deps.limits;
    await vi.waitUntil(() => uploads.running === 0 && uploads.waiting === 0, { timeout: 20_000 });
  });

  test("slots of large bodies", { timeout: 60_000 }, async () => {
    const json = { "content-type": "application/json", "content-length": "900000" };
    await resetDuringSignIn(`POST ${apiPrefix}/access-tokens`, json, "{");
    const id = (await client.get("/users/me")).data.id;
    const note = " ".repeat(20_000);
    const answer = await client.patch(`/user-settings/${id}`, [{ ...replace("/theme", "light"), note }]);
    expect(answer.http).toBe(200);
  });

  test("the exports of events", { timeout: 60_000 }, async () => {
    await resetDuringSignIn(`GET ${apiPrefix}/events/export`);
    await vi.waitFor(async () => expect((await client.request(`${apiPrefix}/events/export`)).status).toBe(200), {
      timeout: 20_000,
    });
  });
});

describe("an upload", () => {
  test("whose client has left is not read to its end", { timeout: 60_000 }, async () => {
    const stop = new AbortController();
    const { bytes } = await smallRPackage("tidepool", "1.0");
    const form = new FormData();
    form.append("repository", "north");
    form.append("file", new Blob([new Uint8Array(bytes)]), "hostile.endless_1.0.tar.gz");
    const upload = client
      .request(`${apiPrefix}/r/submissions`, { method: "POST", body: form, signal: stop.signal })
      .catch(() => "gone");
    await vi.waitUntil(() => it.deps.limits.uploads.running === 1, { timeout: 20_000 });
    // It waits for the only worker, which is reading the first one.
    const next = client.upload("R", await smallRPackage("next", "1.0"), { repository: "north" });
    await vi.waitUntil(() => it.deps.limits.uploads.running === 2 && it.deps.workers.waiting === 1, {
      timeout: 20_000,
    });
    const left = performance.now();
    stop.abort();
    expect(await upload).toBe("gone");
    expect((await next).http).toBe(201);
    // The limit of the first one is 20 seconds.
    expect(performance.now() - left).toBeLessThan(10_000);
  });

  test("is authorized by the rights of its uploader once the file has arrived", { timeout: 60_000 }, async () => {
    const maintainer = await it.given.person("maintainer", "admin");
    const by = await it.bySession(maintainer);
    const { bytes, fileName } = await smallRPackage("demoted", "1.0");
    const rest = Promise.withResolvers<void>();
    const parts = async function* () {
      yield Buffer.from(
        `--x\r\ncontent-disposition: form-data; name="repository"\r\n\r\nnorth\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\ncontent-type: application/gzip\r\n\r\n`,
      );
      await rest.promise;
      yield Buffer.concat([bytes, Buffer.from("\r\n--x--\r\n")]);
    };
    const upload = by.request(`${apiPrefix}/r/submissions`, {
      method: "POST",
      body: ReadableStream.from(parts()),
      headers: { "content-type": "multipart/form-data; boundary=x" },
      duplex: "half",
    });
    await vi.waitUntil(() => it.deps.limits.uploads.running === 1, { timeout: 20_000 });
    expect((await admin.patch(`/users/${maintainer.id}`, [replace("/roleId", 1)])).http).toBe(200);
    rest.resolve();
    const answer = await upload;
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ data: { state: "WAITING" } });
  });
});
