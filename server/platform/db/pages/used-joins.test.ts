import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type SelectQueryBuilder,
  sql,
} from "kysely";
import { expect, test } from "vitest";
import type { Database } from "../schema.ts";
import { withUsedJoins } from "./used-joins.ts";

const db = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const packages = db
  .selectFrom("packages")
  .leftJoin("repositories", "repositories.id", "packages.repository_id")
  .leftJoin("users as responsible", "responsible.id", "packages.responsible_user_id")
  .leftJoin("submissions", "submissions.package_id", "packages.id")
  .leftJoin("users as submitter", "submitter.id", "submissions.submitter_id");

const joinsOf = <Schema, Tables extends keyof Schema, Row>(
  query: SelectQueryBuilder<Schema, Tables, Row>,
): string[] => {
  const { sql: text } = withUsedJoins(query).compile();
  return [...text.matchAll(/left join "(\w+)"(?: as "(\w+)")?/g)].map(([, table = "", alias = table]) => alias);
};

test("joins of tables that nothing mentions are left out", () => {
  expect(joinsOf(packages.select("packages.id"))).toEqual([]);
});

test("a table is joined for a column, a condition or an order, in SQL too", () => {
  const ids = packages.select("packages.id");
  expect(joinsOf(packages.select("repositories.name"))).toEqual(["repositories"]);
  expect(joinsOf(ids.where("repositories.published", "=", true))).toEqual(["repositories"]);
  expect(joinsOf(ids.where(sql<boolean>`responsible.login = 'ada'`))).toEqual(["responsible"]);
  expect(joinsOf(ids.orderBy(sql`lower(${sql.ref("responsible.name")})`))).toEqual(["responsible"]);
  expect(
    joinsOf(
      ids.where(({ exists, selectFrom }) =>
        exists(selectFrom("events").whereRef("events.repository_id", "=", "repositories.id").select("events.id")),
      ),
    ),
  ).toEqual(["repositories"]);
});

test("a table is joined for the join of another one", () => {
  expect(joinsOf(packages.select("submitter.name"))).toEqual(["submissions", "submitter"]);
});

test("joins that decide which rows there are stay", () => {
  const joined = db.selectFrom("packages").innerJoin("users", "users.id", "packages.responsible_user_id");
  expect(withUsedJoins(joined.select("packages.id")).compile().sql).toContain("inner join");
});

test("what is added to the query later counts, too", () => {
  const { sql: text } = withUsedJoins(packages.select("packages.id")).orderBy("submitter.name").compile();
  expect(text).toMatch(/^select .* left join "submissions" .* left join "users" as "submitter"/);
  expect(text).not.toContain("repositories");
});
