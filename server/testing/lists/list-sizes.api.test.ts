import { longestListText } from "@packhouse/contract/limits";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, startPackhouse, type TestPackhouse } from "../packhouse.ts";
import { smallRPackage, smallSdist } from "../small-packages.ts";
import { lists } from "./list-queries.ts";

/**
 * Records whose texts are as long as some earlier versions allowed: 24 packages with four million control characters
 * each.
 */
const hostile = 24;
const largest = 8_000_000;

let it: TestPackhouse;
let admin: Client;

beforeAll(async () => {
  it = await startPackhouse();
  admin = await it.as(it.admin);
  const user = await it.as(await it.given.person("uploader"));
  const [r, python] = [
    await it.given.repository("R", { name: "reef" }),
    await it.given.repository("Python", { name: "cove" }),
  ];
  for (let n = 0; n < hostile; n += 1) {
    const file = await (n % 2 === 0 ? smallRPackage(`harbor${n}`, "1.0") : smallSdist(`harbor${n}`, "1.0"));
    const { technology, name } = n % 2 === 0 ? r : python;
    const answer = await user.upload(technology, file, { repository: name, changes: "what changed" });
    expect(answer.http).toBe(201);
  }
  await user.post("/access-tokens", { name: "pipeline" });
  const long = sql`repeat(E'\\x01', 4000000)`;
  const { db } = it.deps;
  await sql`update packages set description = ${long}, title = ${long}, author = ${long}, license = ${long}, url = ${long},
    description_content_type = ${long},
    metadata = metadata || jsonb_build_object('imports', ${long}, 'classifiers', ${long}, 'coreMetadata', ${long})`.execute(
    db,
  );
  await sql`update submissions set changes = ${long}`.execute(db);
  await sql`update events set description = ${long}, changed_properties =
    jsonb_build_array(jsonb_build_object('property', 'name', 'valueBefore', ${long}, 'valueAfter', ${long}))`.execute(
    db,
  );
  await sql`update access_tokens set name = repeat(E'\\x01', 500000)`.execute(db);
}, 120_000);
afterAll(() => it.close());

const bytesOf = async (path: string) => {
  const response = await admin.request(`/api/v2/manager${path}`);
  return { status: response.status, text: await response.text() };
};

describe("lists of records with texts of any length", () => {
  test("answer in at most 8 MB", async () => {
    for (const { path } of lists) {
      const { status, text } = await bytesOf(`${path}?size=2000`);
      expect([path, status]).toEqual([path, 200]);
      expect(Buffer.byteLength(text), path).toBeLessThanOrEqual(largest);
    }
    // The client checks the shape.
    for (const path of ["/packages", "/submissions", "/events"])
      expect((await admin.get(`${path}?size=2000`)).http).toBe(200);
  }, 120_000);

  test("show the beginning of a text, and mark it as shortened", async () => {
    const { data } = await admin.get("/packages?size=3");
    for (const item of data.content) {
      expect(item.shortened).toEqual(["author", "description", "descriptionContentType", "title", "url"]);
      expect(item.description).toBe("\u0001".repeat(longestListText));
    }
    const { data: submissions } = await admin.get("/submissions?size=1");
    const [{ shortened, changes, packageBag }] = submissions.content;
    expect([shortened, changes.length]).toEqual([["changes"], longestListText]);
    expect(packageBag.shortened).toContain("description");
    const { data: events } = await admin.get("/events?size=1");
    expect(events.content[0].shortened).toEqual(["changedProperties", "description"]);
  });

  test("are sorted by long texts, too", async () => {
    for (const field of ["description", "title", "author", "url"])
      expect((await admin.get(`/packages?sort=${field},desc&size=1`)).http).toBe(200);
    expect((await admin.get("/submissions?sort=changes&size=1")).http).toBe(200);
  });

  test("read little of the texts from the database", async () => {
    it.takeStatements();
    const before = process.memoryUsage().rss;
    await Promise.all(Array.from({ length: 6 }, () => bytesOf("/submissions?size=2000")));
    expect((process.memoryUsage().rss - before) / 1_000_000).toBeLessThan(500);
    for (const { sql: text } of it.takeStatements()) expect(text).not.toMatch(/"packages"\.\*|select \*/);
  });
});

test("an item's own address has the whole text", async () => {
  await sql`update packages set description = repeat('x', 500000), title = 'Harbor', author = 'Ada', license = 'MIT', url = '',
    description_content_type = '', metadata = metadata || '{"imports": "", "classifiers": ""}'`.execute(it.deps.db);
  const [{ id, technology }] = (await admin.get("/packages?size=1")).data.content;
  for (const path of [`/packages/${id}`, `/${technology === "R" ? "r" : "python"}/packages/${id}`]) {
    const { data } = await admin.get(path);
    expect(data.description).toHaveLength(500_000);
    expect(data).not.toHaveProperty("shortened");
  }
});
