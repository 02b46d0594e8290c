import { type AnyList, parameterSchemaOf } from "@packhouse/contract/list-contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, startPackhouse, type TestPackhouse } from "../packhouse.ts";
import { lists } from "./list-queries.ts";
import { createListRows } from "./list-rows.ts";

let it: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  it = await startPackhouse();
  await createListRows(it.deps.db);
  admin = await it.as(it.admin);
});
afterAll(() => it.close());

/** Names of the filters of a list by what their values are. */
const filtersOf = ({ filters }: AnyList, isList: boolean): string[] =>
  Object.entries(filters).flatMap(([name, filter]) =>
    (parameterSchemaOf(filter)?.type === "array") === isList ? [name] : [],
  );

const found = async (path: string, query: string) => {
  const { http, data } = await admin.get(`${path}?${query}`);
  return http === 200 ? (data.page.totalElements as number) : http;
};

/** They leave nothing out: excluded names, versions of packages that are not named, addresses of other events. */
const leavingOut = new Set(["notMaintainedBy", "packageVersion", "address"]);

test("an empty filter for values finds nothing, as a script with an empty variable would expect", async () => {
  const wrong: string[] = [];
  let tried = 0;
  for (const { path, list } of lists) {
    const all = await found(path, "");
    for (const name of filtersOf(list, true))
      for (const value of ["", ",", `&${name}=`]) {
        const expected = /technology/i.test(name) ? 400 : leavingOut.has(name) ? all : 0;
        const total = await found(path, `${name}=${value}`);
        tried += 1;
        if (total !== expected) wrong.push(`${path}?${name}=${value}: ${total} of ${all}, not ${expected}`);
      }
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(60);
});

test("an empty text, flag or date is no filter", async () => {
  const wrong: string[] = [];
  for (const { path, list } of lists) {
    const all = await found(path, "");
    for (const name of filtersOf(list, false))
      if ((await found(path, `${name}=`)) !== all) wrong.push(`${path}?${name}=`);
  }
  expect(wrong).toEqual([]);
});
