import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isLong } from "@packhouse/fixtures/long-form";
import { declarationFolder } from "@packhouse/server/testing/declared";
import { signIn } from "@packhouse/server/testing/product";
import { type Replicas, startReplicas } from "@packhouse/server/testing/several-processes/replicas";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { pythonIndex, rIndex, watchIndex } from "../index-watcher.ts";
import { pip, r } from "../programs.ts";
import { type Attempt, untilItSucceeds, uploadPackages } from "../replica-work.ts";

const password = "administrator's password";
/** Longer on a machine that is slow to start a server. */
const durationMs = 120_000;
const fewestKills = 10;
const fewestInstalls = 5;
/** The manual says a second; machines of tests are slower than that now and then. */
const stalenessMs = 3_000;
const repositories = { R: "many-r", Python: "many-python" } as const;

let replicas: Replicas;
let scratch: string;
const declarations = await declarationFolder();

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "packhouse-installs-"));
  replicas = await startReplicas(3, {
    PACKHOUSE_ADMIN_PASSWORD: password,
    PACKHOUSE_PEOPLE: JSON.stringify([{ login: "uploader", password }]),
    PACKHOUSE_GENERATE_MANUALS: "false",
    PACKHOUSE_DECLARATIVE_PATHS: declarations.path,
    PACKHOUSE_MIRRORS_ALLOW_PRIVATE_ADDRESSES: "true",
    // The sweep at each start then meets uploads of the moment.
    PACKHOUSE_STORAGE_KEEP_UNNAMED_HOURS: "0",
  });
}, 180_000);
afterAll(async () => {
  await replicas?.stop();
  await declarations[Symbol.asyncDispose]();
  await rm(scratch, { recursive: true, force: true });
});

test.runIf(isLong)(
  "three replicas, one of which is killed every few seconds, lose and double nothing",
  async () => {
    const { address } = replicas;
    const people = {
      administrator: await signIn(replicas, "admin", password),
      uploader: await signIn(replicas, "uploader", password),
    };
    const { administrator } = people;
    for (const technology of ["R", "Python"] as const)
      await administrator.createRepository(technology, repositories[technology]);
    await administrator.createRepository("R", "origin");
    const lighthouse = await smallRPackage("lighthouse", "1.0");
    await administrator.upload("R", "origin", lighthouse);
    // Read by every replica when it starts again; from then on once a minute for all of them.
    const mirrors = [{ name: "origin", uri: `${address}/repo/origin`, syncInterval: "* * * * *" }];
    await declarations.declare("mirrored", { mirrors });

    const watchers = [rIndex(repositories.R), pythonIndex(repositories.Python)].map((index) =>
      watchIndex(address, index),
    );
    const book: Attempt[] = [];
    let going = true;
    const goOn = () => going;
    const work = { address, people, repositories, book, goOn };
    const working = Promise.all([0, 1, 2].map((worker) => uploadPackages(work, worker)));
    const installing = installMeanwhile(book, goOn);

    const confirmed = () => book.filter(({ accepted }) => accepted).length;
    let kills = 0;
    const until = Date.now() + durationMs;
    while (Date.now() < until || kills < fewestKills) {
      const before = confirmed();
      await vi.waitUntil(() => confirmed() >= before + 3, { timeout: 60_000, interval: 5 });
      // fixed wait: kills come at moments of every kind
      await sleep((kills * 370) % 1000);
      await replicas.kill(kills % 3);
      // fixed wait: for so long a replica is missing
      await sleep(500 + ((kills * 530) % 1500));
      await replicas.restart(kills % 3);
      kills += 1;
    }
    going = false;
    const faults = (await working).flat();
    const installs = await installing;
    expect(faults).toEqual([]);

    // What was under way when a replica died goes on by itself.
    await vi.waitUntil(async () => (await unfinished()) === 0, { timeout: 90_000, interval: 200 });
    for (const [at, technology] of (["R", "Python"] as const).entries()) {
      const watched = await watchers[at]?.end(await serialsOf(repositories[technology]));
      process.stdout.write(`${technology}: ${JSON.stringify(watched)}\n`);
      expect(watched?.faults).toEqual([]);
      expect(watched?.longestStalenessMs).toBeLessThan(stalenessMs);
    }
    const accepted = book.filter((attempt) => attempt.accepted);
    process.stdout.write(
      `${kills} kills, ${book.length} packages tried, ${accepted.length} accepted, ${installs.installs} installs in ${installs.tries} tries\n`,
    );
    expect(installs.installs).toBeGreaterThanOrEqual(fewestInstalls);

    await expectNothingLostOrDoubled(book);
    await expectEqualReplicas();
    await expectJobsOnce();
  },
  900_000,
);

/** Real installers, one after the other, for as long as packages come. */
async function installMeanwhile(book: readonly Attempt[], goOn: () => boolean) {
  let installs = 0;
  let tries = 0;
  while (goOn()) {
    const latest = (technology: string) =>
      book.findLast((attempt) => attempt.accepted && attempt.technology === technology)?.name;
    const [module, library] = [latest("Python"), latest("R")];
    if (!module || !library) {
      await vi.waitUntil(() => !goOn() || (latest("Python") && latest("R")), { timeout: 60_000 });
      continue;
    }
    const target = await mkdtemp(join(scratch, "target-"));
    const index = `${replicas.address}/repo/${repositories.Python}/simple/`;
    tries += await untilItSucceeds(() => pip("install", "--quiet", "--index-url", index, "--target", target, module));
    const repos = `${replicas.address}/repo/${repositories.R}`;
    tries += await untilItSucceeds(() =>
      r(
        `options(warn = 2); install.packages("${library}", lib = "${target}", repos = "${repos}", type = "source", quiet = TRUE)`,
      ),
    );
    installs += 2;
  }
  return { installs, tries };
}

async function rowsOf<Row>(statement: string, row: z.ZodType<Row>): Promise<Row[]> {
  return z.array(row).parse((await replicas.database.pool.query(statement)).rows);
}

const count = z.object({ count: z.number() });
async function unfinished(): Promise<number> {
  const [row] = await rowsOf(
    `select (select count(*) from jobs.job where state in ('created', 'retry', 'active'))
      + (select count(*) from repositories where serial > rendered_serial) as count`,
    count,
  );
  return row?.count ?? Number.NaN;
}

async function serialsOf(repository: string): Promise<number[]> {
  const rows = await rowsOf(
    `select rendered_serials.serial from rendered_serials join repositories on repositories.id = repository_id
      where name = '${repository}' and rendered_serials.public order by 1`,
    z.object({ serial: z.number() }),
  );
  return rows.map(({ serial }) => serial);
}

/** Compares the records at the end with what was confirmed during the run. */
async function expectNothingLostOrDoubled(book: readonly Attempt[]): Promise<void> {
  const rows = await rowsOf(
    `select package.name, active, submission.id, state,
        (select count(*) from events where resource_type = 'SUBMISSION' and resource_id = submission.id
          and event_type = 'upload') as uploads,
        (select count(*) from events where resource_type = 'SUBMISSION' and resource_id = submission.id
          and event_type = 'update') as decisions
      from packages package left join submissions submission on submission.package_id = package.id
      where package.name like 'replica%'`,
    z.object({
      name: z.string(),
      active: z.boolean(),
      id: z.number(),
      state: z.string(),
      uploads: z.number(),
      decisions: z.number(),
    }),
  );
  const names = rows.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  // Nothing that nobody uploaded, and no half of anything.
  const tried = new Set(book.map(({ name }) => name));
  expect(names.filter((name) => !tried.has(name))).toEqual([]);
  const expected = (state: string) => ({
    active: state === "ACCEPTED",
    uploads: 1,
    decisions: state === "ACCEPTED" ? 1 : 0,
  });
  for (const row of rows) expect(row).toMatchObject(expected(row.state));

  const byName = new Map(rows.map((row) => [row.name, row]));
  for (const { name, submissionId, accepted } of book) {
    if (submissionId !== undefined) expect(byName.get(name)?.id).toBe(submissionId);
    if (accepted) expect(byName.get(name)?.state).toBe("ACCEPTED");
  }
  const public_ = rows.filter(({ active }) => active).map(({ name }) => name);
  const published = await publishedNames();
  expect([...published].sort()).toEqual(public_.sort());
}

async function publishedNames(): Promise<string[]> {
  const { R, Python } = repositories;
  const r = await (await fetch(`${replicas.address}/repo/${R}/src/contrib/PACKAGES`)).text();
  const python = await (await fetch(`${replicas.address}/repo/${Python}/simple/`)).text();
  return [...r.matchAll(/^Package: (.*)$/gm), ...python.matchAll(/<a href="[^"]+">([^<]+)</g)].map(
    ([, name = ""]) => name,
  );
}

/** Every form of every index, and the files that they name, from each replica itself. */
async function expectEqualReplicas(): Promise<void> {
  const indexes = [
    ...rIndex(repositories.R).forms.map(({ path }) => `${repositories.R}/${path}`),
    `${repositories.Python}/simple/`,
  ];
  const names = await publishedNames();
  const pages = names.filter((_name, at) => at % 7 === 0).map((name) => `${repositories.Python}/simple/${name}/`);
  const files = names
    .filter((_name, at) => at % 7 === 0)
    .map((name) => `${repositories.R}/src/contrib/${name}_1.0.0.tar.gz`);
  for (const path of [...indexes, ...pages, ...files]) {
    const answers = await Promise.all(
      replicas.running.map(async ({ address }) => {
        const answer = await fetch(`${address}/repo/${path}`);
        const bytes = Buffer.from(await answer.arrayBuffer());
        return `${answer.status} ${answer.headers.get("etag")} ${createHash("sha256").update(bytes).digest("hex")}`;
      }),
    );
    expect(new Set(answers).size, path).toBe(1);
  }
}

/** No job has failed, whichever replica died while running it; a schedule enqueued one a minute for all replicas. */
async function expectJobsOnce(): Promise<void> {
  const failed = await rowsOf("select name from jobs.job where state = 'failed'", z.object({ name: z.string() }));
  expect(failed).toEqual([]);
  const perMinute = await rowsOf(
    `select count(*) from jobs.job where name = 'synchronize-mirrors' and data ->> 'schedule' is not null
      group by date_trunc('minute', created_on)`,
    count,
  );
  expect(perMinute.length).toBeGreaterThan(0);
  expect(perMinute.every((minute) => minute.count === 1)).toBe(true);
  const mirrored = await rowsOf(
    `select packages.version from packages join repositories on repositories.id = repository_id where repositories.name = 'mirrored'`,
    z.object({ version: z.string() }),
  );
  expect(mirrored).toEqual([{ version: "1.0" }]);
}
