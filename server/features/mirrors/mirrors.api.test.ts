import { isLong } from "@packhouse/fixtures/long-form";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Settings } from "../../platform/settings/settings.ts";
import { type Mirroring, startMirroring, until } from "../../testing/mirroring.ts";
import { replace, startPackhouse } from "../../testing/packhouse.ts";
import { startUpstream, type UpstreamServer } from "../../testing/servers/upstream-server.ts";
import { smallRPackage, smallSdist, smallWheel } from "../../testing/small-packages.ts";

let upstream: UpstreamServer;
const opened: AsyncDisposable[] = [];

beforeEach(async () => {
  upstream = await startUpstream();
});
afterEach(async () => {
  for (const it of opened.splice(0)) await it[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

/** A Packhouse with one published repository that has one mirror. */
async function mirroring(
  technology: "R" | "Python",
  mirror: Record<string, unknown> = {},
  settings: Partial<Settings> = {},
): Promise<Mirroring> {
  const uri = technology === "R" ? upstream.address : `${upstream.address}/simple`;
  const it = await startMirroring(technology, { mirrors: [{ name: "upstream", uri, ...mirror }] }, settings);
  opened.push(it);
  return it;
}

async function here({ admin }: Mirroring): Promise<string[]> {
  const { data } = await admin.get("/packages?repository=north&size=100&sort=name,asc&sort=version,asc");
  return data.content.map(
    (it: { name: string; version: string; submission: { state: string } }) =>
      `${it.name} ${it.version} ${it.submission.state}`,
  );
}

const requestsOf = (paths: RegExp) => upstream.takeRequests().filter(({ path }) => paths.test(path));

describe("a mirror of an R repository", () => {
  test("publishes listed packages, the newest or a fixed version, also from the archive", async () => {
    const old = await smallRPackage("tidepool", "0.9");
    upstream.putRPackages([
      await smallRPackage("tidepool", "1.0"),
      await smallRPackage("moorings", "2.1"),
      await smallRPackage("moorings", "2.0"),
      await smallRPackage("unwanted", "1.0"),
    ]);
    upstream.put("/src/contrib/Archive/tidepool/tidepool_0.9.tar.gz", old.bytes);
    const north = await mirroring("R", {
      packages: [{ name: "tidepool", version: "0.9" }, { name: "tidepool", version: "1.0" }, { name: "moorings" }],
    });
    const states = async () => (await north.admin.get(`/repositories/${north.id}/snapshots`)).data.snapshots.length;
    const before = await states();
    expect(await north.synchronize()).toMatchObject({ stored: 3, errors: [] });
    expect(await states()).toBe(before + 1); // published together
    expect(await here(north)).toEqual(["moorings 2.1 ACCEPTED", "tidepool 0.9 ACCEPTED", "tidepool 1.0 ACCEPTED"]);
    const published = await north.admin.request("/repo/north/src/contrib/PACKAGES");
    expect(await published.text()).toMatch(/Package: moorings\nVersion: 2.1[\s\S]*Package: tidepool\nVersion: 1.0/);
    const { data } = await north.admin.get(`${north.path}/synchronization-status`);
    expect(data).toMatchObject({ repositoryId: north.id, pending: false, error: { present: false, empty: true } });
    const events = await north.admin.get("/events?eventType=upload");
    expect(events.data.page.totalElements).toBe(3);
  });

  test("fetches what matches a pattern, or everything", async () => {
    upstream.putRPackages(
      await Promise.all(["tidepool", "tidewater", "moorings"].map((name) => smallRPackage(name, "1.0"))),
    );
    const north = await mirroring("R", { packages: [{ name: "tide*" }] });
    await north.synchronize();
    expect(await here(north)).toEqual(["tidepool 1.0 ACCEPTED", "tidewater 1.0 ACCEPTED"]);

    await north.folder.declare("north", { mirrors: [{ name: "upstream", uri: upstream.address, packages: "all" }] });
    const replica = await north.it.replica();
    await replica.close();
    expect(await north.synchronize()).toMatchObject({ stored: 1, errors: [] });
    expect(await here(north)).toContain("moorings 1.0 ACCEPTED");
  });

  test("takes one conditional request while nothing changed, and fetches again what was deleted here", async () => {
    upstream.putRPackages([await smallRPackage("tidepool", "1.0"), await smallRPackage("moorings", "1.0")]);
    const north = await mirroring("R");
    await north.synchronize();
    upstream.takeRequests();

    expect(await north.synchronize()).toMatchObject({ stored: 0, errors: [] });
    expect(upstream.takeRequests().map(({ path, status }) => `${status} ${path}`)).toEqual([
      "304 /src/contrib/PACKAGES.gz",
    ]);

    const { data } = await north.admin.get("/packages?repository=north&name=tidepool&search=tidepool");
    await north.admin.patch(`/r/packages/${data.content[0].id}`, [{ op: "replace", path: "/deleted", value: true }]);
    expect(await north.synchronize()).toMatchObject({ stored: 1, errors: [] });
  });

  test("replaces a version whose bytes changed upstream", async () => {
    upstream.putRPackages([await smallRPackage("tidepool", "1.0")]);
    const north = await mirroring("R");
    await north.synchronize();
    upstream.putRPackages([await smallRPackage("tidepool", "1.0", { Title: "Built Anew" })]);
    expect(await north.synchronize()).toMatchObject({ stored: 1, errors: [] });
    const { data } = await north.admin.get("/r/packages?repository=north");
    expect(data.content).toHaveLength(1);
    expect(data.content[0].title).toBe("Built Anew");
  });

  test("reports each package that is unavailable or refused, and fetches the others", async () => {
    const good = await smallRPackage("sound", "1.0");
    const broken = { ...(await smallRPackage("broken", "1.0")), bytes: Buffer.from("no archive") };
    const lying = await smallRPackage("lying", "1.0");
    const gone = await smallRPackage("gone", "1.0");
    upstream.putRPackages([broken, gone, good, lying], (name) => (name === "lying" ? "0".repeat(32) : undefined));
    upstream.remove("/src/contrib/gone_1.0.tar.gz");
    const north = await mirroring("R", {
      packages: [{ name: "*" }, { name: "absent" }, { name: "sound", version: "0.1" }, { name: "sound" }],
    });
    const { stored, errors } = await north.synchronize();
    expect(stored).toBe(1);
    expect(await here(north)).toEqual(["sound 1.0 ACCEPTED"]);
    expect([...errors].sort()).toEqual([
      "absent: the mirror has no such package",
      expect.stringMatching(/^broken 1.0: /),
      "gone 1.0: not found (404)",
      expect.stringMatching(/^lying 1.0: its md5 is [0-9a-f]{32}, the index says 0{32}$/),
      "sound 0.1: not found (404)",
    ]);
    const { data } = await north.admin.get(`${north.path}/synchronization-status`);
    expect(data.error).toEqual({ present: true, empty: false });
  });

  test.for(isLong ? [true, false] : [true])(
    "resumes a download that breaks (server with ranges: %s)",
    async (ranges) => {
      upstream.ranges = ranges;
      const noise = Array.from({ length: 20_000 }, () => Math.random().toString(36)).join("");
      upstream.putRPackages([await smallRPackage("tidepool", "1.0", { Note: noise })]);
      upstream.mishap("/src/contrib/tidepool_1.0.tar.gz", { cutAfter: 70_000 });
      const north = await mirroring("R");
      expect(await north.synchronize()).toMatchObject({ stored: 1, errors: [] });
      const tries = requestsOf(/tidepool_1/);
      expect(tries.map(({ status }) => status)).toEqual([200, ranges ? 206 : 200]);
      expect(tries[1]?.headers.range).toMatch(/^bytes=\d{4,}-$/);
      expect(tries[1]?.headers["user-agent"]).toMatch(/^Packhouse\/\d/);
    },
  );

  test.runIf(isLong)("is retried when the server fails for a moment, and reported when it keeps failing", async () => {
    upstream.putRPackages([await smallRPackage("tidepool", "1.0")]);
    upstream.mishap("/src/contrib/PACKAGES.gz", { status: 503 });
    const north = await mirroring("R");
    expect(await north.synchronize()).toMatchObject({ stored: 1, errors: [] });
    upstream.mishap("/src/contrib/PACKAGES.gz", { status: 403 }, true);
    expect(await north.synchronize()).toMatchObject({
      errors: [`${upstream.address}/src/contrib/PACKAGES.gz: the server responded with 403`],
    });
  });

  test("is read from PACKAGES where there is no PACKAGES.gz, and refused where there is neither", async () => {
    const { bytes, fileName } = await smallRPackage("tidepool", "1.0");
    const north = await mirroring("R");
    expect((await north.synchronize()).errors).toEqual([`there is no ${upstream.address}/src/contrib/PACKAGES`]);
    upstream.put(`/src/contrib/${fileName}`, bytes);
    upstream.put("/src/contrib/PACKAGES", "Package: tidepool\nVersion: 1.0\n");
    expect(await north.synchronize()).toMatchObject({ stored: 1, errors: [] });
  });
});

describe("a mirror of a Python index", () => {
  test.for(["json", "html"] as const)("fetches listed projects, read from %s", async (form) => {
    upstream.putProject(
      "harbor-tools",
      [
        await smallSdist("harbor-tools", "1.9"),
        await smallSdist("harbor-tools", "1.10"),
        await smallWheel("harbor-tools", "1.10"),
        await smallSdist("harbor-tools", "2.0rc1"),
        { ...(await smallSdist("harbor-tools", "3.0")), yanked: true },
      ],
      form,
    );
    upstream.putProject(
      "pierlight",
      [await smallSdist("pierlight", "1.0"), await smallSdist("pierlight", "1.1")],
      form,
    );
    const north = await mirroring("Python", {
      packages: [{ name: "Harbor_Tools" }, { name: "pierlight", version: "1.0.0" }],
    });
    expect(await north.synchronize()).toMatchObject({ stored: 3, errors: [] });
    expect(await here(north)).toEqual([
      "harbor-tools 1.10 ACCEPTED",
      "harbor-tools 1.10 ACCEPTED",
      "pierlight 1.0 ACCEPTED",
    ]);
    const page = await north.admin.request("/repo/north/harbor-tools/");
    expect(await page.text()).toContain("harbor_tools-1.10-py3-none-any.whl");
    upstream.takeRequests();
    expect(await north.synchronize()).toMatchObject({ stored: 0, errors: [] });
    expect(upstream.takeRequests().map(({ status }) => status)).toEqual([304, 304]);
  });

  test("fetches a yanked version if it is pinned, and reports missing ones", async () => {
    const wrong = { ...(await smallSdist("pierlight", "1.0")), sha256: "0".repeat(64) };
    upstream.putProject("harbor-tools", [{ ...(await smallSdist("harbor-tools", "3.0")), yanked: true }]);
    upstream.putProject("pierlight", [wrong]);
    const north = await mirroring("Python", {
      packages: [
        { name: "harbor-tools", version: "3.0" },
        { name: "pierlight" },
        { name: "pierlight", version: "9" },
        { name: "absent" },
      ],
    });
    const { stored, errors } = await north.synchronize();
    expect(stored).toBe(1);
    expect([...errors].sort()).toEqual([
      "absent: the mirror has no such project",
      expect.stringMatching(/^pierlight 1.0: its sha256 is /),
      "pierlight 9: the mirror has no such version",
    ]);
  });

  test("fetches what matches a pattern, or everything on its list of projects", async () => {
    upstream.put("/simple/", '<a href="harbor-tools/">Harbor.Tools</a><a href="pierlight/">pierlight</a>', "text/html");
    upstream.putProject("harbor-tools", [await smallSdist("harbor-tools", "1.0")]);
    upstream.putProject("pierlight", [await smallSdist("pierlight", "1.0")]);
    const north = await mirroring("Python", { packages: [{ name: "Harbor*" }] });
    expect(await north.synchronize()).toMatchObject({ stored: 1, errors: [] });
    expect(await here(north)).toEqual(["harbor-tools 1.0 ACCEPTED"]);

    const uri = `${upstream.address}/simple`;
    await north.folder.declare("north", { technology: "Python", mirrors: [{ name: "upstream", uri }] });
    await (await north.it.replica()).close();
    expect(await north.synchronize()).toMatchObject({ stored: 1, errors: [] });
    expect(await here(north)).toEqual(["harbor-tools 1.0 ACCEPTED", "pierlight 1.0 ACCEPTED"]);
  });
});

describe("another Packhouse as a mirror", () => {
  test.for(["R", "Python"] as const)("of %s provides everything it publishes", async (technology) => {
    const source = await startPackhouse();
    opened.push(source);
    await source.given.repository(technology, { name: "source" });
    const client = await source.as(source.admin);
    const files =
      technology === "R"
        ? [await smallRPackage("tidepool", "1.0"), await smallRPackage("moorings", "0.1")]
        : [
            await smallSdist("tidepool", "1.0"),
            await smallWheel("tidepool", "1.0"),
            await smallSdist("moorings", "0.1"),
          ];
    for (const file of files) expect((await client.upload(technology, file, { repository: "source" })).http).toBe(201);
    const north = await mirroring(technology, { uri: `${source.address}/repo/source` });
    expect(await north.synchronize()).toMatchObject({ stored: files.length, errors: [] });
    expect(await north.synchronize()).toMatchObject({ stored: 0, errors: [] });
  });
});

describe("an upstream", () => {
  const refusal = /is not a public address; mirrors.allowPrivateAddresses allows such addresses$/;

  test("in a private network is refused by its address and by its name", async () => {
    upstream.putRPackages([await smallRPackage("tidepool", "1.0")]);
    const north = await mirroring("R", {}, { "mirrors.allowPrivateAddresses": false });
    expect((await north.synchronize()).errors).toEqual([expect.stringMatching(refusal)]);

    const uri = `http://localhost:${upstream.port}`;
    await north.folder.declare("north", { mirrors: [{ name: "upstream", uri }] });
    await (await north.it.replica()).close();
    expect((await north.synchronize()).errors).toEqual([expect.stringMatching(refusal)]);
    expect(upstream.takeRequests()).toEqual([]);
  });

  test("is followed through redirects, but only a limited number, and only by HTTP", async () => {
    upstream.putRPackages([await smallRPackage("tidepool", "1.0")]);
    upstream.mishap("/elsewhere/src/contrib/PACKAGES.gz", { redirect: "/src/contrib/PACKAGES.gz" }, true);
    upstream.mishap("/elsewhere/src/contrib/tidepool_1.0.tar.gz", { redirect: "/src/contrib/tidepool_1.0.tar.gz" });
    const north = await mirroring("R", { uri: `${upstream.address}/elsewhere` });
    expect(await north.synchronize()).toMatchObject({ stored: 1, errors: [] });
    upstream.mishap("/elsewhere/src/contrib/PACKAGES.gz", { redirect: "PACKAGES.gz" }, true);
    expect((await north.synchronize()).errors).toEqual([expect.stringMatching(/it redirects more than 5 times$/)]);
    upstream.mishap("/elsewhere/src/contrib/PACKAGES.gz", { redirect: "file:///etc/passwd" }, true);
    expect((await north.synchronize()).errors).toEqual([
      expect.stringMatching(/it redirects to file:, which is not followed$/),
    ]);
  });
});

describe("a synchronization", () => {
  test.runIf(isLong)("that fails again and again ends its run, and the next mirror gets its turn", async () => {
    const packages = await Promise.all(
      Array.from({ length: 40 }, (_, at) => smallRPackage(`drops${String(at).padStart(2, "0")}`, "1.0")),
    );
    upstream.putRPackages(packages);
    for (const { fileName } of packages) upstream.mishap(`/src/contrib/${fileName}`, { status: 503 }, true);
    await using second = await startUpstream();
    second.putRPackages([await smallRPackage("arrives", "1.0")]);
    const mirrors = [
      { name: "failing", uri: upstream.address },
      { name: "sound", uri: second.address },
    ];
    const north = await startMirroring("R", { mirrors }, { "mirrors.parallel": 12 });
    opened.push(north);
    const { errors, stored } = await north.synchronize("failing");
    expect(stored).toBe(0);
    expect(errors).toContain("the run ended after 10 failures in a row; the next one continues");
    expect(errors.length).toBeLessThan(25);
    expect(await north.packages()).toEqual(["arrives 1.0 mirror:sound"]);
  });

  test("adds packages with the rights that an administrator has at that time", async () => {
    upstream.putRPackages([await smallRPackage("early", "1.0"), await smallRPackage("late", "1.0")]);
    const gate = Promise.withResolvers<void>();
    upstream.mishap("/src/contrib/late_1.0.tar.gz", { waitFor: gate.promise });
    const north = await mirroring("R");
    const successor = await north.it.given.person("successor", "admin");
    await north.admin.post(`${north.path}/synchronize-mirrors`, undefined);
    await until(async () => (await north.packages()).length === 1);
    await (await north.it.bySession(successor)).patch(`/users/${north.it.admin.id}`, [replace("/active", false)]);
    gate.resolve();
    const by = await north.it.as(successor);
    const submissions = async () => (await by.get("/submissions?repository=north&sort=id,asc")).data.content;
    await until(async () => (await submissions()).length === 2);
    expect((await submissions()).map(({ submitter }: { submitter: { login: string } }) => submitter.login)).toEqual([
      "admin",
      "successor",
    ]);
  });

  test("runs once at a time; a second request is dropped", async () => {
    upstream.putRPackages([await smallRPackage("tidepool", "1.0")]);
    const gate = Promise.withResolvers<void>();
    upstream.mishap("/src/contrib/PACKAGES.gz", { waitFor: gate.promise });
    const north = await mirroring("R");
    for (let times = 0; times < 3; times += 1) await north.admin.post(`${north.path}/synchronize-mirrors`, undefined);
    const { data } = await north.admin.get(`${north.path}/synchronization-status`);
    expect(data).toMatchObject({ pending: true });
    expect((await north.admin.get(north.path)).data.synchronizing).toBe(true);
    expect((await north.admin.get("/repositories?sort=synchronizing,desc")).data.content[0].synchronizing).toBe(true);
    gate.resolve();
    await until(async () => !(await north.admin.get(`${north.path}/synchronization-status`)).data.pending);
    expect((await north.admin.get(north.path)).data.synchronizing).toBe(false);
    expect(requestsOf(/PACKAGES/)).toHaveLength(1);
  });

  test("that ended with its process continues at the next start, without what is already here", async () => {
    upstream.putRPackages([await smallRPackage("first", "1.0"), await smallRPackage("second", "1.0")]);
    upstream.mishap("/src/contrib/second_1.0.tar.gz", { waitFor: new Promise(() => {}) });
    const { it, admin, path } = await mirroring("R", {}, { "mirrors.parallel": 1 });
    const { db } = it.deps;
    await admin.post(`${path}/synchronize-mirrors`, undefined);
    const namesHere = async () => {
      const rows = await db.selectFrom("packages").select("name").orderBy("name").execute();
      return rows.map(({ name }) => name);
    };
    await until(async () => (await namesHere()).includes("first"));
    await it.packhouse.close();
    expect(await namesHere()).toEqual(["first"]);
    expect(await db.selectFrom("mirrors").select("ended_on").executeTakeFirstOrThrow()).toEqual({ ended_on: null });

    const restarted = await it.replica();
    await until(async () => {
      const { ended_on } = await db.selectFrom("synchronizations").select("ended_on").executeTakeFirstOrThrow();
      return ended_on !== null;
    });
    await restarted.close();
    expect(await namesHere()).toEqual(["first", "second"]);
    expect(requestsOf(/first_/)).toHaveLength(1);
  }, 120_000);

  test("whose time comes during that of another mirror runs later", async () => {
    upstream.putRPackages([await smallRPackage("tidepool", "1.0")]);
    await using second = await startUpstream();
    second.putRPackages([await smallRPackage("driftwood", "1.0")]);
    const gate = Promise.withResolvers<void>();
    upstream.mishap("/src/contrib/PACKAGES.gz", { waitFor: gate.promise });
    const mirrors = [
      { name: "hourly", uri: upstream.address, syncInterval: "0 0 * * * *" },
      { name: "daily", uri: second.address, syncInterval: "0 0 3 * * *" },
    ];
    const north = await startMirroring("R", { mirrors });
    opened.push(north);
    const { db } = north.it.deps;
    const begin = (schedule: string) =>
      sql`insert into jobs.job (name, data) values ('synchronize-mirrors',
        ${JSON.stringify({ repositoryId: north.id, schedule })}::jsonb)`.execute(db);
    await begin("0 * * * *");
    await until(async () => upstream.takeRequests().length > 0);
    await begin("0 3 * * *");
    const waiting = async () => {
      const { rows } =
        await sql`select from jobs.job where name = 'synchronize-mirrors' and start_after > now()`.execute(db);
      return rows.length;
    };
    await until(async () => (await waiting()) === 1);
    gate.resolve();
    await until(async () => (await north.packages()).length === 1);
    // In a minute; now.
    await sql`update jobs.job set start_after = now() where name = 'synchronize-mirrors'`.execute(db);
    await until(async () => (await north.packages()).length === 2);
    expect(await north.packages()).toEqual(["driftwood 1.0 mirror:daily", "tidepool 1.0 mirror:hourly"]);
  });

  test("ends when its repository is deleted, and downloads nothing more", async () => {
    const names = Array.from({ length: 20 }, (_, at) => `pebble${String(at).padStart(2, "0")}`);
    upstream.putRPackages(await Promise.all(names.map((name) => smallRPackage(name, "1.0"))));
    const gate = Promise.withResolvers<void>();
    upstream.mishap("/src/contrib/pebble01_1.0.tar.gz", { waitFor: gate.promise });
    const north = await mirroring("R", {}, { "mirrors.parallel": 1 });
    await north.admin.post(`${north.path}/synchronize-mirrors`, undefined);
    await until(async () => requestsOf(/pebble01/).length > 0);
    await north.it.deps.db.updateTable("repositories").set({ deleted: true }).where("id", "=", north.id).execute();
    gate.resolve();
    const ended = async () => {
      const row = await north.it.deps.db.selectFrom("synchronizations").select("ended_on").executeTakeFirst();
      return row?.ended_on !== null;
    };
    await until(ended);
    expect(requestsOf(/pebble/)).toEqual([]);
    const { errors } = await north.it.deps.db.selectFrom("mirrors").select("errors").executeTakeFirstOrThrow();
    expect(errors).toEqual([]);
  });

  test("runs by schedule, and no longer when the schedule is removed", async () => {
    const north = await mirroring("R", { syncInterval: "0 30 2 * * *" });
    const scheduled = async () => {
      const found = await sql`select cron from jobs.schedule where name = 'synchronize-mirrors'`.execute(
        north.it.deps.db,
      );
      return found.rows;
    };
    expect(await scheduled()).toEqual([{ cron: "30 2 * * *" }]);
    await north.folder.declare("north", { mirrors: [{ name: "upstream", uri: upstream.address, syncInterval: "" }] });
    await (await north.it.replica()).close();
    expect(await scheduled()).toEqual([]);
  });

  test("is for users who may edit the repository", async () => {
    const north = await mirroring("R");
    expect((await north.admin.get(`${north.path}/synchronization-status`)).messageCode).toBe(
      "error.get.synchronization.status",
    );
    const reviewer = await north.it.given.person("reviewer", "repositorymaintainer");
    const client = await north.it.as(reviewer);
    expect((await client.post(`${north.path}/synchronize-mirrors`, undefined)).http).toBe(403);
    expect((await client.get(`/repositories/${north.id}/mirrors`)).http).toBe(403);
    await north.it.given.repositoryMaintainer(reviewer, { id: north.id });
    expect((await client.get(`/repositories/${north.id}/mirrors`)).data.mirrors).toEqual([
      { name: "upstream", uri: upstream.address, schedule: "", packages: null, lastRun: null },
    ]);
  });
});
