import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage } from "../../testing/small-packages.ts";

let packhouse: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  packhouse = await startPackhouse();
  admin = await packhouse.as(packhouse.admin);
});
afterAll(() => packhouse.close());

const upload = async (repository: { name: string }, name: string) =>
  admin.upload("R", await smallRPackage(name, "1.0"), { repository: repository.name });

const indexOf = async ({ name }: { name: string }) =>
  (await packhouse.anonymous.request(`/repo/${name}/src/contrib/PACKAGES`)).text();
const listed = async (repository: { name: string }) =>
  [...(await indexOf(repository)).matchAll(/^Package: (.*)$/gm)].map(([, name]) => name);

/** The transactions that wrote a package and the parts of the index. */
async function writers(repositoryId: number, name: string) {
  const { rows } = await sql<{ package: string; part: string }>`
    select packages.xmin::text as package, index_parts.xmin::text as part from packages, index_parts
    where packages.repository_id = ${repositoryId} and name = ${name}
      and index_parts.repository_id = ${repositoryId} and key = left(${name}, length(key)) and key <> ''
      and to_serial is null`.execute(packhouse.deps.db);
  return rows;
}

test("a change that no other waits for is rendered in its own transaction, and raises the version once", async () => {
  const repository = await packhouse.given.repository("R");
  const versionOf = async () => (await admin.get(`/r/repositories/${repository.id}`)).data.version;
  const before = await versionOf();
  expect((await upload(repository, "tidepool")).http).toBe(201);
  expect(await listed(repository)).toEqual(["tidepool"]);
  const [one, ...others] = await writers(repository.id, "tidepool");
  expect(others).toEqual([]);
  expect(one?.part).toBe(one?.package);
  expect(await versionOf()).toBe(before + 1);
});

test("after one that is not rendered yet, it is rendered together with that one", async () => {
  const repository = await packhouse.given.repository("R");
  const { data } = await upload(repository, "almanac");
  await packhouse.removeJobsOf(repository);
  await packhouse.deps.db.transaction().execute(async (tx) => {
    await sql`update packages set active = false where id = ${data.packageBag.id}`.execute(tx);
    await packhouse.deps.publication.note(tx, repository.id, ["almanac"]);
  });
  expect(await listed(repository)).toEqual(["almanac"]);
  expect((await upload(repository, "tidepool")).http).toBe(201);
  expect(await listed(repository)).toEqual(["tidepool"]);
  const [one] = await writers(repository.id, "tidepool");
  expect(one?.part).not.toBe(one?.package);
});

test("a change whose render fails is not kept, and works once the reason is gone", async () => {
  const repository = await packhouse.given.repository("R");
  await upload(repository, "almanac");
  const { db } = packhouse.deps;
  await sql`
    alter table rendered_serials add constraint no_end check (repository_id <> ${sql.lit(repository.id)}) not valid`.execute(
    db,
  );
  const eventsBefore = (await admin.get("/events")).data.page.totalElements;
  expect((await upload(repository, "tidepool")).http).toBe(500);
  expect((await admin.get("/events")).data.page.totalElements).toBe(eventsBefore);
  expect((await admin.get(`/r/packages?repository=${repository.name}`)).data.page.totalElements).toBe(1);
  expect(await listed(repository)).toEqual(["almanac"]);
  await sql`alter table rendered_serials drop constraint no_end`.execute(db);
  expect((await upload(repository, "tidepool")).http).toBe(201);
  expect(await listed(repository)).toEqual(["almanac", "tidepool"]);
});

test("changes at once and one by one are all published, with or without a render of their own", async () => {
  const repository = await packhouse.given.repository("R");
  const names = Array.from({ length: 24 }, (_unused, index) => `pkg${String.fromCharCode(97 + index)}`);
  for (let from = 0; from < names.length; from += 6) {
    const [alone = "", ...together] = names.slice(from, from + 6);
    expect((await upload(repository, alone)).http).toBe(201);
    const answers = await Promise.all(together.map((name) => upload(repository, name)));
    expect(answers.map(({ http }) => http)).toEqual(together.map(() => 201));
    expect(await listed(repository)).toEqual(names.slice(0, from + 6));
  }
});
