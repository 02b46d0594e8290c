import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { apiPrefix } from "@packhouse/contract/operation";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { Actor } from "../http/actor.ts";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";
import { smallRPackage, smallSdist } from "../testing/small-packages.ts";

const patient = { timeout: 60_000 };

let it: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  it = await startPackhouse();
  admin = await it.as(it.admin);
  await it.given.repository("R", { name: "north" });
  await it.given.repository("Python", { name: "south" });
});
afterAll(() => it.close());

interface Begun {
  /** Sends the rest; returns what the server answers. */
  finish(): Promise<{ status: number; body: string }>;
}

/** Sends a request up to the middle of its body, and waits until the server has signed it in. */
async function begin({ authorization }: Client, path: string, type: string, body: Uint8Array): Promise<Begun> {
  const middle = Math.floor(body.length / 2);
  it.takeStatements();
  const request: ClientRequest = httpRequest(it.address + path, {
    method: "POST",
    headers: { authorization, "content-type": type, "content-length": body.length },
  });
  const answered = new Promise<IncomingMessage>((done, failed) => request.once("response", done).once("error", failed));
  request.write(body.subarray(0, middle));
  const hasSignedIn = () => it.takeStatements().some(({ sql }) => /inner join "(sessions|access_tokens)"/.test(sql));
  await vi.waitUntil(hasSignedIn, patient);
  return {
    async finish() {
      request.end(body.subarray(middle));
      const answer = await answered;
      return { status: answer.statusCode ?? 0, body: await text(answer) };
    },
  };
}

async function formOf(fields: Record<string, string>, field: string, file: { fileName: string; bytes: Uint8Array }) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append(field, new Blob([new Uint8Array(file.bytes)], { type: "application/gzip" }), file.fileName);
  const encoded = new Request("http://form", { method: "POST", body: form });
  return {
    type: encoded.headers.get("content-type") ?? "",
    body: new Uint8Array(await encoded.arrayBuffer()),
  };
}

let names = 0;
async function beginUpload(client: Client) {
  names += 1;
  const name = `midway${names}`;
  const { type, body } = await formOf({ repository: "north" }, "file", await smallRPackage(name, "1.0"));
  return { name, upload: await begin(client, `${apiPrefix}/r/submissions`, type, body) };
}

const stored = async (name: string) => {
  const { data } = await admin.get(`/r/packages?name=${name}`);
  return z.array(z.object({ submissionState: z.string().optional(), active: z.boolean() })).parse(data.content);
};

/** How many transactions wait for another one. */
async function blocked(): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(it.deps.db);
  return rows[0]?.waiting ?? 0;
}

const tokensOf = (person: { id: number }) =>
  it.deps.db.selectFrom("access_tokens").select(["id", "active"]).where("user_id", "=", person.id).execute();

/** What ends the rights of a client, and how the client signs in. */
const ends: Record<string, { by: "as" | "bySession"; end(person: Actor, client: Client): Promise<unknown> }> = {
  "whose access token is deactivated": {
    by: "as",
    async end(person) {
      for (const { id } of await tokensOf(person))
        await admin.patch(`/access-tokens/${id}`, [replace("/active", false)]);
    },
  },
  "whose access token is deleted": {
    by: "as",
    async end(person) {
      for (const { id } of await tokensOf(person)) await admin.delete(`/access-tokens/${id}`);
    },
  },
  "whose session ends": { by: "bySession", end: (_person, client) => client.post("/logout", {}) },
  "whose user is deactivated": {
    by: "bySession",
    end: (person) => admin.patch(`/users/${person.id}`, [replace("/active", false)]),
  },
};

describe("an upload that is under way", () => {
  test.each(Object.entries(ends))("and %s is refused, and stores nothing", async (what, { by, end }) => {
    const person = await it.given.person(`uploads ${what}`);
    const client = await it[by](person);
    const { name, upload } = await beginUpload(client);
    await end(person, client);
    expect((await upload.finish()).status).toBe(401);
    expect(await stored(name)).toEqual([]);
  });

  // A deactivation waits for the transaction of the upload instead.
  const unlocked = Object.entries(ends).filter(([what]) => what !== "whose user is deactivated");
  test.each(unlocked)("that waits for its repository, and %s, is refused too", async (what, { by, end }) => {
    const person = await it.given.person(`waits ${what}`);
    const client = await it[by](person);
    names += 1;
    const file = await smallRPackage(`queued${names}`, "1.0");
    const upload = await it.deps.db.transaction().execute(async (tx) => {
      await tx.selectFrom("repositories").select("id").where("name", "=", "north").forUpdate().execute();
      const sent = client.upload("R", file, { repository: "north" });
      await vi.waitUntil(async () => (await blocked()) > 0, patient);
      await end(person, client);
      return { sent };
    });
    expect((await upload.sent).http).toBe(401);
  });

  test("and whose user may no longer accept waits for a decision", async () => {
    const person = await it.given.person("demoted", "admin");
    const { name, upload } = await beginUpload(await it.as(person));
    await (await it.bySession(it.admin)).patch(`/users/${person.id}`, [replace("/roleId", 1)]);
    expect((await upload.finish()).status).toBe(201);
    expect(await stored(name)).toMatchObject([{ active: false }]);
  });

  test("by twine, and whose access token is deactivated, is refused", async () => {
    const person = await it.given.person("twine");
    const client = await it.as(person);
    const file = await smallSdist("midwaytwine", "1.0");
    const { type, body } = await formOf({ ":action": "file_upload" }, "content", file);
    const upload = await begin(client, "/repo/south/legacy/", type, body);
    await ends["whose access token is deactivated"]?.end(person, client);
    expect((await upload.finish()).status).toBe(401);
  });
});

test("a call whose session ends before its body has arrived changes nothing", async () => {
  const person = await it.given.person("robbed");
  const client = await it.bySession(person);
  const body = Buffer.from(JSON.stringify({ name: "outlives the session" }));
  const call = await begin(client, `${apiPrefix}/access-tokens`, "application/json", body);
  await client.post("/logout", {});
  expect((await call.finish()).status).toBe(401);
  expect(await tokensOf(person)).toEqual([]);
});

test.each<[what: string, decide: (client: Client, id: number) => ReturnType<Client["post"]>]>([
  ["a submission", (client, id) => client.patch(`/r/submissions/${id}`, [replace("/state", "ACCEPTED")])],
  ["a release", (client, id) => client.post(`/submissions/${id}/decision`, { decision: "REJECTED" })],
  [
    "many submissions",
    (client, id) => client.post("/submissions/decisions", { decision: "ACCEPTED", submissions: [id] }),
  ],
])(
  "a decision on %s that waits for its repository is refused when the session of its reviewer ends",
  async (what, decide) => {
    const client = await it.bySession(await it.given.person(`reviewer of ${what}`, "admin"));
    const submitter = await it.as(await it.given.person(`submitter of ${what}`));
    names += 1;
    const { id } = await it.given.submission(submitter, "north", await smallRPackage(`undecided${names}`, "1.0"));
    const { call } = await it.deps.db.transaction().execute(async (tx) => {
      await tx.selectFrom("repositories").select("id").where("name", "=", "north").forUpdate().execute();
      const sent = decide(client, id);
      await vi.waitUntil(async () => (await blocked()) === 1, patient);
      await client.post("/logout", {});
      return { call: sent };
    });
    expect((await call).http).toBe(401);
    expect((await admin.get(`/submissions/${id}`)).data.state).toBe("WAITING");
  },
);
