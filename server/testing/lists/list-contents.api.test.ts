import { roleOfRank } from "@packhouse/contract/roles";
import { isLong } from "@packhouse/fixtures/long-form";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, startPackhouse, type TestPackhouse } from "../packhouse.ts";
import type { ListRequest, ModeledList } from "./list-model.ts";
import { type ListCaller, listModels, listModelsByCaller } from "./list-models.ts";
import { lists } from "./list-queries.ts";
import { createListRows, type ListRows, listClock, readListRows } from "./list-rows.ts";

let it: TestPackhouse;
let tables: ListRows;
let models: ModeledList[];
let admin: Client;

beforeAll(async () => {
  // Old security events stay as they are, also while the hourly job runs that prunes them.
  const settings = { "securityEvents.days": 36_500, "securityEvents.addressDays": 36_500 };
  it = await startPackhouse({ clock: listClock, settings });
  await createListRows(it.deps.db);
  admin = await it.as(it.admin);
  // The first use of a token is recorded; after that the rows stay unchanged.
  await admin.get("/users/me");
  tables = await readListRows(it.deps.db);
  models = listModels(tables, it.admin);
});
afterAll(() => it.close());

/** How a list differs from its model; undefined if it is correct. */
async function difference(
  client: Client,
  { list, expected }: ModeledList,
  request: ListRequest,
  { page, size } = { page: 0, size: 2000 },
): Promise<string | undefined> {
  const parameters = new URLSearchParams({ ...request.asked, page: String(page), size: String(size) });
  for (const { field, direction } of request.sort) parameters.append("sort", `${field},${direction}`);
  const address = `${list.path}?${parameters}`;
  const { http, data } = await client.get(address);
  if (http !== 200) return `${address}: ${http}`;
  const wanted = expected(request);
  const found = data.content.map(({ id }: { id: number }) => id);
  const isRight =
    data.page.totalElements === wanted.length && found.join() === wanted.slice(page * size, (page + 1) * size).join();
  return isRight
    ? undefined
    : `${address}: ${data.page.totalElements} rows, ${found}\nnot ${wanted.length} rows, ${wanted}`;
}

test("every list of the API has a model, and rows that exercise each of its filters and sorts", () => {
  expect(new Set(models.map(({ list }) => list))).toEqual(new Set(lists.map(({ list }) => list)));
  expect(models.flatMap(({ untried }) => untried)).toEqual([]);
});

test("each filter and each sort alone is correct", async () => {
  const wrong: string[] = [];
  for (const model of models)
    for (const request of model.single) {
      const found = await difference(admin, model, request);
      if (found !== undefined) wrong.push(found);
    }
  expect(wrong).toEqual([]);
}, 300_000);

test("a later page of all rows is correct in each order, after the first one", async () => {
  const wrong: string[] = [];
  for (const model of models)
    for (const request of model.single.filter(({ asked }) => Object.keys(asked).length === 0)) {
      const found = await difference(admin, model, request, { page: 1, size: 7 });
      if (found !== undefined) wrong.push(found);
    }
  expect(wrong).toEqual([]);
}, 120_000);

test("combined filters and sorts are correct, page by page", async () => {
  for (const model of models)
    await fc.assert(
      fc.asyncProperty(model.several, fc.nat(2), async (request, page) => {
        expect(await difference(admin, model, request, { page, size: 7 })).toBeUndefined();
      }),
      { numRuns: 12, seed: 1 },
    );
}, 120_000);

describe("as seen by", () => {
  test.each(isLong ? [0, 1, 2] : [1])(
    "a user of rank %i, lists show what is theirs",
    async (rank) => {
      const { reviews, submissions, packageMaintainers, accessTokens, sessions } = listModelsByCaller;
      for (const { id, ...user } of tables.users.values()) {
        if (user.rank !== rank || !user.active || user.deleted) continue;
        const caller: ListCaller = { id, role: roleOfRank(rank).name };
        const client = await it.as({ id });
        await client.get("/users/me");
        const seen = await readListRows(it.deps.db);
        const theirs = [reviews, submissions, accessTokens, sessions, ...(rank === 2 ? [packageMaintainers] : [])];
        for (const model of theirs.map((of) => of(seen, caller)))
          for (const request of model.single.filter(({ sort }) => sort.length === 0))
            expect(await difference(client, model, request)).toBeUndefined();
      }
    },
    60_000,
  );
});
