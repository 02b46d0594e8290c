import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage } from "../../testing/small-packages.ts";

let packhouse: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  packhouse = await startPackhouse();
  admin = await packhouse.as(packhouse.admin);
  const repository = await packhouse.given.repository("R", { name: "north" });
  for (const version of ["1.0", "1.1"])
    await admin.upload("R", await smallRPackage("gridwalk", version), { repository: repository.name });
});
afterAll(() => packhouse.close());

const path = "/api/v2/manager/events/export";
const exported = async (client: Client, query = "") => {
  const response = await client.request(`${path}?${query}`);
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const linesOf = (text: string) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { id: number });
const idsOf = ({ text }: { text: string }) => linesOf(text).map(({ id }) => id);

describe("the export of events", () => {
  test("contains what the list contains, in its order, without links", async () => {
    const { data } = await admin.get("/events?size=100");
    const file = await exported(admin);
    expect(file.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="events-\d{4}-\d\d-\d\d\.jsonl"$/);
    expect(file.headers.get("cache-control")).toBe("no-store");
    expect(linesOf(file.text)).toEqual(data.content.map(({ links: _, ...event }: Record<string, unknown>) => event));
    expect(linesOf(file.text).length).toBeGreaterThan(2);
  });

  test("takes the list's filters, and refuses unknown ones", async () => {
    for (const query of [
      "eventType=upload",
      "repositoryName=north",
      "eventType=nothing",
      "userName=ADMIN",
      "security=true",
    ]) {
      const { data } = await admin.get(`/events?size=100&${query}`);
      const ids = data.content.map(({ id }: { id: number }) => id);
      expect([query, idsOf(await exported(admin, query))]).toEqual([query, ids]);
    }
    expect((await exported(admin, "format=xlsx")).status).toBe(400);
    expect((await exported(admin, "purged=perhaps")).status).toBe(400);
    expect((await exported(packhouse.anonymous)).status).toBe(401);
  });

  test("shows no one more than the list does", async () => {
    const person = await packhouse.given.person("reader");
    const client = await packhouse.as(person);
    expect(idsOf(await exported(client))).toEqual([]);
    expect(idsOf(await exported(client, "purged=true&userName=admin"))).toEqual([]);
    await client.get("/users/me");
    const { data } = await client.get("/events?security=true&size=100");
    expect(idsOf(await exported(client, "security=true"))).toEqual(data.content.map(({ id }: { id: number }) => id));
    expect(data.content.length).toBeGreaterThan(0);
  });

  test("is a table as CSV, in which no login is a formula", async () => {
    const evil = await packhouse.given.person('=HYPERLINK("http://evil","x")');
    await packhouse.deps.db
      .insertInto("events")
      .values({
        occurred_on: packhouse.deps.clock(),
        user_id: evil.id,
        event_type: "update",
        resource_type: "USER",
        resource_id: evil.id,
        technology: null,
        repository_id: null,
        package_id: null,
        package_name: null,
        changed_properties: "[]",
        description: "@SUM(A1:A9)\r\n=1",
      })
      .execute();
    const { text, headers } = await exported(admin, "format=csv&resourceType=user");
    expect(headers.get("content-type")).toContain("text/csv");
    const [header, ...rows] = text.split("\r\n");
    expect(header).toBe("id,time,author,eventType,resourceType,resourceId,technology,description,changes");
    expect(rows[0]).toContain(`"'=HYPERLINK(""http://evil"",""x"")"`);
    expect(text).toContain(`"'@SUM(A1:A9)\r\n=1"`);
  });

  test("reads a long history in parts, each event once, also where many have the same time", async () => {
    const { db } = packhouse.deps;
    await sql`
      insert into events (occurred_on, user_id, event_type, resource_type, resource_id, changed_properties, description)
      select '2025-01-01'::timestamptz + (i / 700) * interval '1 microsecond', ${packhouse.admin.id}, 'update',
        'ACCESS_TOKEN', 1, '[]', '' from generate_series(1, 2600) as i`.execute(db);
    packhouse.takeStatements();
    const ids = idsOf(await exported(admin, "toDate=2025-01-02"));
    expect(ids).toHaveLength(2600);
    expect(new Set(ids).size).toBe(2600);
    expect(packhouse.takeStatements().filter(({ sql }) => sql.includes("limit")).length).toBeLessThan(12);
    const first = await db
      .selectFrom("events")
      .select("id")
      .where("occurred_on", "<", new Date("2025-01-02"))
      .orderBy("occurred_on", "desc")
      .orderBy("id")
      .execute();
    expect(ids).toEqual(first.map(({ id }) => id));
  });

  test("runs once at a time for each user, and stops when its client is gone", async () => {
    const { db } = packhouse.deps;
    await sql`
      insert into events (occurred_on, user_id, event_type, resource_type, resource_id, changed_properties, description)
      select '2024-01-01'::timestamptz, ${packhouse.admin.id}, 'update', 'ACCESS_TOKEN', 1, '[]', repeat('x', 2000)
      from generate_series(1, 20000)`.execute(db);
    const stop = new AbortController();
    const slow = await admin.request(path, { signal: stop.signal });
    expect(slow.status).toBe(200);
    const second = await admin.get("/events/export");
    expect([second.http, second.messageCode, second.headers.get("retry-after")]).toEqual([
      429,
      "too.many.exports",
      "10",
    ]);
    packhouse.takeStatements();
    stop.abort();
    await expect.poll(async () => (await admin.request(`${path}?eventType=republish`)).status).toBe(200);
    // What the client did not take was not read.
    expect(packhouse.takeStatements().filter(({ sql }) => sql.includes("limit")).length).toBeLessThan(20);
  });

  test("ends, with an error, when the session of its reader does", async () => {
    const person = await packhouse.given.person("auditor", "admin");
    const client = await packhouse.bySession(person);
    const unread = await client.request(`${path}?userName=admin`);
    expect(unread.status).toBe(200);
    await client.post("/logout", {});
    await expect(unread.text()).rejects.toThrow();
  });
});
