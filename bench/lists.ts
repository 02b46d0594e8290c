import type { AnyList } from "@packhouse/contract/list-contract";
import { operations } from "@packhouse/contract/operations";
import { apiPrefix } from "@packhouse/contract/routes";
import { setup } from "@packhouse/server/testing/database-server";
import { createManyRecords, largeOrganisation } from "@packhouse/server/testing/many-records";
import { startPackhouse } from "@packhouse/server/testing/packhouse";
import { quantile } from "./organisation.ts";

const repeats = Number(process.env.BENCH_REPEATS ?? 5);

/** Values that find something among many records, and the filter that finds nothing. */
const values: Record<string, string[]> = {
  technology: ["R", "Python"],
  resourceTechnology: ["R"],
  repository: ["repository7", "nowhere"],
  repositoryName: ["repository7"],
  deleted: ["true", "false"],
  published: ["true", "false"],
  active: ["true", "false"],
  expired: ["false"],
  purged: ["true"],
  assignedToMe: ["true"],
  submissionState: ["ACCEPTED", "WAITING", "WAITING,REJECTED"],
  state: ["ACCEPTED", "WAITING", "CANCELLED"],
  search: ["package1", "package12345", "age", "a", "nothing at all"],
  name: ["package77", "repository7"],
  maintainer: ["Ada", "nobody"],
  notMaintainedBy: ["nobody"],
  role: ["admin", "user"],
  userLogin: ["admin"],
  userName: ["admin", "person17"],
  eventType: ["upload", "update,create"],
  resourceType: ["submission", "package", "repository"],
  fromDate: ["2026-01-01"],
  toDate: ["2025-06-01"],
  packageName: ["package77"],
  packageVersion: ["1.3"],
};

/** Every list with every filter, every sort and pages near and far, as an administrator and as maintainers see them. */
export async function lists(): Promise<string[]> {
  const stop = await setup();
  try {
    await using it = await startPackhouse();
    await createManyRecords(it.deps.db, largeOrganisation);
    const callers = {
      admin: await it.bySession(it.admin),
      "repository maintainer": await it.bySession(await personOfRank(it.deps.db, 2)),
      user: await it.bySession(await personOfRank(it.deps.db, 0)),
    };
    const slow: { address: string; caller: string; ms: number }[] = [];
    const times: number[] = [];
    let statements = 0;
    for (const [route, { answer }] of Object.entries(operations)) {
      if (answer === "nothing" || !("list" in answer)) continue;
      const path = route.slice("GET ".length);
      for (const query of queriesOf(answer.list))
        for (const [caller, client] of Object.entries(callers)) {
          const address = `${apiPrefix}${path}?${query}`;
          const some: number[] = [];
          for (let repeat = 0; repeat < repeats; repeat += 1) {
            it.takeStatements();
            const started = performance.now();
            const response = await client.request(address);
            await response.arrayBuffer();
            some.push(performance.now() - started);
            statements = Math.max(statements, it.takeStatements().length);
          }
          times.push(...some.slice(1));
          slow.push({ address, caller, ms: quantile(some.slice(1), 0.5) });
        }
    }
    slow.sort((a, b) => b.ms - a.ms);
    return [
      `${slow.length} requests, ${repeats - 1} times each after a first one`,
      `p50 ${quantile(times, 0.5).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms, at most ${statements} statements`,
      "slowest:",
      ...slow
        .slice(0, 25)
        .map(({ address, caller, ms }) => `${ms.toFixed(0)} ms ${address.slice(apiPrefix.length)} (${caller})`),
    ];
  } finally {
    await stop();
  }
}

function* queriesOf(list: AnyList): Generator<string> {
  yield "size=20";
  yield "size=100";
  yield "page=2500&size=20";
  for (const sort of list.sorts) {
    yield `sort=${sort},asc`;
    yield `sort=${sort},desc&page=40`;
  }
  for (const filter of Object.keys(list.filters)) {
    for (const value of values[filter] ?? []) {
      yield `${filter}=${encodeURIComponent(value)}`;
      yield `${filter}=${encodeURIComponent(value)}&sort=${list.sorts[1] ?? "id"},desc`;
    }
    if (!values[filter]) throw new Error(`the benchmark has no value for the filter ${filter}`);
  }
}

async function personOfRank(db: Parameters<typeof createManyRecords>[0], rank: number): Promise<{ id: number }> {
  return db
    .selectFrom("users")
    .select("id")
    .where("rank", "=", rank)
    .where("login", "like", "person%")
    .orderBy("id")
    .executeTakeFirstOrThrow();
}
