import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPackhouse, type TestPackhouse } from "../../../testing/packhouse.ts";

type Db = TestPackhouse["deps"]["db"];

let it: TestPackhouse;
let opened: ReturnType<TestPackhouse["openDatabase"]>;
beforeAll(async () => {
  it = await startPackhouse();
  opened = it.openDatabase();
});
afterAll(async () => {
  await opened.close();
  await it.close();
});

const named = (db: Db) => db.selectFrom("users").select(["id", "login"]).where("login", "=", "admin").execute();
const whole = (db: Db) => db.selectFrom("users").selectAll().where("login", "=", "admin").execute();
const wholeByHand = (db: Db) => sql`select users.* from users where login = ${"admin"}`.execute(db);
const byIds = (db: Db) =>
  db
    .selectFrom("users")
    .select(["id", sql`(select count(*) from second_factors)`.as("count")])
    .where(sql<boolean>`users.id = any(${[1, 2]}::integer[])`)
    .orderBy(sql`array_position(${[1, 2]}::integer[], users.id)`)
    .execute();
const page = (db: Db) => db.selectFrom("users").select("id").limit(5).offset(0).execute();

test("a statement that recurs is prepared once, rows by their ids too, a page and all columns of a table never", async () => {
  await opened.db.connection().execute(async (connection) => {
    for (let count = 0; count < 12; count += 1) {
      expect(await named(connection)).toMatchObject([{ login: "admin" }]);
      await whole(connection);
      await wholeByHand(connection);
      await page(connection);
      await byIds(connection);
    }
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements order by length(statement)`.execute(connection);
    expect(rows).toEqual([
      { statement: 'select "id", "login" from "users" where "login" = $1' },
      { statement: expect.stringContaining("count(*)") },
    ]);
  });
});

test("a connection keeps working when a replica of the next version adds a column", async () => {
  await opened.db.connection().execute(async (connection) => {
    const both = async () => {
      expect(await named(connection)).toHaveLength(1);
      expect(await whole(connection)).toHaveLength(1);
      expect((await wholeByHand(connection)).rows).toHaveLength(1);
    };
    for (let count = 0; count < 12; count += 1) await both();
    await sql`alter table users add column of_the_next_version text`.execute(opened.db);
    for (let count = 0; count < 12; count += 1) await both();
  });
});
