import { apiPrefix } from "@packhouse/contract/operation";
import { lists as allLists, queriesOf } from "@packhouse/server/testing/lists/list-queries";
import { type Client, startPackhouse } from "@packhouse/server/testing/packhouse";
import { fillRepository } from "@packhouse/server/testing/records/full-repositories";
import { createManyRecords, largeOrganization } from "@packhouse/server/testing/records/many-records";
import { setup } from "@packhouse/server/testing/servers/database-server";
import { quantile } from "./organization.ts";

const repeats = Number(process.env.BENCH_REPEATS ?? 3);
const filledLast = 10_000;

/**
 * Every list with every filter, every sort and pages near and far, as an administrator and as maintainers see them; then
 * the packages and submissions of a repository that was filled after all others.
 */
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
    const everywhere: Figures = { times: [], slow: [] };
    let statements = 0;
    const timed = async (figures: Figures, address: string, caller: string, client: Client) => {
      const some: number[] = [];
      for (let repeat = 0; repeat < repeats; repeat += 1) {
        it.takeStatements();
        const started = performance.now();
        const response = await client.request(apiPrefix + address);
        await response.arrayBuffer();
        some.push(performance.now() - started);
        statements = Math.max(statements, it.takeStatements().length);
      }
      figures.times.push(...some.slice(1));
      figures.slow.push({ address, caller, ms: quantile(some.slice(1), 0.5) });
    };
    for (const { path, list } of allLists)
      for (const query of queriesOf(list, true))
        for (const [caller, client] of Object.entries(callers)) {
          // Orders do not depend on who asks.
          if (caller !== "admin" && query.includes("sort=")) continue;
          await timed(everywhere, `${path}?${query}`, caller, client);
        }
    const late: Figures = { times: [], slow: [] };
    await fillRepository(it.deps.db, await it.given.repository("R", { name: "filled-last" }), {
      names: filledLast,
      versions: 1,
    });
    for (const path of ["/packages", "/r/packages", "/submissions"])
      for (const { list } of allLists.filter((one) => one.path === path))
        for (const sort of list.sorts)
          await timed(late, `${path}?repository=filled-last&sort=${sort},asc`, "admin", callers.admin);
    return [
      `${everywhere.slow.length} requests, ${repeats - 1} times each after a first one`,
      `${quantiles(everywhere)}, at most ${statements} statements`,
      "slowest:",
      ...slowest(everywhere, 25),
      `of one repository of ${filledLast} packages, filled last: ${quantiles(late)}`,
      "slowest:",
      ...slowest(late, 5),
    ];
  } finally {
    await stop();
  }
}

interface Figures {
  times: number[];
  slow: { address: string; caller: string; ms: number }[];
}

const quantiles = ({ times }: Figures) =>
  [50, 95, 99].map((part) => `p${part} ${quantile(times, part / 100).toFixed(0)} ms`).join(", ");

const slowest = ({ slow }: Figures, count: number) =>
  slow
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ address, caller, ms }) => `${ms.toFixed(0)} ms ${address} (${caller})`);

async function personOfRank(db: Parameters<typeof createManyRecords>[0], rank: number): Promise<{ id: number }> {
  return db
    .selectFrom("users")
    .select("id")
    .where("rank", "=", rank)
    .where("login", "like", "person%")
    .orderBy("id")
    .executeTakeFirstOrThrow();
}
