import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { isLong } from "@packhouse/fixtures/long-form";
import { formatOf } from "@packhouse/formats/format";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Repository } from "../../features/repositories/store.ts";
import type { Tx } from "../../platform/db/database.ts";
import { onceUnlocked } from "../../platform/db/transactions/session-lock.ts";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage, smallSdist } from "../../testing/small-packages.ts";
import { lockSpace } from "../render/render-repository.ts";
import type { Changed } from "./publication.ts";

let packhouse: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  // A render of thousands of packages takes seconds on a busy machine.
  packhouse = await startPackhouse({ settings: { "publication.waitMs": 20_000 } });
  admin = await packhouse.as(packhouse.admin);
});
afterAll(() => packhouse.close());

async function add(repository: Repository, name: string, version = "1.0"): Promise<number> {
  const answer = await admin.upload("R", await smallRPackage(name, version), { repository: repository.name });
  expect([answer.http, answer.data]).toEqual([201, expect.anything()]);
  return answer.data.packageBag.id;
}
const read = (repository: Repository, path: string) =>
  packhouse.anonymous.request(`/repo/${repository.name}/src/contrib/${path}`);
const namesIn = (index: string) => [...index.matchAll(/^Package: (.*)$/gm)].map(([, name]) => name);
const stateOf = async ({ id }: Repository) => (await admin.get(`/r/repositories/${id}`)).data;

async function request(tx: Tx, { id }: Repository, names: Changed): Promise<void> {
  await packhouse.deps.publication.note(tx, id, names);
  await packhouse.deps.publication.render(tx, id);
}

/** Changes packages as the product does: the rows and the request to publish them in one transaction. */
function change(repository: Repository, set: { active?: boolean; metadata?: string }, names: readonly string[]) {
  return packhouse.deps.db.transaction().execute(async (tx) => {
    await tx.selectFrom("repositories").select("id").where("id", "=", repository.id).forUpdate().execute();
    await tx
      .updateTable("packages")
      .set(set)
      .where("repository_id", "=", repository.id)
      .where("name", "in", names)
      .execute();
    await request(tx, repository, names);
  });
}

/** Holds the lock as the render of another replica does, which ends without having rendered. */
async function otherRender({ id }: Repository) {
  const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const rendering = packhouse.deps.db.connection().execute((connection) =>
    onceUnlocked(connection, { space: lockSpace, key: id }, () => {
      begun.resolve();
      return release.promise;
    }),
  );
  await begun.promise;
  return {
    end() {
      release.resolve();
      return rendering;
    },
  };
}

describe("many concurrent changes", () => {
  const names = Array.from({ length: 40 }, (_, index) => `pkg${String.fromCharCode(97 + (index % 26))}${index}`);
  const rendersOf = async ({ id }: Repository) => {
    const { rows } = await sql<{ renders: number }>`
      select count(distinct from_serial)::integer as renders from index_parts where repository_id = ${id}`.execute(
      packhouse.deps.db,
    );
    return rows[0]?.renders ?? 0;
  };

  test("all show", async () => {
    const repository = await packhouse.given.repository("R");
    await Promise.all(names.map((name) => add(repository, name)));
    expect(namesIn(await (await read(repository, "PACKAGES")).text())).toEqual([...names].sort());
    expect(await stateOf(repository)).toMatchObject({ synchronizing: false, lastPublicationSuccessful: true });
  });

  test("share a render if they come while another one is made", async () => {
    const repository = await packhouse.given.repository("R");
    for (const name of names.slice(0, 3)) await add(repository, name);
    const before = await rendersOf(repository);
    const { publication } = packhouse.deps;
    const rendering = await otherRender(repository);
    await Promise.all(names.slice(0, 3).map((name) => change(repository, { active: false }, [name])));
    expect(await rendersOf(repository)).toBe(before);
    await rendering.end();
    await publication.render(packhouse.deps.db, repository.id);
    expect(await publication.whenServed([repository.id])).toBe("served");
    expect(await (await read(repository, "PACKAGES")).text()).toBe("");
    expect(await rendersOf(repository)).toBeLessThanOrEqual(before + 1);
  });

  test("never show partially, nor name a missing file", async () => {
    const repository = await packhouse.given.repository("R");
    // Their names are in different parts of the index, and they change together.
    await Promise.all([add(repository, "aardvark"), add(repository, "zebra"), add(repository, "middle")]);
    let changing = true;
    const reader = async () => {
      const seen = new Set<string>();
      while (changing) {
        const packed = await read(repository, "PACKAGES.gz");
        const names = namesIn(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString());
        seen.add(names.join(" "));
        for (const name of names) expect((await read(repository, `${name}_1.0.tar.gz`)).status).toBe(200);
      }
      return seen;
    };
    const readers = [reader(), reader()];
    for (let round = 0; round < 30; round += 1) {
      await change(repository, { active: round % 2 === 1 }, ["aardvark", "zebra"]);
      if (round % 3 === 0) await packhouse.deps.publication.whenServed([repository.id]);
    }
    await packhouse.deps.publication.whenServed([repository.id]);
    changing = false;
    const seen = new Set((await Promise.all(readers)).flatMap((each) => [...each]));
    expect([...seen].sort()).toEqual(["aardvark middle zebra", "middle"]);
  });

  test("in several repositories do not wait for one another", async () => {
    const repositories = await Promise.all([1, 2, 3].map(() => packhouse.given.repository("R")));
    await Promise.all(repositories.map((repository) => add(repository, "tidepool")));
    expect(await packhouse.deps.publication.whenServed(repositories.map(({ id }) => id))).toBe("served");
    for (const repository of repositories)
      expect(namesIn(await (await read(repository, "PACKAGES")).text())).toEqual(["tidepool"]);
  });
});

describe("a submission that is accepted while a publication runs", () => {
  test("is published after it, and the contents of both are public", async () => {
    const repository = await packhouse.given.repository("R");
    const uploader = await packhouse.as(await packhouse.given.person("meanwhile"));
    const send = async (name: string) =>
      (await uploader.upload("R", await smallRPackage(name, "1.0"), { repository: repository.name })).data.id;
    await add(repository, "almanac");
    const id = await send("zephyr");
    let accepting: Promise<unknown> | undefined;
    // A render needs this table: while it is locked, a publication runs and does not end.
    await packhouse.deps.db.transaction().execute(async (tx) => {
      await sql`lock table index_parts in access exclusive mode`.execute(tx);
      await change(repository, { active: true }, ["almanac"]);
      await expect.poll(waitingRenders).toBeGreaterThan(0);
      accepting = admin.patch(`/r/submissions/${id}`, [replace("/state", "ACCEPTED")]);
      await expect.poll(async () => (await admin.get(`/submissions/${id}`)).data.state).toBe("ACCEPTED");
    });
    expect(await accepting).toMatchObject({ http: 200 });
    await expect.poll(async () => (await stateOf(repository)).synchronizing).toBe(false);
    expect(namesIn(await (await read(repository, "PACKAGES")).text())).toEqual(["almanac", "zephyr"]);
  });

  /** Statements that wait for the table of the index's parts. */
  async function waitingRenders(): Promise<number> {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::integer as waiting from pg_locks
      where relation = 'index_parts'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(packhouse.deps.db);
    return rows[0]?.waiting ?? 0;
  }
});

/** Enough for several parts; or as many as CRAN has. */
const many = isLong ? 20_000 : 2_000;

describe(`a repository of ${many} packages`, () => {
  test("is published with PACKAGES and its gzip, also after a render that failed, and changes by the parts in which something changed", async () => {
    const repository = await packhouse.given.repository("R");
    const model = await add(repository, "model");
    const { db } = packhouse.deps;
    const { rows: columns } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_name = 'packages' and column_name not in ('id', 'name', 'normalized_name', 'file_name')`.execute(db);
    const copied = sql.join(columns.map(({ name }) => sql.ref(name)));
    const parts = () => db.selectFrom("index_parts").select("key").where("repository_id", "=", repository.id).execute();
    const blocks = () => db.selectFrom("index_blocks").select("digest").execute();
    const [partsBefore, blocksBefore] = [(await parts()).length, (await blocks()).length];
    // The render cannot end.
    await sql`
      alter table rendered_serials add constraint end_of_render check (repository_id <> ${sql.lit(repository.id)}) not valid`.execute(
      db,
    );
    await db.transaction().execute(async (tx) => {
      await sql`
        insert into packages (name, normalized_name, file_name, ${copied})
        select named.name, named.name, named.name || '_1.0.tar.gz', ${copied} from packages as model,
          generate_series(1, ${sql.lit(many)}) as n,
          lateral (select chr(97 + n % 26) || chr(97 + n / 26 % 26) || 'pkg' || n as name) as named
        where model.id = ${model}`.execute(tx);
      await request(tx, repository, "everything");
    });
    await expect
      .poll(() => stateOf(repository), { timeout: 60_000 })
      .toMatchObject({ lastPublicationSuccessful: false, synchronizing: true });
    expect((await parts()).length).toBe(partsBefore);
    // Blocks are not kept in memory until everything is rendered, and the next render finds them.
    expect((await blocks()).length).toBeGreaterThan(blocksBefore);
    await sql`alter table rendered_serials drop constraint end_of_render`.execute(db);
    expect(await packhouse.deps.publication.whenServed([repository.id])).toBe("served");
    const text = await (await read(repository, "PACKAGES")).text();
    expect(namesIn(text)).toHaveLength(many + 1);
    const packed = await (await read(repository, "PACKAGES.gz")).arrayBuffer();
    expect(gunzipSync(Buffer.from(packed)).toString()).toBe(text);

    const before = (await parts()).length;
    await add(repository, "model", "1.1");
    expect(await (await read(repository, "PACKAGES")).text()).toContain("Package: model\nVersion: 1.1\n");
    expect((await parts()).length - before).toBe(1);
  }, 120_000);
});

describe("a change", () => {
  test("that is rolled back is neither rendered nor waited for", async () => {
    const repository = await packhouse.given.repository("R");
    const { deps } = packhouse;
    const rolledBack = deps.db.transaction().execute(async (tx) => {
      await request(tx, repository, ["tidepool"]);
      throw new Error("never mind");
    });
    await expect(rolledBack).rejects.toThrow("never mind");
    expect(await deps.publication.whenServed([repository.id])).toBe("served");
    expect(await deps.db.selectFrom("index_changes").selectAll().execute()).toEqual([]);
  });

  test("renders only the parts in which something changed", async () => {
    const repository = await packhouse.given.repository("R");
    await add(repository, "aardvark");
    await add(repository, "zebra");
    await add(repository, "zebra", "2.0");
    const rows = await packhouse.deps.db
      .selectFrom("index_parts")
      .select(["key", "to_serial"])
      .where("repository_id", "=", repository.id)
      .orderBy("from_serial")
      .execute();
    expect(rows.filter(({ key }) => key === "aa")).toEqual([{ key: "aa", to_serial: null }]);
    expect(rows.filter(({ key }) => key === "ze").map(({ to_serial }) => to_serial === null)).toEqual([false, true]);
  });

  test("leaves every earlier state in the tables", async () => {
    const repository = await packhouse.given.repository("R");
    await add(repository, "tidepool", "1.0");
    const { serial } = await packhouse.deps.db
      .selectFrom("repositories")
      .select("serial")
      .where("id", "=", repository.id)
      .executeTakeFirstOrThrow();
    await add(repository, "tidepool", "2.0");
    const { rows } = await sql<{ path: string }>`
      select path from published_files
      where repository_id = ${repository.id} and from_serial <= ${serial} and (to_serial is null or to_serial > ${serial})`.execute(
      packhouse.deps.db,
    );
    expect(rows).toEqual([{ path: "src/contrib/tidepool_1.0.tar.gz" }]);
  });

  test("is noticed although the listening connection is cut", async () => {
    const repository = await packhouse.given.repository("R");
    await read(repository, "PACKAGES");
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`.execute(packhouse.deps.db);
    await add(repository, "tidepool");
    expect(namesIn(await (await read(repository, "PACKAGES")).text())).toEqual(["tidepool"]);
  });
});

describe("a render that fails", () => {
  test("keeps what is served, reports it, and is retried", async () => {
    const repository = await packhouse.given.repository("R");
    await add(repository, "tidepool");
    const id = await add(repository, "driftwood");
    const before = await (await read(repository, "PACKAGES")).text();
    const { metadata } = await packhouse.deps.db
      .selectFrom("packages")
      .select("metadata")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();

    await change(repository, { metadata: "null" }, ["driftwood"]);
    await expect
      .poll(() => stateOf(repository))
      .toMatchObject({ lastPublicationSuccessful: false, synchronizing: true });
    expect(await (await read(repository, "PACKAGES")).text()).toBe(before);

    await packhouse.deps.db
      .updateTable("packages")
      .set({ metadata: JSON.stringify(metadata) })
      .where("id", "=", id)
      .execute();
    await expect
      .poll(() => stateOf(repository))
      .toMatchObject({ lastPublicationSuccessful: true, synchronizing: false });
    expect(await (await read(repository, "PACKAGES")).text()).toBe(before);
  });

  test("in a call on another replica is made again by the job that found it running", async () => {
    const repository = await packhouse.given.repository("R");
    const { db } = packhouse.deps;
    await add(repository, "tidepool");
    // Also the one that would make up for the upload.
    await packhouse.removeJobsOf(repository);
    const rendering = await otherRender(repository);
    await db.transaction().execute((tx) => request(tx, repository, ["tidepool"]));
    const jobsThatEnded = () =>
      sql`select from jobs.job where data = ${{ repositoryId: repository.id }} and state = 'completed'`.execute(db);
    await expect.poll(async () => (await jobsThatEnded()).rows.length).toBe(1);
    await rendering.end();
    await expect.poll(async () => (await stateOf(repository)).synchronizing).toBe(false);
  });

  test("on another replica is made again by a call that waits for it", async () => {
    const repository = await packhouse.given.repository("R");
    const { db, publication } = packhouse.deps;
    await add(repository, "tidepool");
    const rendering = await otherRender(repository);
    // Without a job, which would be the other way out.
    await db.transaction().execute((tx) => publication.note(tx, repository.id, ["tidepool"]));
    const waiting = publication.whenServed([repository.id]);
    // fixed wait: nothing shows that it has tried in vain.
    expect(await Promise.race([waiting, sleep(600, "still waits")])).toBe("still waits");
    await rendering.end();
    expect(await waiting).toBe("served");
  });
});

describe("a deleted repository", () => {
  test("is offline immediately, and stays so when it is purged", async () => {
    const repository = await packhouse.given.repository("Python");
    await admin.upload("Python", await smallSdist("buoy", "1.0"), { repository: repository.name });
    const page = () =>
      packhouse.anonymous.request(`/repo/${repository.name}/${formatOf("Python").normalizeName("Buoy")}/`);
    expect((await page()).status).toBe(200);
    await admin.patch(`/python/repositories/${repository.id}`, [replace("/deleted", true)]);
    expect((await page()).status).toBe(404);
    await admin.delete(`/python/repositories/${repository.id}`);
    expect((await page()).status).toBe(404);
  });
});
