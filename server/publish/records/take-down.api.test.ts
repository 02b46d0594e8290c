import { technologyPath } from "@packhouse/contract/technology";
import { isLong } from "@packhouse/fixtures/long-form";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Packhouse } from "../../app/app.ts";
import type { Repository } from "../../features/repositories/store.ts";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { type SmallPackage, smallRPackage, smallWheel } from "../../testing/small-packages.ts";

let it: TestPackhouse;
let admin: Client;
let replica: Packhouse;
/** Both replicas read each repository before it changes, so that it is in their caches. */
let addresses: string[];
/** How far the product's clock is ahead. */
let aheadMs = 0;

beforeAll(async () => {
  it = await startPackhouse({
    settings: { "publication.waitMs": 2000 },
    clock: () => new Date(Date.now() + aheadMs),
  });
  admin = await it.as(it.admin);
  replica = await it.replica();
  addresses = [it.address, await replica.listen()];
});
afterAll(async () => {
  await replica.close();
  await it.close();
});

const technologies = ["R", "Python"] as const;
type Technology = (typeof technologies)[number];

const fileOf = (technology: Technology, version: string, title = "first"): Promise<SmallPackage> =>
  technology === "R"
    ? smallRPackage("tidepool", version, { Title: title })
    : smallWheel("tidepool", version, { Summary: title });

interface Published {
  repository: Repository;
  /** The API paths of the package and the repository. */
  path: string;
  home: string;
  id: number;
  /** Every live address of its file. */
  live: string[];
  /** The address of its file in the state in which it was public. */
  past: string;
}

async function published(technology: Technology): Promise<Published> {
  const repository = await it.given.repository(technology);
  const file = await fileOf(technology, "1.0");
  const { data } = await admin.upload(technology, file, { repository: repository.name });
  const digest = String(data.packageBag.source).split("/")[1];
  const names =
    technology === "R"
      ? [`src/contrib/${file.fileName}`]
      : ["", ".metadata"].flatMap((end) =>
          [`tidepool/${file.fileName}${end}`, `tidepool/%40blob/${digest}/${file.fileName}${end}`].flatMap((path) => [
            path,
            `simple/${path}`,
          ]),
        );
  const live = names.map((path) => `/repo/${repository.name}/${path}`);
  const { data: states } = await admin.get(`/repositories/${repository.id}/snapshots`);
  const serial: number = states.snapshots[0].serial;
  const past = `/repo/${repository.name}/@${serial}/${names[0]}`;
  const home = `/${technologyPath[technology]}/repositories/${repository.id}`;
  const id: number = data.packageBag.id;
  const it_ = { repository, path: `/${technologyPath[technology]}/packages/${id}`, home, id, live, past };
  expect(await statuses(it_.live)).toEqual(new Set([200]));
  expect(await statuses([past])).toEqual(new Set([200]));
  return it_;
}

/** On every replica. */
async function statuses(paths: readonly string[]): Promise<Set<number>> {
  const answers = await Promise.all(addresses.flatMap((address) => paths.map((path) => fetch(address + path))));
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  return new Set(answers.map(({ status }) => status));
}

const switched = (path: string, property: string, value: boolean) => admin.patch(path, [replace(property, value)]);

describe.for(technologies)("what someone takes down in a repository for %s", (technology) => {
  test.for(["/active", "/deleted"])("by %s is gone when the call returns, but from snapshots", async (property) => {
    const { path, live, past, id } = await published(technology);
    expect((await switched(path, property, property === "/deleted")).http).toBe(200);
    expect(await statuses(live)).toEqual(new Set([404]));
    expect(await statuses([past])).toEqual(new Set([200]));
    if (property === "/active") {
      await switched(path, "/active", true);
      expect(await statuses(live)).toEqual(new Set([200]));
    }
    expect((await admin.get(`/packages/${id}`)).http).toBe(200);
  });

  test("by purging it is gone everywhere, and reported as gone forever", async () => {
    const { path, live, past } = await published(technology);
    await switched(path, "/deleted", true);
    expect((await admin.delete(path)).http).toBe(204);
    expect(await statuses([...live, past])).toEqual(new Set([410]));
    aheadMs += 86_400_000;
    try {
      expect(await statuses([...live, past])).toEqual(new Set([410]));
    } finally {
      aheadMs -= 86_400_000;
    }
  });

  test("does not bring back the file that it had replaced", async () => {
    const { repository, live, past, id } = await published(technology);
    const other = await fileOf(technology, "1.0", "second");
    const { data } = await admin.upload(technology, other, { repository: repository.name, replace: "true" });
    expect(data.packageBag.id).not.toBe(id);
    // The replaced file keeps its grace period at addresses that include its digest.
    expect(await statuses(live)).toEqual(new Set([200]));
    await switched(`/${technologyPath[technology]}/packages/${data.packageBag.id}`, "/active", false);
    expect(await statuses(live)).toEqual(new Set([404]));
    expect(await statuses([past])).toEqual(new Set([200]));
  });

  test("with the repository is gone, and stays so when the repository is published again", async () => {
    const { repository, path, home, live, past } = await published(technology);
    await switched(home, "/published", false);
    expect(await statuses([...live, past])).toEqual(new Set([404]));
    await switched(path, "/active", false);
    await switched(home, "/published", true);
    expect(await statuses(live)).toEqual(new Set([404]));
    expect(await statuses([past])).toEqual(new Set([200]));

    await switched(path, "/active", true);
    expect(await statuses(live)).toEqual(new Set([200]));
    await switched(home, "/deleted", true);
    expect(await statuses([...live, past])).toEqual(new Set([404]));
    await switched(home, "/deleted", false);
    await switched(home, "/published", true);
    expect(await statuses(live)).toEqual(new Set([404]));
    expect(repository.published).toBe(true);
  });

  test("is no longer served to anonymous clients when the repository becomes private", async () => {
    const { home, live, past } = await published(technology);
    await switched(home, "/requiresAuthentication", true);
    for (const status of await statuses([...live, past])) expect([401, 404]).toContain(status);
  });

  test.runIf(isLong || technology === "R")("is gone even when its index cannot be rendered in time", async () => {
    const { repository, path, live, past } = await published(technology);
    // Simulates another replica that hangs while rendering.
    const other = await it.pool.connect();
    await other.query("select pg_advisory_lock($1, $2)", [0x7061636b, repository.id]);
    try {
      expect((await switched(path, "/active", false)).http).toBe(200);
      expect(await statuses(live)).toEqual(new Set([404]));
      expect(await statuses([past])).toEqual(new Set([200]));
      await switched(path, "/active", true);
      expect(await statuses(live)).toEqual(new Set([200]));
    } finally {
      await other.query("select pg_advisory_unlock_all()");
      other.release();
    }
  });

  const ways = [
    ["deactivated", 404],
    ["removed for good", 410],
  ] as const;
  // In the short form, one way in one language.
  test.for(isLong ? ways : ways.slice(0, technology === "R" ? 1 : 0))(
    "while a render that names it is on, by being %s, is gone afterward",
    async ([how, status]) => {
      const repository = await it.given.repository(technology);
      const file = await fileOf(technology, "1.0");
      const live = [`/repo/${repository.name}/${technology === "R" ? "src/contrib" : "tidepool"}/${file.fileName}`];
      await it.removeJobsOf(repository);
      // Otherwise the upload renders within its own transaction.
      await it.deps.db.transaction().execute((tx) => it.deps.publication.note(tx, repository.id, "everything"));
      await it.deps.db.transaction().execute(async (tx) => {
        // A render reads this table after the packages.
        await sql`lock table index_parts in access exclusive mode`.execute(tx);
        const { data } = await admin.upload(technology, file, { repository: repository.name });
        const path = `/${technologyPath[technology]}/packages/${data.packageBag.id}`;
        await expect.poll(waitingRenders).toBeGreaterThan(0);
        if (how === "deactivated") await switched(path, "/active", false);
        else {
          await switched(path, "/deleted", true);
          expect((await admin.delete(path)).http).toBe(204);
        }
      });
      const isBehind = async () =>
        (await admin.get(`/${technologyPath[technology]}/repositories/${repository.id}`)).data.synchronizing;
      await expect.poll(isBehind).toBe(false);
      expect(await statuses(live)).toEqual(new Set([status]));
    },
  );
});

async function waitingRenders(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%index_parts%'`.execute(it.deps.db);
  return rows[0]?.n ?? 0;
}

test("a superseded file stays available to clients with the older index", async () => {
  const { repository, live } = await published("R");
  await admin.upload("R", await fileOf("R", "2.0"), { repository: repository.name });
  expect(await statuses(live)).toEqual(new Set([200]));
  aheadMs += 3_600_001;
  try {
    expect(await statuses(live)).toEqual(new Set([404]));
  } finally {
    aheadMs -= 3_600_001;
  }
});

/** Gets the file that an index has named; whether it was missing although the index, read again, still names it. */
async function isMissing(address: string, { repository, live }: Published): Promise<boolean> {
  const isNamed = async () => {
    const answer = await fetch(`${address}/repo/${repository.name}/src/contrib/PACKAGES`);
    return (await answer.text()).includes("tidepool");
  };
  if (!(await isNamed())) return false;
  const file = await fetch(address + live[0]);
  await file.arrayBuffer();
  return file.status !== 200 && (await isNamed());
}

test("clients see the file while the index names it, and at most until the call returns", async () => {
  const there = await published("R");
  let done = false;
  let activations = 0;
  const reading = (async () => {
    while (!done) {
      const before = activations;
      const missing = await isMissing(it.address, there);
      // Otherwise the file may have come back between the two readings of the index.
      if (activations === before) expect(missing).toBe(false);
    }
  })();
  for (const active of [false, true, false, true, false]) {
    if (active) activations += 1;
    await switched(there.path, "/active", active);
    expect(await statuses(there.live)).toEqual(new Set([active ? 200 : 404]));
  }
  done = true;
  await reading;
});

describe("on a replica that has not been notified of a change", () => {
  /** The one trigger of the table sends the notifications. */
  const silenced = async (change: () => Promise<unknown>): Promise<void> => {
    await sql`alter table repositories disable trigger user`.execute(it.deps.db);
    try {
      await change();
    } finally {
      await sql`alter table repositories enable trigger user`.execute(it.deps.db);
    }
  };

  test.for([
    ["a deactivated package", ({ path }: Published) => switched(path, "/active", false)],
    ["a repository that is no longer published", ({ home }: Published) => switched(home, "/published", false)],
    ["a repository that is no longer public", ({ home }: Published) => switched(home, "/requiresAuthentication", true)],
  ] as const)("the index does not name the file of %s once the file is missing", async ([, change]) => {
    const there = await published("R");
    const [, other = ""] = addresses;
    expect(await isMissing(other, there)).toBe(false);
    await silenced(async () => {
      await change(there);
      expect(await isMissing(other, there)).toBe(false);
      expect((await statuses(there.live)).has(200)).toBe(false);
    });
  });
});

test("a rejected package is not served", async () => {
  const repository = await it.given.repository("R");
  const user = await it.as(await it.given.person("eve", "user"));
  const { data } = await user.upload("R", await fileOf("R", "1.0"), { repository: repository.name });
  const download = `/r/packages/${data.packageBag.id}/download/tidepool_1.0.tar.gz`;
  const status = async (client: Client) => (await client.request(`/api/v2/manager${download}`)).status;
  expect(await status(user)).toBe(200);
  await admin.patch(`/r/submissions/${data.id}`, [replace("/state", "REJECTED")]);
  expect([await status(user), await status(admin)]).toEqual([404, 404]);
  expect(await statuses([`/repo/${repository.name}/src/contrib/tidepool_1.0.tar.gz`])).toEqual(new Set([404]));
});
