import type { OperationName } from "@packhouse/contract/operations";
import { isLong } from "@packhouse/fixtures/long-form";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPackhouse } from "../packhouse.ts";
import { auditOf } from "./audit.ts";
import type { Calls } from "./calls.ts";
import { type Matrix, startMatrix } from "./matrix.ts";
import type { Person } from "./people.ts";

let it: TestPackhouse;
let actors: Person[];
let calls: Matrix["calls"];

beforeAll(async () => {
  const matrix = await startMatrix();
  ({ it, calls } = matrix);
  // Together they may do everything.
  actors = [matrix.byName.administrator, matrix.byName.submitter];
});
afterAll(() => it.close());

const tables = [
  "users",
  "user_settings",
  "repositories",
  "packages",
  "submissions",
  "package_maintainers",
  "repository_maintainers",
  "access_tokens",
  "second_factors",
  "recovery_codes",
  "events",
  "security_events",
  "index_changes",
  "published_files",
];

/** Every row of every table of records, as one text per table. */
async function contents(): Promise<Record<string, unknown>> {
  const digests = tables.map((table) => {
    const name = sql.id(table);
    // What names look like is derived, and filled in when it is first needed.
    const record = sql`(to_jsonb(row) - 'name_look')::text`;
    return sql`(select md5(string_agg(${record}, ',' order by ${record})) from ${name} as row) as ${name}`;
  });
  const { rows } = await sql<Record<string, unknown>>`select ${sql.join(digests)}`.execute(it.deps.db);
  return rows[0] ?? {};
}

/** In the short form, each change of one state by one of those who may. */
const some = (states: readonly string[]) => (isLong ? states : states.slice(-1));

test("a change whose event cannot be written does not happen", async () => {
  const { db } = it.deps;
  await sql`create function refuse_event() returns trigger language plpgsql as
    $$ begin raise exception 'no room for events'; end $$`.execute(db);
  const wrong: string[] = [];
  let tried = 0;
  for (const [route, { states, make, variants }] of Object.entries(calls) as [OperationName, Calls][])
    for (const state of some(states.filter((state) => auditOf(route, state))))
      for (const variant of variants)
        for (const person of actors) {
          const record = (await make?.(state, person)) ?? { id: 0 };
          if (variant.expected(person, state, record) >= 300) continue;
          // All renders are done, so that nothing else writes.
          await it.deps.publication.whenServed(
            (await db.selectFrom("repositories").select("id").execute()).map(({ id }) => id),
          );
          const before = await contents();
          const logs = [sql.table("events"), sql.table("security_events")];
          for (const log of logs)
            await sql`create trigger no_events before insert on ${log} execute function refuse_event()`.execute(db);
          const { http } = await variant.send(person.client, record, state);
          for (const log of logs) await sql`drop trigger no_events on ${log}`.execute(db);
          tried += 1;
          const after = await contents();
          const changed = tables.filter((table) => before[table] !== after[table]);
          if (http !== 500 || changed.length > 0)
            wrong.push(`${route} ${variant.name} of ${state}: ${http}, changed ${changed.join(", ") || "nothing"}`);
          if (!isLong) break;
        }
  process.stdout.write(`${tried} changes were tried without room for their event.\n`);
  expect(wrong).toEqual([]);
}, 120_000);
