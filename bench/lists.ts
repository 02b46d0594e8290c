import { apiPrefix } from "@packhouse/contract/operation";
import { lists as allLists, queriesOf } from "@packhouse/server/testing/lists/list-queries";
import { startPackhouse } from "@packhouse/server/testing/packhouse";
import { createManyRecords, largeOrganization } from "@packhouse/server/testing/records/many-records";
import { setup } from "@packhouse/server/testing/servers/database-server";
import { quantile } from "./organization.ts";

const repeats = Number(process.env.BENCH_REPEATS ?? 3);

/** Every list with every filter, every sort and pages near and far, as an administrator and as maintainers see them. */
export async function lists(): Promise<string[]> {
  const stop = await setup();
  try {
    await using it = await startPackhouse();
    await createManyRecords(it.deps.db, largeOrganization);
    const callers = {
      admin: await it.bySession(it.admin),
      "repository maintainer": await it.bySession(await personOfRank(it.deps.db, 2)),
      user: await it.bySession(await personOfRank(it.deps.db, 0)),
    };
    const slow: { address: string; caller: string; ms: number }[] = [];
    const times: number[] = [];
    let statements = 0;
    for (const { path, list } of allLists)
      for (const query of queriesOf(list, true))
        for (const [caller, client] of Object.entries(callers)) {
          // Orders do not depend on who asks.
          if (caller !== "admin" && query.includes("sort=")) continue;
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

async function personOfRank(db: Parameters<typeof createManyRecords>[0], rank: number): Promise<{ id: number }> {
  return db
    .selectFrom("users")
    .select("id")
    .where("rank", "=", rank)
    .where("login", "like", "person%")
    .orderBy("id")
    .executeTakeFirstOrThrow();
}
