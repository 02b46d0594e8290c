import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { isLong } from "@packhouse/fixtures/long-form";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { OpenDatabase } from "../../platform/db/database.ts";
import { createJobs, type Jobs } from "../../platform/jobs/jobs.ts";
import { createListener, type Listener } from "../../platform/jobs/listener.ts";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { packhouseCommand } from "../../testing/programs/command-line.ts";
import { smallRPackage, smallWheel } from "../../testing/small-packages.ts";
import type { Finding } from "./finding.ts";
import { createRepairs } from "./repairs.ts";
import { verify as check } from "./verify.ts";

const line = z.union([
  z.object({ summary: z.object({ objects: z.number(), repaired: z.number(), left: z.number() }) }),
  z.object({ kind: z.string(), where: z.string(), what: z.string(), remedy: z.string(), repaired: z.boolean() }),
]);

let it: TestPackhouse;
let admin: Client;
let ids: Record<string, number>;
let database: OpenDatabase;
let listener: Listener;
let jobs: Jobs;

const digestOf = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

/** Runs the program itself. */
async function command(...options: string[]) {
  const { code, out, err } = await packhouseCommand(["verify", "--json", ...options], {
    environment: it.environment,
  });
  expect(err).toBe("");
  const lines = out
    .trim()
    .split("\n")
    .map((text) => line.parse(JSON.parse(text)));
  const findings = lines.flatMap((entry) => ("kind" in entry ? [entry] : []));
  return { code, findings, kinds: findings.map(({ kind }) => kind) };
}

/** The same in this process, which is faster. */
async function verify(...options: string[]) {
  const findings: Finding[] = [];
  const repairs = options.includes("--repair") ? await createRepairs({ ...it.deps, jobs }) : undefined;
  // Nothing else renders here, so a render that is not in progress never happens.
  const verification = { deep: options.includes("--deep"), repairs, renderTimeoutMs: 2_000 };
  const { left } = await check(it.deps, verification, (finding) => findings.push(finding));
  return { code: left === 0 ? 0 : 1, findings, kinds: findings.map(({ kind }) => kind) };
}

async function upload(name: string, version = "1.0"): Promise<{ id: number; digest: string }> {
  const file = await smallRPackage(name, version);
  const { http, data } = await admin.upload("R", file, { repository: "north" });
  expect(http).toBe(201);
  ids[name] = data.packageBag.id;
  return { id: data.packageBag.id, digest: digestOf(file.bytes) };
}

const index = async () => (await it.anonymous.request(`/repo/north/src/contrib/PACKAGES?${Date.now()}`)).text();

beforeAll(async () => {
  it = await startPackhouse();
  admin = await it.as(it.admin);
  database = it.openDatabase();
  listener = createListener(database.pool.options, it.deps.log);
  jobs = createJobs(database, listener, it.deps.log);
  await jobs.start();
  ids = {};
  await it.given.repository("R", { name: "north" });
  await it.given.repository("Python", { name: "south" });
  for (const name of ["ash", "birch", "cedar", "elm", "fir"]) await upload(name);
  const wheel = await smallWheel("gorse", "1.0");
  expect((await admin.upload("Python", wheel, { repository: "south" })).http).toBe(201);
});

afterAll(async () => {
  await jobs?.stop(0);
  await listener?.close();
  await database?.close();
  await it?.close();
});

describe("verification", () => {
  test.runIf(isLong)(
    "finds nothing, and repairs nothing, during uploads, replacements and purges",
    async () => {
      let working = true;
      let uploaded = 0;
      const work = (async () => {
        while (working) {
          const name = `busy${uploaded % 3}`;
          const { id } = await upload(name, `1.${uploaded}`);
          if (uploaded % 2 === 0) {
            await admin.patch(`/r/packages/${id}`, [replace("/deleted", true)]);
            await admin.delete(`/r/packages/${id}`);
          }
          uploaded += 1;
        }
      })();
      try {
        for (const options of [[], ["--deep"], ["--deep", "--repair"]])
          expect(await command(...options)).toEqual({ code: 0, findings: [], kinds: [] });
      } finally {
        working = false;
        await work;
      }
      expect(uploaded).toBeGreaterThan(5);
    },
    300_000,
  );

  /** Makes the damage, sees it reported but not touched, then repaired, and reported no more. */
  const repairable: [string, string, () => Promise<unknown>, string[]][] = [
    [
      "bytes named by records, without a row",
      "bytes-without-row",
      () =>
        sql`delete from objects where digest = (select digest from packages where id = ${ids.ash})`.execute(it.deps.db),
      [],
    ],
    ["unnamed bytes", "bytes-without-row", () => it.writeObject(digestOf("stray"), Buffer.from("stray")), []],
    [
      "unnamed bytes that do not match their digest",
      "bytes-damaged",
      () => it.writeObject("ab".repeat(32), Buffer.from("other")),
      [],
    ],
    [
      "a row without bytes",
      "row-without-bytes",
      () => sql`insert into objects values (${"cd".repeat(32)}, 5, '2026-01-01')`.execute(it.deps.db),
      [],
    ],
    [
      "a wrong size of an object",
      "record-wrong",
      () =>
        sql`update objects set size = 1 where digest = (select digest from packages where id = ${ids.ash})`.execute(
          it.deps.db,
        ),
      [],
    ],
    [
      "a wrong size of a package",
      "record-wrong",
      () => sql`update packages set size = size + 1 where id = ${ids.ash}`.execute(it.deps.db),
      [],
    ],
    [
      "a wrong size of a served file",
      "record-wrong",
      () => sql`update published_files set size = size + 1 where path like '%/ash_1.0.tar.gz'`.execute(it.deps.db),
      [],
    ],
    [
      "a digest that does not match the package's bytes",
      "record-wrong",
      () =>
        sql`update packages set digests = jsonb_set(digests, '{md5}', '"0"') where id = ${ids.ash}`.execute(it.deps.db),
      ["--deep"],
    ],
    [
      "a part of an index that differs",
      "index-wrong",
      () =>
        sql`update index_parts set content = jsonb_set(content, '{redirectToSource}', '"x"') where key = 'as' and to_serial is null`.execute(
          it.deps.db,
        ),
      [],
    ],
    [
      "a part of an index that is missing",
      "index-wrong",
      () => sql`delete from index_parts where key = 'as' and to_serial is null`.execute(it.deps.db),
      [],
    ],
    [
      "a page of a project that is missing",
      "index-wrong",
      () => sql`delete from index_parts where key = 'gorse' and to_serial is null`.execute(it.deps.db),
      [],
    ],
    [
      "a list of projects that is missing",
      "index-wrong",
      () =>
        sql`delete from index_parts where key = '' and to_serial is null
        and repository_id = (select id from repositories where name = 'south')`.execute(it.deps.db),
      [],
    ],
    [
      "an active package that is not served",
      "index-wrong",
      () => sql`delete from published_files where path like '%/birch_1.0.tar.gz'`.execute(it.deps.db),
      [],
    ],
    [
      "a served file that no active package has",
      "index-wrong",
      () => sql`update packages set active = false where id = ${ids.cedar}`.execute(it.deps.db),
      [],
    ],
    [
      "a served file that belongs to no part of the index",
      "index-wrong",
      () =>
        sql`
        insert into published_files (repository_id, part, path, digest, size, from_serial)
        select repository_id, 'zz', 'src/contrib/zz_1.0.tar.gz', digest, size, 1 from packages where id = ${ids.ash}`.execute(
          it.deps.db,
        ),
      [],
    ],
    [
      "a block that is missing",
      "block-lost",
      () =>
        sql`delete from index_blocks where digest =
        (select content -> 'folders' -> 'src/contrib' ->> 'packed' from index_parts where key = 'as' and to_serial is null)`.execute(
          it.deps.db,
        ),
      [],
    ],
    [
      "a block with other bytes",
      "block-damaged",
      () =>
        sql`update index_blocks set bytes = 'x' where digest =
        (select content -> 'folders' -> 'src/contrib' ->> 'packed' from index_parts where key = 'as' and to_serial is null)`.execute(
          it.deps.db,
        ),
      [],
    ],
    [
      "an index of an unpublished repository",
      "index-wrong",
      () => sql`update repositories set published = false where name = 'south'`.execute(it.deps.db),
      [],
    ],
    [
      "counts of packages that differ from them",
      "counts-wrong",
      () => sql`update package_counts set number = number + 2`.execute(it.deps.db),
      [],
    ],
    [
      "an index that no server renders",
      "index-behind",
      () =>
        sql`
        with raised as (update repositories set serial = serial + 1 where name = 'north' returning id, serial)
        insert into index_changes (repository_id, serial, names) select id, serial, '{ash}' from raised`.execute(
          it.deps.db,
        ),
      [],
    ],
  ];
  // That no server renders is noticed after seconds only.
  test.each(repairable.filter(([name]) => isLong || !name.includes("no server")))(
    "finds %s, and repairs it",
    async (_name, kind, damage, options) => {
      await damage();
      const found = await verify(...options);
      expect(found.code).toBe(1);
      // The index may reveal what is wrong with a record, too.
      expect(found.kinds).toContain(kind);
      expect(found.findings.every(({ repaired }) => !repaired)).toBe(true);
      const again = await verify(...options);
      expect(again.findings).toEqual(found.findings);
      const repaired = await verify("--repair", ...options);
      expect([repaired.code, new Set(repaired.kinds)]).toEqual([0, new Set([kind])]);
      expect(repaired.findings.every(({ repaired }) => repaired)).toBe(true);
      expect(await verify("--deep")).toEqual({ code: 0, findings: [], kinds: [] });
    },
    300_000,
  );

  test.runIf(isLong)(
    "is available as the command verify, for all damage together",
    async () => {
      // Except for what would hide other damage of the same part or repository.
      const some = repairable.filter(([name]) => !/published|no server|is missing/.test(name));
      for (const [, , damage] of some) await damage();
      const wanted = new Set(some.map(([, kind]) => kind));
      const found = await command("--deep");
      expect([found.code, new Set(found.kinds)]).toEqual([1, wanted]);
      const repaired = await command("--deep", "--repair");
      expect([repaired.code, new Set(repaired.kinds)]).toEqual([0, wanted]);
      expect(await command("--deep")).toEqual({ code: 0, findings: [], kinds: [] });
    },
    300_000,
  );

  test.each([
    { how: "lost", kind: "bytes-lost", name: "elm", damage: (digest: string) => it.storage.remove(digest) },
    {
      how: "cut off",
      kind: "bytes-damaged",
      name: "fir",
      damage: (digest: string) => it.writeObject(digest, Buffer.from("x")),
    },
    {
      how: "changed",
      kind: "bytes-damaged",
      name: "birch",
      damage: async (digest: string) => {
        const bytes = await buffer(await it.storage.read(digest));
        bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20);
        await it.writeObject(digest, bytes);
      },
      options: ["--deep"],
    },
  ])(
    "removes a package whose bytes are $how from the index, and keeps reporting it",
    async ({ kind, name, damage, options = [] }) => {
      const digest = digestOf((await smallRPackage(name, "1.0")).bytes);
      expect(await index()).toContain(`Package: ${name}`);
      await damage(digest);
      const found = await verify(...options);
      expect([found.code, found.kinds]).toEqual([1, [kind]]);
      expect(found.findings[0]?.where).toBe(`R package north/${name} 1.0`);
      expect(await index()).toContain(`Package: ${name}`);

      const repaired = await verify("--repair", ...options);
      expect([repaired.code, repaired.kinds]).toEqual([1, [kind]]);
      // The server is notified of what another process has rendered.
      await expect.poll(index).not.toContain(`Package: ${name}`);
      const gone = await it.anonymous.request(`/repo/north/src/contrib/${name}_1.0.tar.gz`);
      expect(gone.status).toBe(410);
      const { data } = await admin.get(`/events?resourceType=package&size=1&sort=id,desc`);
      expect(data.content[0].description).toContain(
        `The operator's repair removed ${name} 1.0 from the index of north`,
      );

      const left = await verify("--deep");
      expect([left.code, left.kinds]).toEqual([1, ["bytes-lost"]]);
      const { http } = await admin.upload("R", await smallRPackage(name, "1.0"), {
        repository: "north",
        replace: "true",
      });
      expect(http).toBe(201);
      expect(await verify("--deep")).toEqual({ code: 0, findings: [], kinds: [] });
      expect(await index()).toContain(`Package: ${name}`);
    },
    300_000,
  );

  test("requests a manual again if its bytes are lost", async () => {
    await sql`update packages set manual_digest = ${"ef".repeat(32)}, manual_size = 7 where id = ${ids.ash}`.execute(
      it.deps.db,
    );
    expect((await verify()).kinds).toEqual(["bytes-lost"]);
    expect((await verify("--repair")).code).toBe(0);
    expect((await verify()).code).toBe(0);
  }, 300_000);

  test("marks a file whose bytes are lost as gone in earlier states", async () => {
    const old = await upload("heath");
    await admin.upload("R", await smallRPackage("heath", "1.0", { Title: "Another" }), {
      repository: "north",
      replace: "true",
    });
    await it.storage.remove(old.digest);
    const found = await verify();
    expect(found.kinds).toEqual(["bytes-lost"]);
    expect((await verify("--repair")).code).toBe(0);
    expect(await verify()).toEqual({ code: 0, findings: [], kinds: [] });
  }, 300_000);
});
