import { gunzipSync } from "node:zlib";
import { gzip, tar } from "@packhouse/fixtures/archive-writing";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";
import { smallRPackage } from "../testing/small-packages.ts";

let packhouse: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  packhouse = await startPackhouse();
  admin = await packhouse.as(packhouse.admin);
});
afterAll(() => packhouse.close());

/** A repository with packages; `at` fetches an address below it, anonymously. */
async function repositoryWith(...packages: [name: string, version: string, fields?: Record<string, string>][]) {
  const repository = await packhouse.given.repository("R");
  const ids = new Map<string, number>();
  for (const [name, version, fields] of packages) {
    const answer = await admin.upload("R", await smallRPackage(name, version, fields), { repository: repository.name });
    expect([answer.http, answer.data]).toEqual([201, expect.anything()]);
    ids.set(`${name} ${version}`, answer.data.packageBag.id);
  }
  const at = (path: string, init?: RequestInit) =>
    packhouse.anonymous.request(`/repo/${repository.name}/src/contrib/${path}`, init);
  const packagesFile = async () => (await at("PACKAGES")).text();
  return { repository, ids, at, packagesFile };
}
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

/** A package whose DESCRIPTION is in latin1, declared only by the given fields. */
async function inLatin1(name: string, fields: Record<string, string>): Promise<Uint8Array> {
  const all = {
    Package: name,
    Version: "1.0",
    Title: "T",
    Description: "D.",
    Author: "A",
    License: "GPL-3",
    ...fields,
  };
  const text = Object.entries(all).map(([field, value]) => `${field}: ${value}\n`);
  const bytes = Buffer.from(text.join(""), "latin1");
  return gzip(await tar([{ name: `${name}/DESCRIPTION`, bytes }], new Date(0)));
}

/** The rows of a character matrix as R serializes it ("R Internals", 1.8), without NAs. */
function matrixOf(rds: Buffer): Record<string, string>[] {
  let at = 14;
  const take = (length: number) => {
    at += length;
    return rds.subarray(at - length, at);
  };
  const integer = () => take(4).readInt32BE();
  const character = () => {
    integer();
    const length = integer();
    return length < 0 ? null : take(length).toString();
  };
  const skip = (count: number) => Array.from({ length: count }, integer);
  expect(rds.subarray(0, 6)).toEqual(Buffer.from([0x58, 0x0a, 0, 0, 0, 2]));
  skip(1);
  const cells = Array.from({ length: integer() }, character);
  skip(2);
  expect(character()).toBe("dim");
  skip(2);
  const [rows = 0, columns = 0] = skip(2);
  skip(2);
  expect(character()).toBe("dimnames");
  skip(3);
  const rowNames = Array.from({ length: integer() }, character);
  skip(1);
  const columnNames = Array.from({ length: integer() }, character);
  expect([rowNames.length, columnNames.length]).toEqual([rows, columns]);
  expect(rowNames).toEqual(cells.slice(0, rows));
  return rowNames.map((_name, row) => {
    const entries = columnNames.map((name, column) => [name, cells[column * rows + row]]);
    return Object.fromEntries(entries.filter(([, value]) => value !== null));
  });
}

describe("the index of an R repository", () => {
  test("lists the newest version of each package by name", async () => {
    const { packagesFile } = await repositoryWith(
      ["tidepool", "0.9.0"],
      ["tidepool", "1.0.0-1", { Imports: "stats,\n utils (>= 3.5.0)" }],
      ["tidepool", "1.0.0"],
      ["Zebra", "0.1"],
      ["driftwood", "1.2"],
    );
    const records = (await packagesFile()).split("\n\n").filter(Boolean);
    expect(records.map((record) => record.split("\n").slice(0, 2))).toEqual([
      ["Package: Zebra", "Version: 0.1"],
      ["Package: driftwood", "Version: 1.2"],
      ["Package: tidepool", "Version: 1.0.0-1"],
    ]);
    expect(records[2]).toMatch(/^Imports: stats, utils \(>= 3\.5\.0\)$/m);
    expect(records[2]).toMatch(/^MD5sum: [0-9a-f]{32}$/m);
  });

  test("has versions verbatim and compares them by number", async () => {
    const { packagesFile, at } = await repositoryWith(
      ["tidepool", "0.10"],
      ["tidepool", "0.9"],
      ["driftwood", "1.0-1"],
      ["driftwood", "1.0"],
      ["almanac", "2016.8-1.1"],
      ["almanac", "2016.8-1"],
    );
    expect((await packagesFile()).match(/^(Package|Version): .*$/gm)?.join(" ")).toBe(
      "Package: almanac Version: 2016.8-1.1 Package: driftwood Version: 1.0-1 Package: tidepool Version: 0.10",
    );
    for (const file of ["almanac_2016.8-1.1.tar.gz", "driftwood_1.0-1.tar.gz", "Archive/tidepool/tidepool_0.9.tar.gz"])
      expect((await at(file)).status).toBe(200);
  });

  test("has Foo and foo as two packages, and names with dots and upper case as they are, also in the archive", async () => {
    const { packagesFile, at, repository } = await repositoryWith(
      ["Foo", "1.0"],
      ["R.methodsS3", "1.8.1"],
      ["R.methodsS3", "1.8.2"],
    );
    // Such a pair is refused now, but earlier versions accepted it.
    await packhouse.deps.db.updateTable("packages").set({ name_look: "" }).where("name", "=", "Foo").execute();
    const { http } = await admin.upload("R", await smallRPackage("foo", "2.0"), { repository: repository.name });
    expect(http).toBe(201);
    expect((await packagesFile()).match(/^(Package|Version): .*$/gm)?.join(" ")).toBe(
      "Package: Foo Version: 1.0 Package: R.methodsS3 Version: 1.8.2 Package: foo Version: 2.0",
    );
    expect((await at("Archive/R.methodsS3/R.methodsS3_1.8.1.tar.gz")).status).toBe(200);
    expect((await at("Archive/r.methodss3/r.methodss3_1.8.1.tar.gz")).status).toBe(404);
    expect(gunzipSync(await bytesOf(await at("Meta/archive.rds"))).toString("latin1")).toContain(
      "R.methodsS3/R.methodsS3_1.8.1.tar.gz",
    );
  });

  test("has non-ASCII text in Depends or License as UTF-8, whatever the encoding of DESCRIPTION", async () => {
    const { repository, at, packagesFile } = await repositoryWith();
    const bytes = await inLatin1("bathometer", { Depends: "R (>= 3.5), größe", License: "GPL-3 | file LIZENZ-Größe" });
    const { http } = await admin.upload(
      "R",
      { fileName: "bathometer_1.0.tar.gz", bytes },
      { repository: repository.name },
    );
    expect(http).toBe(201);
    const index = await packagesFile();
    expect(index).toContain("\nDepends: R (>= 3.5), größe\n");
    expect(index).toContain("\nLicense: GPL-3 | file LIZENZ-Größe\n");
    const [record] = matrixOf(gunzipSync(await bytesOf(await at("PACKAGES.rds"))));
    expect(record).toMatchObject({ Depends: "R (>= 3.5), größe", License: "GPL-3 | file LIZENZ-Größe" });
    expect(await bytesOf(await at("bathometer_1.0.tar.gz"))).toEqual(Buffer.from(bytes));
  });

  test("has the same content in every form", async () => {
    const { at, packagesFile } = await repositoryWith(["tidepool", "1.0.0"], ["driftwood", "1.2"], ["drumlin", "3.0"]);
    const packed = await at("PACKAGES.gz");
    expect(packed.headers.get("content-type")).toBe("application/gzip");
    expect(packed.headers.get("content-encoding")).toBeNull();
    expect(gunzipSync(await bytesOf(packed)).toString()).toBe(await packagesFile());

    const matrix = matrixOf(gunzipSync(await bytesOf(await at("PACKAGES.rds"))));
    const records = (await packagesFile()).split("\n\n").filter(Boolean);
    expect(matrix).toEqual(
      records.map((record) => Object.fromEntries(record.split("\n").map((line) => line.split(": ", 2)))),
    );
  });

  test("of a repository without packages is an empty file", async () => {
    const { at } = await repositoryWith();
    const index = await at("PACKAGES");
    expect(index.status).toBe(200);
    expect(await index.text()).toBe("");
    expect(gunzipSync(await bytesOf(await at("PACKAGES.gz")))).toHaveLength(0);
    expect((await at("PACKAGES.rds")).status).toBe(200);
    expect((await at("Meta/archive.rds")).status).toBe(404);
  });

  test("has a list of archived versions once there are any", async () => {
    const { at } = await repositoryWith(["tidepool", "1.0"], ["driftwood", "1.2"]);
    expect((await at("Meta/archive.rds")).status).toBe(404);
    const { at: below } = await repositoryWith(["tidepool", "0.10"], ["tidepool", "1.0"], ["tidepool", "0.9"]);
    const list = gunzipSync(await bytesOf(await below("Meta/archive.rds"))).toString("latin1");
    const oldest = list.indexOf("tidepool/tidepool_0.9.tar.gz");
    expect(oldest).toBeGreaterThan(0);
    expect(list.indexOf("tidepool/tidepool_0.10.tar.gz")).toBeGreaterThan(oldest);
    expect(list).not.toContain("tidepool_1.0.tar.gz");
  });

  test("changes its tag with its content only", async () => {
    const { at, repository } = await repositoryWith(["tidepool", "1.0"]);
    const first = await at("PACKAGES.gz");
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    expect(first.headers.get("cache-control")).toBe("no-cache");
    await admin.post(`/r/repositories/${repository.id}/republish`, undefined);
    expect((await at("PACKAGES.gz", { headers: { "if-none-match": etag } })).status).toBe(304);
    await admin.upload("R", await smallRPackage("driftwood", "1.0"), { repository: repository.name });
    expect((await at("PACKAGES.gz", { headers: { "if-none-match": etag } })).status).toBe(200);
  });
});

describe("the files of an R repository", () => {
  test("are the bytes that were uploaded, although a DESCRIPTION in latin1 is shown decoded", async () => {
    const { repository, at } = await repositoryWith();
    for (const [version, fields] of [
      ["1.0", { Encoding: "latin1" }],
      ["1.1", {}],
    ] as const) {
      const bytes = await inLatin1("sirene", { Version: version, ...fields, Author: "Renée Muñoz" });
      const file = { fileName: `sirene_${version}.tar.gz`, bytes };
      const { data } = await admin.upload("R", file, { repository: repository.name });
      expect(data.packageBag.author).toBe("Renée Muñoz");
      expect(await bytesOf(await at(file.fileName))).toEqual(Buffer.from(bytes));
    }
  });

  test("of an older version that is uploaded later are in the archive only", async () => {
    const { at, repository, packagesFile } = await repositoryWith(["tidepool", "1.0"]);
    const before = await packagesFile();
    await admin.upload("R", await smallRPackage("tidepool", "0.9"), { repository: repository.name });
    expect(await packagesFile()).toBe(before);
    expect((await at("tidepool_0.9.tar.gz")).status).toBe(404);
    expect((await at("Archive/tidepool/tidepool_0.9.tar.gz")).status).toBe(200);
    expect((await at("Meta/archive.rds")).status).toBe(200);
  });

  test("are next to the index when newest and in the archive when older", async () => {
    const { at } = await repositoryWith(["tidepool", "0.9"], ["tidepool", "1.0"]);
    const { bytes } = await smallRPackage("tidepool", "1.0");
    const newest = await at("tidepool_1.0.tar.gz");
    expect(newest.headers.get("content-type")).toBe("application/gzip");
    expect(newest.headers.get("content-encoding")).toBeNull();
    expect(await bytesOf(newest)).toEqual(Buffer.from(bytes));
    expect((await at("Archive/tidepool/tidepool_0.9.tar.gz")).status).toBe(200);
    expect((await at("Archive/tidepool/tidepool_1.0.tar.gz")).status).toBe(404);
  });

  test("support ranges, HEAD and conditional requests", async () => {
    const { at } = await repositoryWith(["tidepool", "1.0"]);
    const { bytes } = await smallRPackage("tidepool", "1.0");
    const part = await at("tidepool_1.0.tar.gz", { headers: { range: "bytes=10-19" } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 10-19/${bytes.length}`);
    expect(await bytesOf(part)).toEqual(Buffer.from(bytes.slice(10, 20)));
    const none = await at("tidepool_1.0.tar.gz", { headers: { range: "bytes=9999999-" } });
    expect(none.status).toBe(416);
    expect(none.headers.get("content-range")).toBe(`bytes */${bytes.length}`);
    expect(none.headers.get("cache-control")).toBe("no-store");
    const head = await at("tidepool_1.0.tar.gz", { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(String(bytes.length));
    const ranges = ["bytes=0-9", "bytes=9999999-"];
    for (const range of ranges)
      expect((await at("tidepool_1.0.tar.gz", { method: "HEAD", headers: { range } })).status).toBe(200);
    const etag = head.headers.get("etag") ?? "";
    expect((await at("tidepool_1.0.tar.gz", { headers: { "if-none-match": etag } })).status).toBe(304);
    const changed = await at("tidepool_1.0.tar.gz", { headers: { range: "bytes=0-1", "if-range": '"other"' } });
    expect(changed.status).toBe(200);
  });

  test("that are missing, such as PACKAGES.rds of a folder without binaries or favicon.ico, answer 404 with a short text", async () => {
    const { at, repository } = await repositoryWith(["tidepool", "1.0"]);
    const python = await packhouse.given.repository("Python");
    for (const path of [
      `${repository.name}/bin/linux/jammy/x86_64/4.2/PACKAGES.rds`,
      `${repository.name}/PACKAGES.rds`,
      `${python.name}/src/contrib/PACKAGES.rds`,
      `${python.name}/favicon.ico/`,
      `no-such-repository/favicon.ico`,
    ]) {
      const answer = await packhouse.anonymous.request(`/repo/${path}`);
      expect([path, answer.status, answer.headers.get("content-type")]).toEqual([
        path,
        404,
        "text/plain; charset=utf-8",
      ]);
      expect((await answer.text()).length).toBeLessThan(100);
    }
    for (const path of ["nothing_1.0.tar.gz", "../../favicon.ico", "PACKAGES.xz", "Archive/", "%zz", "%00"]) {
      const answer = await at(path);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers.get("content-type")).not.toMatch(/html/);
    }
    const root = await packhouse.anonymous.request(`/repo/${repository.name}/favicon.ico`);
    expect(root.status).toBe(404);
    expect(root.headers.get("content-type")).toMatch(/^text\/plain/);
    expect((await packhouse.anonymous.request("/repo/no-such-repository/src/contrib/PACKAGES")).status).toBe(404);
  });
});

describe("a change in an R repository", () => {
  const newest = "the newest version";
  test.each<[string, (id: number) => Promise<unknown>]>([
    [`that deactivates ${newest}`, (id) => admin.patch(`/r/packages/${id}`, [replace("/active", false)])],
    [`that deletes ${newest}`, (id) => admin.patch(`/r/packages/${id}`, [replace("/deleted", true)])],
    [
      `that removes the submission of ${newest} for good`,
      async (id) => {
        const { data } = await admin.get("/submissions?search=tidepool&size=100");
        const submission = data.content.find((one: { packageBag: { id: number } }) => one.packageBag.id === id);
        await admin.delete(`/r/submissions/${submission.id}`);
      },
    ],
  ])("%s brings the next one back from the archive in the same publication", async (_, takeAway) => {
    const { at, ids, packagesFile } = await repositoryWith(["tidepool", "0.9"], ["tidepool", "1.0"]);
    await takeAway(ids.get("tidepool 1.0") ?? 0);
    expect(await packagesFile()).toMatch(/^Package: tidepool\nVersion: 0\.9\n/);
    expect((await at("tidepool_0.9.tar.gz")).status).toBe(200);
    expect((await at("Meta/archive.rds")).status).toBe(404);
  });

  test("that activates the newest version again sends the other one back to the archive", async () => {
    const { at, ids, packagesFile } = await repositoryWith(["tidepool", "0.9"], ["tidepool", "1.0"]);
    await admin.patch(`/r/packages/${ids.get("tidepool 1.0")}`, [replace("/active", false)]);
    await admin.patch(`/r/packages/${ids.get("tidepool 1.0")}`, [replace("/active", true)]);
    expect(await packagesFile()).toContain("Version: 1.0\n");
    expect((await at("Archive/tidepool/tidepool_0.9.tar.gz")).status).toBe(200);
  });

  test("moves files of its own name, not those of names that begin alike", async () => {
    const versions = ["0.9", "1.0"];
    const packages = ["ab", "abc", "ab.c"].flatMap((name) => versions.map((it): [string, string] => [name, it]));
    const { repository, ids } = await repositoryWith(...packages);
    const served = async () => {
      const { rows } = await sql<{ path: string }>`
        select path from published_files where repository_id = ${repository.id} and to_serial is null
        order by path collate "C"`.execute(packhouse.deps.db);
      return rows.map(({ path }) => path.replace("src/contrib/", ""));
    };
    const archived = ["Archive/ab.c/ab.c_0.9.tar.gz", "Archive/ab/ab_0.9.tar.gz", "Archive/abc/abc_0.9.tar.gz"];
    const newest = ["ab.c_1.0.tar.gz", "ab_1.0.tar.gz", "abc_1.0.tar.gz"];
    expect(await served()).toEqual([...archived, ...newest]);
    const deactivate = (name: string) => admin.patch(`/r/packages/${ids.get(name)}`, [replace("/active", false)]);
    await deactivate("ab 1.0");
    const without = ["Archive/ab.c/ab.c_0.9.tar.gz", "Archive/abc/abc_0.9.tar.gz"];
    expect(await served()).toEqual([...without, "ab.c_1.0.tar.gz", "ab_0.9.tar.gz", "abc_1.0.tar.gz"]);
    await deactivate("ab.c 0.9");
    await deactivate("abc 1.0");
    expect(await served()).toEqual(["ab.c_1.0.tar.gz", "ab_0.9.tar.gz", "abc_0.9.tar.gz"]);
  });

  test("keeps the files of the previous state available to clients with its index", async () => {
    const { at, ids } = await repositoryWith(["tidepool", "0.9"], ["tidepool", "1.0"], ["driftwood", "1.0"]);
    await admin.patch(`/r/packages/${ids.get("driftwood 1.0")}`, [replace("/deleted", true)]);
    expect((await at("driftwood_1.0.tar.gz")).status).toBe(404); // taken down, not superseded
    expect((await at("tidepool_0.9.tar.gz")).status).toBe(200);
  });

  test("that purges a file removes it for everyone", async () => {
    const { at, ids } = await repositoryWith(["tidepool", "0.9"], ["tidepool", "1.0"]);
    await admin.patch(`/r/packages/${ids.get("tidepool 1.0")}`, [replace("/deleted", true)]);
    expect((await at("tidepool_1.0.tar.gz")).status).toBe(404);
    await admin.delete(`/r/packages/${ids.get("tidepool 1.0")}`);
    expect((await at("tidepool_1.0.tar.gz")).status).toBe(410);
    expect((await at("tidepool_0.9.tar.gz")).status).toBe(200);
  });

  test("that removes the last package leaves an empty PACKAGES, no archive and no archive.rds", async () => {
    const { at, ids, packagesFile } = await repositoryWith(["tidepool", "1.0"], ["tidepool", "0.9"]);
    expect((await at("Meta/archive.rds")).status).toBe(200);
    for (const id of ids.values()) {
      await admin.patch(`/r/packages/${id}`, [replace("/deleted", true)]);
      await admin.delete(`/r/packages/${id}`);
    }
    expect(await packagesFile()).toBe("");
    expect(gunzipSync(await bytesOf(await at("PACKAGES.gz")))).toHaveLength(0);
    expect(matrixOf(gunzipSync(await bytesOf(await at("PACKAGES.rds"))))).toEqual([]);
    expect((await at("Meta/archive.rds")).status).toBe(404);
    expect((await at("Archive/tidepool/tidepool_0.9.tar.gz")).status).toBe(410);
  });

  test("that unpublishes it takes it offline immediately, until it is published again", async () => {
    const { at, repository, packagesFile } = await repositoryWith(["tidepool", "1.0"]);
    const before = await packagesFile();
    await admin.patch(`/r/repositories/${repository.id}`, [replace("/published", false)]);
    for (const path of ["PACKAGES", "PACKAGES.rds", "tidepool_1.0.tar.gz"]) expect((await at(path)).status).toBe(404);
    await admin.patch(`/r/repositories/${repository.id}`, [replace("/published", true)]);
    expect(await packagesFile()).toBe(before);
    expect((await at("tidepool_1.0.tar.gz")).status).toBe(200);
  });

  test("of its name moves it to another address", async () => {
    const { at, repository, packagesFile } = await repositoryWith(["tidepool", "1.0"]);
    const before = await packagesFile();
    await admin.patch(`/r/repositories/${repository.id}`, [replace("/name", "moved north")]);
    expect((await at("PACKAGES")).status).toBe(404);
    const moved = await packhouse.anonymous.request("/repo/moved%20north/src/contrib/PACKAGES");
    expect(await moved.text()).toBe(before);
  });

  test("that has not been accepted shows nowhere", async () => {
    const { repository, packagesFile } = await repositoryWith(["tidepool", "1.0"]);
    const stranger = await packhouse.as(await packhouse.given.person("stranger"));
    const answer = await stranger.upload("R", await smallRPackage("tidepool", "2.0"), { repository: repository.name });
    expect(answer.data.state).toBe("WAITING");
    expect(await packagesFile()).toContain("Version: 1.0\n");
    await admin.patch(`/r/submissions/${answer.data.id}`, [replace("/state", "ACCEPTED")]);
    expect(await packagesFile()).toContain("Version: 2.0\n");
  });
});
