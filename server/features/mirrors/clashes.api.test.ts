import { Kysely, PostgresDialect, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Settings } from "../../platform/settings/settings.ts";
import { type Mirroring, startMirroring, startUpstreams } from "../../testing/mirroring.ts";
import { replace } from "../../testing/packhouse.ts";
import type { UpstreamServer } from "../../testing/servers/upstream-server.ts";
import {
  type SmallPackage,
  smallRPackage,
  smallSdist,
  smallWheel,
  smallZippedSdist,
} from "../../testing/small-packages.ts";

let upstream: UpstreamServer;
let second: UpstreamServer;
const opened: AsyncDisposable[] = [];

beforeEach(async () => {
  [upstream, second] = (await startUpstreams(2)) as [UpstreamServer, UpstreamServer];
});
afterEach(async () => {
  for (const it of opened.splice(0)) await it[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
  await second[Symbol.asyncDispose]();
});

async function north(
  technology: "R" | "Python",
  mirrors: Record<string, unknown>[] = [{}],
  { settings = {}, ...declared }: { settings?: Partial<Settings>; reservedNames?: string[] } = {},
): Promise<Mirroring> {
  const path = technology === "R" ? "" : "/simple";
  const standard = [
    { name: "upstream", uri: `${upstream.address}${path}` },
    { name: "second", uri: `${second.address}${path}` },
  ];
  const all = mirrors.map((mirror, index) => ({ ...standard[index], ...mirror }));
  const it = await startMirroring(technology, { mirrors: all, ...declared }, settings);
  opened.push(it);
  return it;
}

async function upload(at: Mirroring, technology: "R" | "Python", file: SmallPackage, fields = {}): Promise<number> {
  const { http, data } = await at.admin.upload(technology, file, { repository: "north", ...fields });
  expect(http, JSON.stringify(data)).toBe(201);
  return data.packageBag.id;
}

const bytesOf = async (at: Mirroring, path: string): Promise<Buffer> =>
  Buffer.from(await (await at.admin.request(`/repo/north/${path}`)).arrayBuffer());

const evil = { Title: "Taken over" };

describe("a mirror of an R repository", () => {
  test("never replaces what was uploaded here, and reports it", async () => {
    const at = await north("R");
    const own = await smallRPackage("internal", "1.0");
    await upload(at, "R", own);
    upstream.putRPackages([await smallRPackage("internal", "1.0", evil), await smallRPackage("tidepool", "1.0")]);

    for (const stored of [1, 0]) {
      const run = await at.synchronize();
      expect(run.stored).toBe(stored);
      expect(run.clashes).toEqual([
        {
          name: "internal",
          version: "1.0",
          reason: "uploaded",
          with: "internal",
          taken: false,
          text: "internal 1.0: this version was uploaded here and is kept",
        },
      ]);
      expect(run.errors).toEqual(["internal 1.0: this version was uploaded here and is kept"]);
      expect(await at.packages()).toEqual(["internal 1.0 upload", "tidepool 1.0 mirror:upstream"]);
      expect(await bytesOf(at, "src/contrib/internal_1.0.tar.gz")).toEqual(Buffer.from(own.bytes));
    }
    const { data } = await at.admin.get("/events?eventType=update&resourceType=repository");
    const reported = data.content.filter(({ description }: { description: string }) => description.includes("clashes"));
    expect(reported).toHaveLength(1); // known clashes are not reported again
    expect(reported[0]).toMatchObject({
      description: expect.stringContaining("The mirror upstream clashes with packages of north: internal 1.0"),
      changedProperties: [
        { property: "mirror", valueBefore: "", valueAfter: "upstream" },
        { property: "mirrorClashes", valueBefore: "", valueAfter: "internal 1.0" },
      ],
    });
  });

  test.for(["deactivated", "deleted"])("does not touch an uploaded package that is %s", async (how) => {
    const at = await north("R");
    const id = await upload(at, "R", await smallRPackage("internal", "1.0"));
    await at.admin.patch(`/r/packages/${id}`, [
      how === "deleted" ? replace("/deleted", true) : replace("/active", false),
    ]);
    upstream.putRPackages([
      await smallRPackage("internal", "1.0", evil),
      await smallRPackage("internal", "99.0", evil),
    ]);
    const run = await at.synchronize();
    expect(run).toMatchObject({ stored: 0, clashes: [{ name: "internal", version: "99.0", reason: "name.uploaded" }] });
    const { data } = await at.admin.get(`/r/packages/${id}`);
    expect(data).toMatchObject({ active: false, deleted: how === "deleted", origin: "upload" });
  });

  test("adds no version to an uploaded name unless its declaration allows it", async () => {
    upstream.putRPackages([await smallRPackage("internal", "99.0", evil)]);
    const at = await north("R");
    await upload(at, "R", await smallRPackage("internal", "1.0"));
    expect(await at.synchronize()).toMatchObject({ stored: 0, clashes: [{ reason: "name.uploaded" }] });

    const sharing = { name: "upstream", uri: upstream.address, sharedNames: true };
    await at.folder.declare("north", { mirrors: [sharing] });
    await (await at.it.replica()).close();
    expect(await at.synchronize()).toMatchObject({ stored: 1, clashes: [] });
    expect(await at.packages()).toEqual(["internal 1.0 upload", "internal 99.0 mirror:upstream"]);
    upstream.putRPackages([await smallRPackage("internal", "1.0", evil)]);
    expect(await at.synchronize()).toMatchObject({ stored: 0, clashes: [{ reason: "uploaded" }] });
  });

  test("does not touch a waiting submission, which does not block its name", async () => {
    const at = await north("R");
    const user = await at.it.as(await at.it.given.person("eve", "user"));
    const waiting = await user.upload("R", await smallRPackage("tidepool", "1.0"), { repository: "north" });
    expect(waiting.data.state).toBe("WAITING");
    upstream.putRPackages([await smallRPackage("tidepool", "1.0", { Title: "Upstream's" })]);
    expect(await at.synchronize()).toMatchObject({ stored: 0, clashes: [{ reason: "uploaded" }] });
    upstream.putRPackages([await smallRPackage("tidepool", "1.1")]);
    expect(await at.synchronize()).toMatchObject({ stored: 1, clashes: [] });
    expect(await at.packages()).toEqual(["tidepool 1.0 upload", "tidepool 1.1 mirror:upstream"]);
  });

  test("reports nothing for equal bytes, and a user's upload over its own package belongs to the user", async () => {
    const same = await smallRPackage("tidepool", "1.0");
    upstream.putRPackages([same]);
    const at = await north("R");
    await at.synchronize();
    const own = await smallRPackage("tidepool", "1.0", { Title: "Patched" });
    await upload(at, "R", own, { replace: "true" });
    expect(await at.packages()).toEqual(["tidepool 1.0 upload"]);
    expect(await at.synchronize()).toMatchObject({ stored: 0, clashes: [{ reason: "uploaded" }] });
    await upload(at, "R", same, { replace: "true" });
    expect(await at.synchronize()).toMatchObject({ stored: 0, clashes: [], errors: [] });
  });

  test("replaces its own packages, as its events state", async () => {
    upstream.putRPackages([await smallRPackage("tidepool", "1.0")]);
    const at = await north("R");
    await at.synchronize();
    upstream.putRPackages([await smallRPackage("tidepool", "1.0", { Title: "Built again" })]);
    expect(await at.synchronize()).toMatchObject({ stored: 1, clashes: [] });
    const { data } = await at.admin.get("/events?eventType=upload");
    expect(data.content[0]).toMatchObject({
      description: "The mirror upstream added tidepool 1.0 to north.",
      changedProperties: [{ property: "digest" }, { property: "mirror", valueBefore: "", valueAfter: "upstream" }],
    });
    const purged = await at.admin.get("/events?eventType=delete&purged=true");
    expect(purged.data.content[0].description).toMatch(/^The mirror upstream permanently deleted tidepool 1.0/);
  });

  test("does not touch packages of another mirror, until that one is removed", async () => {
    upstream.putRPackages([await smallRPackage("tidepool", "1.0")]);
    second.putRPackages([await smallRPackage("tidepool", "1.0", evil), await smallRPackage("tidepool", "2.0", evil)]);
    const at = await north("R", [{}, {}]);
    expect(await at.synchronize("second")).toMatchObject({
      stored: 0,
      clashes: [{ name: "tidepool", version: "2.0", reason: "other.mirror", with: "upstream" }],
    });
    second.putRPackages([await smallRPackage("tidepool", "1.0", evil)]);
    expect(await at.synchronize("second")).toMatchObject({ stored: 0, clashes: [{ reason: "other.mirror" }] });
    expect(await at.packages()).toEqual(["tidepool 1.0 mirror:upstream"]);

    await at.folder.declare("north", { mirrors: [{ name: "second", uri: second.address }] });
    await (await at.it.replica()).close();
    expect(await at.synchronize("second")).toMatchObject({ stored: 1, clashes: [] });
    expect(await at.packages()).toEqual(["tidepool 1.0 mirror:second"]);
  });

  test("fetches no reserved name, however it is spelled", async () => {
    upstream.putRPackages(
      await Promise.all(
        ["acme", "Acme.tools", "acrne.x", "pacme", "secret1"].map((name) => smallRPackage(name, "1.0")),
      ),
    );
    const at = await north("R", [{}], { reservedNames: ["acme*"], settings: { "mirrors.reservedNames": ["SECRETL"] } });
    const run = await at.synchronize();
    expect(await at.packages()).toEqual(["pacme 1.0 mirror:upstream"]);
    expect(run.clashes.map(({ name, reason, with: pattern }) => `${name} ${reason} ${pattern}`).sort()).toEqual([
      "Acme.tools reserved acme*",
      "acme reserved acme*",
      "acrne.x reserved acme*",
      "secret1 reserved SECRETL",
    ]);
    const { data } = await at.admin.get(`/repositories/${at.id}/mirrors`);
    expect(data.reservedNames).toEqual(["SECRETL", "acme*"]);
    await upload(at, "R", await smallRPackage("acme", "1.0")); // users may
  });

  test("fetches no name that looks like an uploaded one, and warns about its own", async () => {
    const at = await north("R");
    await upload(at, "R", await smallRPackage("tidepool", "1.0"));
    upstream.putRPackages([
      await smallRPackage("tidepoo1", "1.0", evil),
      await smallRPackage("Tidepool", "1.0", evil),
      await smallRPackage("sound", "1.0"),
    ]);
    const run = await at.synchronize();
    expect(run.clashes.map(({ name, reason, with: other, taken }) => [name, reason, other, taken]).sort()).toEqual([
      ["Tidepool", "name.differs.only.in.case", "tidepool", false],
      ["tidepoo1", "name.confusable", "tidepool", false],
    ]);
    upstream.putRPackages([await smallRPackage("sound", "1.0"), await smallRPackage("SOUND", "1.0")]);
    expect(await at.synchronize()).toMatchObject({
      stored: 1,
      clashes: [{ name: "SOUND", reason: "name.differs.only.in.case", with: "sound", taken: true }],
    });
  });

  test("cannot come between a reservation and the run", async () => {
    upstream.putRPackages([await smallRPackage("acme", "1.0")]);
    const at = await north("R", [{}], { settings: { "declarative.enabled": false } });
    let release = () => {};
    upstream.mishap(
      "/src/contrib/acme_1.0.tar.gz",
      { waitFor: new Promise<void>((resolve) => (release = resolve)) },
      true,
    );
    const run = at.synchronize();
    while (!upstream.takeRequests().some(({ path }) => path.includes("acme_1.0"))) await new Promise(setImmediate);
    const reserved = await at.admin.patch(at.path, [replace("/reservedNames", ["acme*"])]);
    expect(reserved).toMatchObject({ http: 200, data: { reservedNames: ["acme*"] } });
    release();
    expect(await run).toMatchObject({ stored: 0, clashes: [{ name: "acme", reason: "reserved" }] });
  });
});

describe("a mirror of a Python index", () => {
  test("adds neither files nor versions to an uploaded project", async () => {
    const at = await north("Python", [{ packages: [{ name: "Internal_Tool" }] }]);
    const own = await smallSdist("internal-tool", "1.0");
    await upload(at, "Python", own);
    upstream.putProject("internal-tool", [
      await smallSdist("internal-tool", "1.0", { Summary: "Taken over" }),
      await smallWheel("internal-tool", "1.0"),
    ]);
    expect(await at.synchronize()).toMatchObject({
      stored: 0,
      clashes: [{ reason: "uploaded" }, { reason: "uploaded" }],
    });
    upstream.putProject("internal-tool", [await smallWheel("internal-tool", "99.0")]);
    expect(await at.synchronize()).toMatchObject({ stored: 0, clashes: [{ reason: "name.uploaded" }] });
    expect(await at.packages()).toEqual(["internal-tool 1.0 upload"]);
    expect(await bytesOf(at, "internal-tool/internal_tool-1.0.tar.gz")).toEqual(Buffer.from(own.bytes));
  });

  test("fetches sdists as zip files, which users may not upload, where there are no others", async () => {
    const zipped = await smallZippedSdist("harbor-tools", "1.0");
    upstream.putProject("harbor-tools", [zipped]);
    upstream.putProject("pierlight", [
      await smallZippedSdist("pierlight", "1.0"),
      await smallSdist("pierlight", "1.0"),
    ]);
    const at = await north("Python", [{ packages: [{ name: "harbor-tools" }, { name: "pierlight" }] }]);
    expect(await at.synchronize()).toMatchObject({ stored: 2, errors: [], clashes: [], skipped: [] });
    expect(await bytesOf(at, "harbor-tools/harbor_tools-1.0.zip")).toEqual(Buffer.from(zipped.bytes));
    expect(await (await at.admin.request("/repo/north/pierlight/")).text()).not.toContain(".zip");
    expect(await at.synchronize()).toMatchObject({ stored: 0, errors: [] });
    const other = await smallZippedSdist("harbor-tools", "1.1");
    const answer = await at.admin.upload("Python", other, { repository: "north" });
    expect(answer.http).toBe(422);
    expect(answer.data).toContain("unsupported.package.format");
  });

  test("lists skipped packages with the reason, also when nothing has changed", async () => {
    upstream.put("/simple/", "<a>eggs</a><a>early</a><a>mixed</a>", "text/html");
    const file = (fileName: string): SmallPackage => ({ fileName, bytes: Buffer.from("x"), type: "" });
    upstream.putProject("eggs", [file("eggs-1.0-py2.7.egg")]);
    upstream.putProject("early", [await smallSdist("early", "1.0rc1")]);
    upstream.putProject("mixed", [
      await smallSdist("mixed", "1.0"),
      file("mixed-1.0.win32.exe"),
      file("mixed-0.9.exe"),
    ]);
    const at = await north("Python");
    for (const stored of [1, 0]) {
      const run = await at.synchronize();
      expect(run).toMatchObject({ stored, errors: [], clashes: [] });
      expect([...run.skipped].sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
        { name: "early", fileName: "", reason: "no.final.release" },
        { name: "eggs", fileName: "", reason: "no.supported.file" },
        { name: "mixed", fileName: "mixed-1.0.win32.exe", reason: "unsupported.format" },
      ]);
    }
  });

  test("counts everything that was skipped or failed and lists the first hundred", async () => {
    const projects = Array.from({ length: 103 }, (_, at) => `egg${at}`);
    const file = (fileName: string): SmallPackage => ({ fileName, bytes: Buffer.from("x"), type: "" });
    for (const project of projects.slice(1)) upstream.putProject(project, [file(`${project}-1.0-py2.7.egg`)]);
    upstream.putProject("many", [
      await smallSdist("many", "1.0"),
      ...Array.from({ length: 120 }, (_, at) => file(`many-1.0.win${at}.exe`)),
    ]);
    const names = [...projects, "many"];
    upstream.put("/simple/", names.map((name) => `<a>${name}</a>`).join(""), "text/html");
    const at = await north("Python");
    for (const stored of [1, 0]) {
      const run = await at.synchronize();
      expect(run).toMatchObject({ stored, counts: { errors: 1, clashes: 0, skipped: 222 } });
      expect(run.skipped).toHaveLength(100);
      expect(run.errors).toHaveLength(1);
    }
    upstream.put("/simple/", Array.from({ length: 130 }, (_, gone) => `<a>gone${gone}</a>`).join(""), "text/html");
    const run = await at.synchronize();
    expect(run).toMatchObject({ stored: 0, counts: { errors: 130, clashes: 0, skipped: 0 } });
    expect(run.errors).toHaveLength(101);
    expect(run.errors.at(-1)).toBe("and 30 more");
  });
});

describe("packages", () => {
  test("show their origin, in lists and alone, and can be filtered by it", async () => {
    upstream.putRPackages([await smallRPackage("tidepool", "1.0")]);
    const at = await north("R");
    await at.synchronize();
    const id = await upload(at, "R", await smallRPackage("internal", "1.0"));
    const names = async (query: string) =>
      (await at.admin.get(query)).data.content.map((it: { name: string }) => it.name);
    for (const path of ["/packages", "/r/packages"]) {
      expect(await names(`${path}?origin=mirror`)).toEqual(["tidepool"]);
      expect(await names(`${path}?origin=UPLOAD`)).toEqual(["internal"]);
      expect((await names(`${path}?origin=mirror,upload`)).length).toBe(2);
      expect(await names(`${path}?origin=moon`)).toEqual([]);
    }
    expect((await at.admin.get(`/packages/${id}`)).data).toMatchObject({ origin: "upload" });
    for (const change of [replace("/origin", "mirror"), { op: "add", path: "/mirror", value: "upstream" }])
      expect(await at.admin.patch(`/r/packages/${id}`, [change])).toMatchObject({
        http: 422,
        data: ["forbidden.update"],
      });
  });

  test("of earlier versions are distinguished by their submissions", async () => {
    const at = await north("R");
    const ids: number[] = [];
    for (const [name, changes] of [
      ["mirrored", "Mirror upstream: https://cran.example.org/src/contrib/mirrored_1.0.tar.gz"],
      ["uploaded", "Mirror of my mind"],
    ] as const)
      ids.push(await upload(at, "R", await smallRPackage(name, "1.0"), { changes }));
    const user = await at.it.as(await at.it.given.person("eve", "user"));
    const changes = "Mirror upstream: https://cran.example.org/x.tar.gz";
    const forged = await user.upload("R", await smallRPackage("forged", "1.0"), { repository: "north", changes });
    await at.admin.patch(`/r/submissions/${forged.data.id}`, [replace("/state", "ACCEPTED")]);
    const { up } = await import("../../platform/db/migrations/2026-11-25-packages-origin.ts");
    await up(new Kysely<unknown>({ dialect: new PostgresDialect({ pool: at.it.pool }) }));
    expect(await at.packages()).toEqual(["forged 1.0 upload", "mirrored 1.0 mirror:upstream", "uploaded 1.0 upload"]);
    expect(ids).toHaveLength(2);
  });
});

describe("reserved names of a repository", () => {
  test("are changed by administrators only, and must be names or patterns", async () => {
    const at = await north("R", [{}], { settings: { "declarative.enabled": false } });
    const maintainer = await at.it.given.person("mia", "repositorymaintainer");
    await at.it.given.repositoryMaintainer(maintainer, { id: at.id });
    const mia = await at.it.as(await at.it.given.again(maintainer));
    expect((await mia.patch(at.path, [replace("/reservedNames", ["acme*"])])).http).toBe(403);
    expect((await at.admin.patch(at.path, [replace("/reservedNames", ["acme*"])])).http).toBe(200);
    expect((await mia.patch(at.path, [replace("/reservedNames", [])])).http).toBe(403);
    expect((await mia.patch(at.path, [replace("/redirectToSource", true)])).http).toBe(200);
    const wrong = await at.admin.patch(at.path, [replace("/reservedNames", ["acme *"])]);
    expect(wrong.http).toBe(422);
    expect(wrong.data[0]).toMatch(/^A reserved name can have/);
    expect((await at.admin.get(at.path)).data.reservedNames).toEqual(["acme*"]);
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from events where description like '%changed the repository%'`.execute(at.it.deps.db);
    expect(rows[0]?.n).toBe(2);
  });
});
