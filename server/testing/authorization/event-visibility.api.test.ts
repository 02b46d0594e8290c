import { isLong } from "@packhouse/fixtures/long-form";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, replace, type TestPackhouse } from "../packhouse.ts";
import { type Matrix, startMatrix } from "./matrix.ts";
import type { Person } from "./people.ts";
import { eventStates } from "./records.ts";

let it: TestPackhouse;
let matrix: Matrix;
let users: Person[];
let allEvents: number[];

beforeAll(async () => {
  matrix = await startMatrix({
    settings: { readRights: [{ repository: "vault", role: "repositorymaintainer", groups: [] }] },
  });
  ({ it } = matrix);
  users = matrix.people.filter(({ out }) => !out);
  for (const state of eventStates) for (const { id } of users) await matrix.records.event(state, id);
  await closedRepository();
  allEvents = (await it.deps.db.selectFrom("events").select("id").orderBy("id").execute()).map(({ id }) => id);
}, 120_000);
afterAll(() => it.close());

/** Events that real calls write, in a repository that most users may not read. */
async function closedRepository(): Promise<void> {
  const admin = await it.as(it.admin);
  const vault = await it.given.repository("Python", { name: "vault" });
  await admin.patch(`/python/repositories/${vault.id}`, [replace("/published", false)]);
  for (const { id } of users)
    await it.deps.db
      .insertInto("events")
      .values({
        occurred_on: it.deps.clock(),
        user_id: id,
        event_type: "update",
        resource_type: "REPOSITORY",
        resource_id: vault.id,
        technology: "Python",
        repository_id: vault.id,
        package_id: null,
        package_name: null,
        changed_properties: "[]",
        description: "",
      })
      .execute();
}

const listed = async (client: Client, flags: string): Promise<Set<number>> => {
  const { data } = await client.get(`/events?size=2000${flags}`);
  expect(data.page.totalPages).toBeLessThanOrEqual(1);
  const ids = new Set<number>(data.content.map(({ id }: { id: number }) => id));
  expect(data.page.totalElements).toBe(ids.size);
  return ids;
};

// Each user requests every fourth event here, and every sixteenth of purged records; with `npm run test:long`, each.
test.each([
  { flags: "", every: isLong ? 1 : 4 },
  { flags: "&purged=true", every: isLong ? 1 : 16 },
])(
  "a list of events and each event by its id agree for everyone ($flags)",
  async ({ flags, every }) => {
    const wrong: string[] = [];
    const sizes = new Set<number>();
    for (const [turn, { name, client }] of users.entries()) {
      const shown = await listed(client, flags);
      sizes.add(shown.size);
      for (const id of allEvents.filter((_id, index) => (index + turn) % every === 0)) {
        const { http, messageCode } = await client.get(`/events/${id}?${flags.slice(1)}`);
        const answer = http === 200 ? "shown" : `${http} ${messageCode}`;
        const expected = shown.has(id) ? "shown" : "404 event.notfound";
        if (answer !== expected) wrong.push(`${id} for ${name}: ${answer}, not ${expected}`);
      }
    }
    expect(wrong).toEqual([]);
    // Roles and records must make a difference, or nothing was compared.
    expect(sizes.size).toBeGreaterThan(3);
  },
  300_000,
);
