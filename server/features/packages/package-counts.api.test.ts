import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sumPackageCounts, wrongPackageCounts } from "../../platform/db/counts-upkeep-store.ts";
import { type Client, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { createManyRecords, largeOrganization } from "../../testing/records/many-records.ts";

let it: TestPackhouse;
let admin: Client;

const packages = 400;

beforeAll(async () => {
  it = await startPackhouse();
  admin = await it.as(it.admin);
  const few = { users: 20, repositories: 8, repositoryMaintainers: 5, packageMaintainers: 5, packages, events: 10 };
  await createManyRecords(it.deps.db, { ...largeOrganization, ...few });
});

afterAll(() => it.close());

const total = async (path: string): Promise<number> => (await admin.get(path)).data.page.totalElements;

const rowsWhere = async (condition: RawBuilder<boolean>): Promise<number> => {
  const { count } = await it.deps.db
    .selectFrom("packages")
    .innerJoin("submissions", "submissions.package_id", "packages.id")
    .innerJoin("repositories", "repositories.id", "packages.repository_id")
    .select(sql<number>`count(*)`.as("count"))
    .where(condition)
    .executeTakeFirstOrThrow();
  return count;
};

/** Numbers that repeat from run to run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

describe("the counts of packages", () => {
  test("are those of the rows at each moment, while they change at the same time", async () => {
    const { db } = it.deps;
    const states = ["WAITING", "ACCEPTED", "REJECTED", "CANCELLED"];
    let changing = true;
    const change = async (seed: number) => {
      const next = numbers(seed);
      for (let n = 0; n < 60; n += 1) {
        // Few packages, so that they collide.
        const id = sql`(select min(id) + ${next(12)}::integer from packages)`;
        const state = states[next(4)];
        const kind = next(8);
        const deleted = next(2) === 0;
        await db
          .transaction()
          .execute(async (tx) => {
            if (kind < 3) await sql`update submissions set state = ${state} where package_id = ${id}`.execute(tx);
            else if (kind < 5) await sql`update packages set deleted = ${deleted} where id = ${id}`.execute(tx);
            else if (kind === 5)
              await sql`
                with changed as (update submissions set state = ${state} where package_id = ${id} returning package_id)
                update packages set deleted = ${deleted}, kind = 'binary', target = id::text, mirror = ${next(2) === 0 ? null : "north"}
                where id = ${id}`.execute(tx);
            else if (kind === 6)
              await sql`
                with changed as (update packages set deleted = ${deleted} where id = ${id} returning id)
                update submissions set state = ${state} where package_id in (select id from changed)`.execute(tx);
            else await sql`delete from packages where id = ${id}`.execute(tx);
            if (next(5) === 0) throw new Error("rolled back");
          })
          .catch((error: unknown) => {
            // PostgreSQL ends one of two changes that wait for each other.
            if (!/rolled back|deadlock/.test(String(error))) throw error;
          });
      }
    };
    const watch = async () => {
      let looks = 0;
      for (; changing; looks += 1) {
        expect(await wrongPackageCounts(db)).toEqual([]);
        await sumPackageCounts(db);
      }
      return looks;
    };
    const watching = [watch(), watch()];
    await Promise.all([1, 2, 3, 4, 5, 6].map(change)).finally(() => {
      changing = false;
    });
    for (const looks of await Promise.all(watching)) expect(looks).toBeGreaterThan(5);
    expect(await wrongPackageCounts(db)).toEqual([]);
    expect(await total("/packages")).toBe(await rowsWhere(sql`true`));
    expect(await rowsWhere(sql`true`)).toBeLessThan(packages);
  });

  test("are what lists show, without a look at the rows", async () => {
    const conditions: Record<string, RawBuilder<boolean>> = {
      "/packages?deleted=true": sql`packages.deleted`,
      "/packages?submissionState=WAITING,REJECTED": sql`state in ('WAITING', 'REJECTED')`,
      "/packages?technology=R&binary=true": sql`packages.technology = 'R' and kind = 'binary'`,
      "/packages?origin=mirror": sql`mirror is not null`,
      "/packages?origin=upload": sql`mirror is null`,
      "/packages?origin=upload,mirror": sql`true`,
      "/r/packages?repository=repository1,repository2,nowhere": sql`
        packages.technology = 'R' and repositories.name in ('repository1', 'repository2')`,
      "/submissions": sql`true`,
      "/submissions?state=ACCEPTED&binary=false": sql`state = 'ACCEPTED' and kind = 'source'`,
      "/python/submissions?technology=Python": sql`packages.technology = 'Python'`,
      "/submissions?technology=R&repository=repository3": sql`
        packages.technology = 'R' and repositories.name = 'repository3'`,
    };
    for (const [path, condition] of Object.entries(conditions)) {
      it.takeStatements();
      const shown = await total(path);
      expect(it.takeStatements().filter(({ sql: text }) => /count\(\*\) as/.test(text))).toEqual([]);
      expect([path, shown]).toEqual([path, await rowsWhere(condition)]);
    }
  });

  test("are summed to one row for each kind of packages that there are", async () => {
    await sql`update packages set deleted = not deleted`.execute(it.deps.db);
    await sumPackageCounts(it.deps.db);
    const rows = await it.deps.db.selectFrom("package_counts").selectAll().execute();
    const kinds = new Set(rows.map(({ number: _, ...kind }) => JSON.stringify(kind)));
    expect(rows.length).toBe(kinds.size);
    expect(rows.every(({ number }) => number > 0)).toBe(true);
    expect(rows.reduce((sum, { number }) => sum + number, 0)).toBe(await rowsWhere(sql`true`));
  });
});
