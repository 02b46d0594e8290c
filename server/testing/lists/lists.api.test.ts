import { naturalSuffix } from "@packhouse/contract/list-contract";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SentStatement } from "../../platform/db/database.ts";
import { type Client, startPackhouse, type TestPackhouse } from "../packhouse.ts";
import { fillRepository } from "../records/full-repositories.ts";
import { createManyRecords } from "../records/many-records.ts";
import { lists, queriesOf } from "./list-queries.ts";

let it: TestPackhouse;
let admin: Client;

beforeAll(async () => {
  it = await startPackhouse();
  // Enough for PostgreSQL to prefer indexes where it has them.
  await createManyRecords(it.deps.db, {
    users: 200,
    repositories: 100,
    repositoryMaintainers: 500,
    packageMaintainers: 500,
    packages: 20_000,
    events: 50_000,
  });
  admin = await it.as(it.admin);
}, 120_000);
afterAll(() => it.close());

/** Statements since they were taken last, without those by which a job may have changed something in the meantime. */
const queriesSent = () => it.takeStatements().filter((one) => /^\s*(select|with matching)\b/.test(one.sql));

/** Tables with many wide rows, which lists must not read completely. */
const wide = /Seq Scan on (packages|events)\b/;

async function planOf({ sql: text, parameters }: SentStatement, explain = sql`explain`): Promise<string> {
  const parts = text.split(/\$\d+/);
  const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
  const statement = sql.join(
    parts.flatMap((part, index) => {
      const number = numbers[index];
      return number === undefined ? [sql.raw(part)] : [sql.raw(part), sql`${parameters[number - 1]}`];
    }),
    sql``,
  );
  const { rows } = await sql<{ "QUERY PLAN": string }>`${explain} ${statement}`.execute(it.deps.db);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

/** The plan of a prepared statement, for any values. */
async function genericPlanOf(text: string): Promise<string> {
  const { rows } = await sql<{ "QUERY PLAN": string }>`explain (generic_plan) ${sql.raw(text)}`.execute(it.deps.db);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

test("every list takes at most five statements, and reads no wide table completely", async () => {
  const wrong: string[] = [];
  let tried = 0;
  let longest = 0;
  const ofRows = new Set<string>();
  // The first use of a token from an address is recorded, once.
  await admin.get("/users/me");
  for (const { path, list } of lists)
    for (const query of queriesOf(list)) {
      it.takeStatements();
      const { http } = await admin.get(`${path}?${query}`);
      const statements = queriesSent();
      tried += 1;
      if (http !== 200) wrong.push(`${path}?${query}: ${http}`);
      if (statements.length > 5) wrong.push(`${path}?${query}: ${statements.length} statements`);
      for (const statement of statements) {
        if (query !== "size=100") longest = Math.max(longest, statement.sql.length);
        if (ofRows.has(statement.sql)) continue;
        const plan = await planOf(statement);
        if (wide.test(plan)) wrong.push(`${path}?${query}: ${statement.sql.slice(0, 60)}\n${plan}`);
        if (statement.sql.includes("array_position(")) ofRows.add(statement.sql);
      }
      it.takeStatements();
    }
  process.stdout.write(`${tried} list requests were counted and explained; ${longest} characters at most.\n`);
  for (const text of ofRows) {
    const plan = await genericPlanOf(text);
    if (wide.test(plan)) wrong.push(`${text.slice(0, 60)}\n${plan}`);
  }
  expect(wrong).toEqual([]);
  // One for pages of few rows, and one for others: so they are prepared.
  expect(ofRows.size).toBeLessThanOrEqual(2 * lists.length);
  // Each is parsed and planned again. Those of long pages also compute where texts are cut.
  expect(longest).toBeLessThan(10_000);
}, 240_000);

test("a search that few fulfill examines few rows, in whatever order", async () => {
  // One of the names in PostgreSQL's statistics: it takes a hundredth of all names to be like it.
  const { rows } = await sql<{ name: string }>`
    select name from pg_stats, unnest(histogram_bounds::text::text[]) as name
    where tablename = 'packages_name_search' and length(name) = length('package1234') order by name limit 1 offset 20`.execute(
    it.deps.db,
  );
  const name = rows[0]?.name ?? "";
  for (const path of ["/packages", "/submissions"])
    for (const { sorts, names = [] } of lists.filter((one) => one.path === path).map(({ list }) => list))
      for (const sort of [...sorts.slice(0, 5), ...names.map((name) => `${name}${naturalSuffix}`)]) {
        it.takeStatements();
        const { data } = await admin.get(`${path}?search=${name}&sort=${sort},desc`);
        expect(data.page.totalElements, name).toBe(5);
        await expectFewRemoved(`${path} by ${sort}`);
      }
});

/** Of the statements since they were taken last. */
async function expectFewRemoved(what: string): Promise<void> {
  for (const statement of queriesSent()) {
    const plan = await planOf(statement, sql`explain (analyze)`);
    const removed = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, rows]) => Number(rows));
    expect(Math.max(0, ...removed), `${what}:\n${plan}`).toBeLessThan(2000);
  }
  it.takeStatements();
}

test("a list of one repository does not examine those that were filled before it, in whatever order", async () => {
  const repository = await it.given.repository("R", { name: "filled-last" });
  await fillRepository(it.deps.db, repository, { names: 6000, versions: 1 });
  for (const path of ["/packages", "/submissions"])
    for (const { sorts } of lists.filter((one) => one.path === path).map(({ list }) => list))
      for (const sort of sorts) {
        it.takeStatements();
        const { data } = await admin.get(`${path}?repository=filled-last&sort=${sort},asc`);
        expect(data.page.totalElements).toBe(6000);
        await expectFewRemoved(`${path} by ${sort}`);
      }
}, 240_000);
