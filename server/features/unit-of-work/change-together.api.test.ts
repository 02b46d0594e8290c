import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, startPackhouse, type TestAnswer, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage } from "../../testing/small-packages.ts";
import { gatheredChanges } from "./change-together.ts";

let packhouse: TestPackhouse;
let admin: Client;
let other: ReturnType<TestPackhouse["openDatabase"]>;
beforeAll(async () => {
  packhouse = await startPackhouse();
  admin = await packhouse.as(packhouse.admin);
  other = packhouse.openDatabase();
});
afterAll(async () => {
  await other.close();
  await packhouse.close();
});

type Repository = Awaited<ReturnType<TestPackhouse["given"]["repository"]>>;

/** Requests that are sent while another transaction holds the repository, and answered once it ends. */
async function whileHeld(
  { id }: Repository,
  send: () => Promise<readonly Promise<TestAnswer>[]>,
): Promise<TestAnswer[]> {
  const sent = await other.db.transaction().execute(async (holding) => {
    await sql`select from repositories where id = ${id} for update`.execute(holding);
    return send();
  });
  return Promise.all(sent);
}

/** The first one begins and waits for the repository; the others gather behind it. */
function uploadTogether(repository: Repository, names: readonly string[]): Promise<TestAnswer[]> {
  return whileHeld(repository, async () => {
    const begun: Promise<TestAnswer>[] = [];
    for (const name of names) {
      begun.push(admin.upload("R", await smallRPackage(name, "1.0"), { repository: repository.name }));
      if (begun.length === 1) await expect.poll(waitingForLock).toBe(1);
      else await expect.poll(() => gatheredChanges(packhouse.deps, repository.id)).toBe(begun.length - 1);
    }
    return begun;
  });
}

async function waitingForLock(): Promise<number> {
  const waiting = sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%repositories%'`;
  return (await waiting.execute(packhouse.deps.db)).rows.length;
}

const versionOf = async ({ id }: Repository) => (await admin.get(`/r/repositories/${id}`)).data.version;
const listed = async ({ name }: Repository) => {
  const index = await (await packhouse.anonymous.request(`/repo/${name}/src/contrib/PACKAGES`)).text();
  return [...index.matchAll(/^Package: (.*)$/gm)].map(([, listedName]) => listedName);
};

/** Names of packages, by the transaction that wrote them. */
async function byTransaction({ id }: Repository): Promise<string[][]> {
  const { rows } = await sql<{ names: string[] }>`
    select array_agg(name::text order by id) as names from packages
    where repository_id = ${id} group by xmin::text order by min(id)`.execute(packhouse.deps.db);
  return rows.map(({ names }) => names);
}

test("uploads that wait for a repository share a transaction, in which each counts", async () => {
  const repository = await packhouse.given.repository("R");
  const before = await versionOf(repository);
  const answers = await uploadTogether(repository, ["aspen", "birch", "cedar", "dogwood"]);
  expect(answers.map(({ http, data }) => [http, data.packageBag.name])).toEqual([
    [201, "aspen"],
    [201, "birch"],
    [201, "cedar"],
    [201, "dogwood"],
  ]);
  expect(await byTransaction(repository)).toEqual([["aspen"], ["birch", "cedar", "dogwood"]]);
  expect(await listed(repository)).toEqual(["aspen", "birch", "cedar", "dogwood"]);
  expect(await versionOf(repository)).toBe(before + 4);
  const { rows } = await sql<{ recorded: number }>`
    select count(*) as recorded from events where repository_id = ${repository.id} and event_type = 'upload'`.execute(
    packhouse.deps.db,
  );
  expect(rows).toEqual([{ recorded: 4 }]);
});

test("the second of two that exclude each other is refused, and the others are kept", async () => {
  const repository = await packhouse.given.repository("R");
  const answers = await uploadTogether(repository, ["anemone", "tidepool", "tidepoo1", "coral"]);
  expect(answers.map(({ http }) => http)).toEqual([201, 201, 422, 201]);
  expect(await byTransaction(repository)).toEqual([["anemone"], ["tidepool"], ["coral"]]);
  expect(await listed(repository)).toEqual(["anemone", "coral", "tidepool"]);
});

test("one for which the database refuses what is written last does not take the others with it", async () => {
  const repository = await packhouse.given.repository("R");
  const { db } = packhouse.deps;
  await sql`alter table events add constraint no_beech check (description not like '%beech%') not valid`.execute(db);
  const answers = await uploadTogether(repository, ["ash", "beech", "chestnut", "dracaena"]);
  await sql`alter table events drop constraint no_beech`.execute(db);
  expect(answers.map(({ http }) => http)).toEqual([201, 500, 201, 201]);
  expect(await byTransaction(repository)).toEqual([["ash"], ["chestnut"], ["dracaena"]]);
  expect(await listed(repository)).toEqual(["ash", "chestnut", "dracaena"]);
});

test("of decisions made at once, each submission gets one", async () => {
  const repository = await packhouse.given.repository("R");
  const uploader = await packhouse.as(await packhouse.given.person("rowan"));
  const ids: number[] = [];
  for (const name of ["aspen", "birch", "cedar"]) {
    const { data } = await uploader.upload("R", await smallRPackage(name, "1.0"), { repository: repository.name });
    ids.push(data.id);
  }
  const before = await versionOf(repository);
  const decide = (id: number, state: string) =>
    admin.patch(`/r/submissions/${id}`, [{ op: "replace", path: "/state", value: state }]);
  const [aspen = 0, birch = 0, cedar = 0] = ids;
  const answers = await whileHeld(repository, async () => [
    decide(aspen, "ACCEPTED"),
    decide(birch, "REJECTED"),
    decide(birch, "ACCEPTED"),
    decide(cedar, "ACCEPTED"),
    decide(cedar, "ACCEPTED"),
  ]);
  expect(answers.map(({ http }) => http).sort()).toEqual([200, 200, 200, 422, 422]);
  const states = await Promise.all(ids.map(async (id) => (await admin.get(`/r/submissions/${id}`)).data.state));
  const accepted = ["aspen", "birch", "cedar"].filter((_name, index) => states[index] === "ACCEPTED");
  expect(states).not.toContain("WAITING");
  expect(await listed(repository)).toEqual(accepted);
  expect(await versionOf(repository)).toBe(before + accepted.length);
});
