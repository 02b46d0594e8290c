import { apiPrefix } from "@packhouse/contract/operation";
import { lists as allLists, queriesOf } from "@packhouse/server/testing/lists/list-queries";
import { type Client, startPackhouse, type TestPackhouse } from "@packhouse/server/testing/packhouse";
import { fillRepository } from "@packhouse/server/testing/records/full-repositories";
import { createManyRecords, largeOrganization } from "@packhouse/server/testing/records/many-records";
import { setup } from "@packhouse/server/testing/servers/database-server";
import { quantile } from "./organization.ts";

const repeats = Number(process.env.BENCH_REPEATS ?? 3);
const [filledFirst, filledLast] = [100_000, 10_000];
const ofRepository = new Set(["/packages", "/r/packages", "/submissions"]);

/**
 * Every list with every filter, every sort and pages near and far, as an administrator and as maintainers see them; then
 * those of a single repository.
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
    const everywhere: Figures = { times: [], slow: [], statements: 0 };
    for (const { path, list } of allLists)
      for (const query of queriesOf(list, true))
        for (const [caller, client] of Object.entries(callers)) {
          // Orders do not depend on who asks.
          if (caller !== "admin" && query.includes("sort=")) continue;
          await time(everywhere, it, { address: `${path}?${query}`, caller, client });
        }
    const late = await listsOfLastRepository();
    return [
      `${everywhere.slow.length} requests, ${repeats - 1} times each after a first one`,
      `${quantiles(everywhere)}, at most ${everywhere.statements} statements`,
      "slowest:",
      ...slowest(everywhere, 25),
      `of a repository of ${filledLast} packages, filled after one of ${filledFirst}: ${quantiles(late)}`,
      "slowest:",
      ...slowest(late, 5),
    ];
  } finally {
    await stop();
  }
}

/** The packages and submissions of a repository that was filled after a large one, in every order. */
async function listsOfLastRepository(): Promise<Figures> {
  await using it = await startPackhouse();
  let last = "";
  for (const names of [filledFirst, ...Array.from({ length: 30 }, () => 300), filledLast]) {
    const repository = await it.given.repository("R");
    await fillRepository(it.deps.db, repository, { names, versions: 1 });
    last = repository.name;
  }
  const figures: Figures = { times: [], slow: [], statements: 0 };
  const client = await it.bySession(it.admin);
  for (const { path, list } of allLists.filter((one) => ofRepository.has(one.path)))
    for (const sort of list.sorts)
      await time(figures, it, { address: `${path}?repository=${last}&sort=${sort},asc`, caller: "admin", client });
  return figures;
}

interface Request {
  address: string;
  caller: string;
  client: Client;
}

async function time(figures: Figures, it: TestPackhouse, { address, caller, client }: Request): Promise<void> {
  const some: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    it.takeStatements();
    const started = performance.now();
    const response = await client.request(apiPrefix + address);
    await response.arrayBuffer();
    some.push(performance.now() - started);
    figures.statements = Math.max(figures.statements, it.takeStatements().length);
  }
  figures.times.push(...some.slice(1));
  figures.slow.push({ address, caller, ms: quantile(some.slice(1), 0.5) });
}

interface Figures {
  statements: number;
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
