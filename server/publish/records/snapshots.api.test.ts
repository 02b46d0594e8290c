import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage, smallWheel } from "../../testing/small-packages.ts";

const dayMs = 86_400_000;
let now = new Date("2026-03-02T10:00:00Z");
let packhouse: TestPackhouse;
let admin: Client;

beforeAll(async () => {
  packhouse = await startPackhouse({ clock: () => now, settings: { "storage.keepUnnamedHours": 0 } });
  admin = await packhouse.as(packhouse.admin);
});
afterAll(() => packhouse.close());

const fetched = async (path: string) => {
  const answer = await fetch(`${packhouse.address}/repo/${path}`);
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()), headers: answer.headers };
};
const statusOf = async (path: string) => (await fetched(path)).status;
const serialOf = async (name: string): Promise<number> => {
  const row = await packhouse.deps.db
    .selectFrom("repositories")
    .select("rendered_serial")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return row.rendered_serial;
};
/** All forms of an index, as served below an address. */
const indexBelow = async (base: string, paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => (await fetched(`${base}/${path}`)).bytes.toString("base64")));

const forms = {
  R: ["src/contrib/PACKAGES", "src/contrib/PACKAGES.gz", "src/contrib/PACKAGES.rds", "src/contrib/Meta/archive.rds"],
  Python: ["simple/", "simple/one/", "simple/one/?format=application/vnd.pypi.simple.v1%2Bjson"],
} as const;

describe.each(["R", "Python"] as const)("a snapshot of a repository of %s", (technology) => {
  const name = `shelf-${technology.toLowerCase()}`;
  const path = technology.toLowerCase();
  const file = (version: string, fields: Record<string, string> = {}) =>
    technology === "R" ? smallRPackage("one", version, fields) : smallWheel("one", version, fields);
  const another = (called: string) => (technology === "R" ? smallRPackage(called, "1.0") : smallWheel(called, "1.0"));
  const address = (version: string) =>
    technology === "R" ? `src/contrib/one_${version}.tar.gz` : `simple/one/one-${version}-py3-none-any.whl`;
  let repositoryId: number;
  let first: { serial: number; index: string[]; bytes: Buffer; on: Date };
  let second: number;

  beforeAll(async () => {
    ({ id: repositoryId } = await packhouse.given.repository(technology, {
      name,
      published: true,
      requiresAuthentication: false,
    }));
    await admin.upload(technology, await file("1.0"), { repository: name });
    first = {
      serial: await serialOf(name),
      index: await indexBelow(name, forms[technology]),
      bytes: (await fetched(`${name}/${address("1.0")}`)).bytes,
      on: now,
    };
    now = new Date(now.getTime() + dayMs);
    admin = await packhouse.as(packhouse.admin); // tokens of the tests last a day
    await admin.upload(technology, await file("2.0"), { repository: name });
    second = await serialOf(name);
  });

  test("is served byte for byte, by its serial, its day and any instant of its time", async () => {
    expect(await indexBelow(name, forms[technology])).not.toEqual(first.index);
    const day = first.on.toISOString().slice(0, 10);
    for (const at of [`@${first.serial}`, `@${day}`, `@${first.on.toISOString()}`, `@${day}T23:59:59Z`]) {
      expect(await indexBelow(`${name}/${at}`, forms[technology])).toEqual(first.index);
      expect((await fetched(`${name}/${at}/${address("1.0")}`)).bytes).toEqual(first.bytes);
      expect(await statusOf(`${name}/${at}/${address("2.0")}`)).toBe(404);
    }
    expect(await indexBelow(`${name}/@${second}`, forms[technology])).toEqual(
      await indexBelow(name, forms[technology]),
    );
  });

  test("does not exist before the first, for serials and times to come, for days that are not over, and for invalid names", async () => {
    const index = forms[technology][0];
    const before = new Date(first.on.getTime() - dayMs).toISOString();
    const today = now.toISOString().slice(0, 10);
    const later = new Date(now.getTime() + 60_000).toISOString();
    for (const at of [
      "@0",
      `@${(await serialOf(name)) + 1}`,
      "@99999",
      "@999999999",
      `@${2 ** 31 - 1}`,
      `@${2 ** 31}`,
      `@${Number.MAX_SAFE_INTEGER}`,
      `@${2n ** 63n}`,
      "@9999-12-31",
      "@9999-12-31T23:59:59Z",
      "@+275760-09-13",
      "@0000-01-01",
      `@${before.slice(0, 10)}`,
      `@${before}`,
      `@${today}`,
      "@2026-02-30",
      `@${later}`,
      "@",
      "@x",
    ])
      expect([at, await statusOf(`${name}/${at}/${index}`)]).toEqual([at, 404]);
    for (const at of ["@99999", `@${today}`])
      for (const below of ["", "/", `/${address("2.0")}`, "/linux/jammy/src/contrib/PACKAGES", "/simple/One"])
        expect([at, below, await statusOf(`${name}/${at}${below}`)]).toEqual([at, below, 404]);
  });

  test("with a serial that is yet to come exists from then on, and never changes", async () => {
    const next = (await serialOf(name)) + 1;
    const index = () => fetched(`${name}/@${next}/${forms[technology][0]}`);
    expect((await index()).status).toBe(404);
    await admin.upload(technology, await another("two"), { repository: name });
    const then = await index();
    expect(then.status).toBe(200);
    await admin.upload(technology, await another("three"), { repository: name });
    expect((await index()).bytes).toEqual(then.bytes);
  });

  test("keeps the bytes of what was replaced, and answers 410 for what was purged", async () => {
    const served = async () => (await fetched(`${name}/@${second}/${address("2.0")}`)).bytes;
    const before = await served();
    const other = await file("2.0", technology === "R" ? { Title: "Another title" } : { Summary: "Another summary" });
    const replaced = await admin.upload(technology, other, { repository: name, replace: "true" });
    expect((await fetched(`${name}/${address("2.0")}`)).bytes).toEqual(Buffer.from(other.bytes));
    expect(await served()).toEqual(before);

    const serial = await serialOf(name);
    const { id } = replaced.data.packageBag;
    await admin.patch(`/${path}/packages/${id}`, [replace("/deleted", true)]);
    expect((await admin.delete(`/${path}/packages/${id}`)).http).toBe(204);
    expect(await statusOf(`${name}/@${serial}/${address("2.0")}`)).toBe(410);
    expect(await statusOf(`${name}/@${serial}/${forms[technology][0]}`)).toBe(200);
  });

  test("is listed while the repository is published, and served only then", async () => {
    const listed = async () => (await admin.get(`/repositories/${repositoryId}/snapshots`)).data.snapshots;
    const all: { serial: number; renderedOn: string }[] = await listed();
    expect(all.map(({ serial }) => serial)).toEqual(all.map(({ serial }) => serial).toSorted((a, b) => b - a));
    expect(all).toContainEqual({ serial: first.serial, renderedOn: first.on.toISOString().replace(".000", "") });
    await admin.patch(`/${path}/repositories/${repositoryId}`, [replace("/published", false)]);
    expect(await listed()).toEqual([]);
    expect(await statusOf(`${name}/@${first.serial}/${forms[technology][0]}`)).toBe(404);
    await admin.patch(`/${path}/repositories/${repositoryId}`, [replace("/published", true)]);
    expect(await statusOf(`${name}/@${first.serial}/${forms[technology][0]}`)).toBe(200);
    await admin.patch(`/${path}/repositories/${repositoryId}`, [replace("/requiresAuthentication", true)]);
    expect(await statusOf(`${name}/@${first.serial}/${forms[technology][0]}`)).toBe(401);
  });
});

test("a snapshot of a moment during a render is the one before, also afterward", async () => {
  const { id, name } = await packhouse.given.repository("R", { name: "slow", published: true });
  await admin.upload("R", await smallRPackage("one", "1.0"), { repository: name });
  const before = await serialOf(name);
  const blocked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const blocking = packhouse.deps.db.transaction().execute(async (tx) => {
    await sql`lock table index_blocks in share mode`.execute(tx);
    held.resolve();
    await blocked.promise;
  });
  await held.promise;
  now = new Date(now.getTime() + 60_000);
  const during = now;
  const uploading = admin.upload("R", await smallRPackage("two", "1.0"), { repository: name });
  const rendering = async () => {
    const { rows } = await sql`
      select from pg_locks where relation = 'index_blocks'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(packhouse.deps.db);
    return rows.length > 0;
  };
  await expect.poll(rendering).toBe(true);
  now = new Date(now.getTime() + 60_000);
  blocked.resolve();
  await blocking;
  expect((await uploading).http).toBe(201);
  expect(await serialOf(name)).toBeGreaterThan(before);
  const rows = await packhouse.deps.db
    .selectFrom("rendered_serials")
    .selectAll()
    .where("repository_id", "=", id)
    .where("serial", ">", before)
    .execute();
  expect(rows.every((row) => row.rendered_on.getTime() > during.getTime())).toBe(true);
});

test("redirects of a Python repository stay within the snapshot", async () => {
  await packhouse.given.repository("Python", { name: "within", published: true, requiresAuthentication: false });
  await admin.upload("Python", await smallWheel("Some_Name", "1.0"), { repository: "within" });
  const serial = await serialOf("within");
  const answer = await fetch(`${packhouse.address}/repo/within/@${serial}/simple/Some_Name`, { redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([301, `/repo/within/@${serial}/simple/some-name/`]);
});
