import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { apiPrefix } from "@packhouse/contract/operation";
import { isLong } from "@packhouse/fixtures/long-form";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { latestSchema, migrateWithin, schemaOf } from "../../platform/db/migrate.ts";
import { stage } from "../../platform/storage/storage.ts";
import { sweepObjects } from "../../platform/storage/sweep-objects.ts";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { emptyPlace } from "../../testing/servers/test-backends.ts";
import { smallDisk } from "../../testing/small-disk.ts";
import { smallRPackage, smallWheel } from "../../testing/small-packages.ts";
import { chooseBackup, digestLine } from "./backup-folder.ts";
import { openSoundBackup } from "./check-backup.ts";
import { connect } from "./connection.ts";
import type { Content } from "./content.ts";
import { tableOut } from "./copy.ts";
import { withEmptyPlace } from "./fill-place.ts";
import { type MadeBackup, makeBackup } from "./make-backup.ts";
import { restoreBackup } from "./restore-backup.ts";
import { withSnapshot } from "./snapshot.ts";
import { tableOf, tablesOf, takeLock } from "./store.ts";

let it: TestPackhouse;
let admin: Client;
let folder: string;
// Whole installations are copied, read and started.
vi.setConfig({ testTimeout: 120_000 });

const silent = () => {};
const backUp = (keep?: number): Promise<MadeBackup> => makeBackup(it, folder, { clock: systemClock, keep });

beforeAll(async () => {
  it = await startPackhouse({ settings: { "storage.keepUnnamedHours": 0 } });
  admin = await it.as(it.admin);
  folder = await mkdtemp(join(tmpdir(), "packhouse-test-backups-"));
  await fill();
});
afterAll(async () => {
  await it.close();
  await rm(folder, { recursive: true, force: true });
});

/** Repositories of both technologies with several serials, replaced, purged and waiting packages, deleted records. */
async function fill(): Promise<void> {
  await it.given.repository("R", { name: "north" });
  await it.given.repository("Python", { name: "south" });
  const closed = await it.given.repository("R", { name: "closed", requiresAuthentication: true });
  const uploader = await it.given.person("uploader", "user");
  await it.given.repositoryMaintainer(await it.given.person("keeper", "repositorymaintainer"), closed);
  await admin.upload("R", await smallRPackage("kept", "1.0"), { repository: "north" });
  await admin.upload("R", await smallRPackage("kept", "1.0", { Title: "Tab\tand \\ and Žluťoučký" }), {
    repository: "north",
    replace: "true",
  });
  await admin.upload("R", await smallRPackage("kept", "2.0"), { repository: "north" });
  await admin.upload("R", await smallRPackage("secret", "1.0"), { repository: "closed" });
  await admin.upload("Python", await smallWheel("one", "1.0"), { repository: "south" });
  await admin.upload("Python", await smallWheel("one", "2.0"), { repository: "south" });
  const purged = await admin.upload("R", await smallRPackage("purged", "1.0"), { repository: "north" });
  await admin.patch(`/r/packages/${purged.data.packageBag.id}`, [replace("/deleted", true)]);
  await admin.delete(`/r/packages/${purged.data.packageBag.id}`);
  const deleted = await admin.upload("Python", await smallWheel("gone", "1.0"), { repository: "south" });
  await admin.patch(`/python/packages/${deleted.data.packageBag.id}`, [replace("/deleted", true)]);
  const waiting = await (await it.as(uploader)).upload("R", await smallRPackage("waiting", "1.0"), {
    repository: "north",
  });
  expect(waiting.data.state).toBe("WAITING");
}

const forms: Record<string, readonly string[]> = {
  R: ["src/contrib/PACKAGES", "src/contrib/PACKAGES.gz", "src/contrib/PACKAGES.rds", "src/contrib/Meta/archive.rds"],
  Python: ["simple/", "simple/?format=application/vnd.pypi.simple.v1%2Bjson", "simple/one/", "simple/gone/"],
};

/** Everything that clients can download, at every serial, with its ETag. */
async function served(of: TestPackhouse): Promise<Map<string, string>> {
  const { db } = of.deps;
  const user = await of.as(of.admin);
  const found = new Map<string, string>();
  const look = async (path: string) => {
    const answer = await user.request(`/repo/${path}`);
    const bytes = Buffer.from(await answer.arrayBuffer()).toString("base64");
    found.set(path, `${answer.status} ${answer.headers.get("etag")} ${bytes}`);
  };
  for (const { id, name, technology, serial } of await db
    .selectFrom("repositories")
    .selectAll()
    .orderBy("id")
    .execute()) {
    const files = await db.selectFrom("published_files").selectAll().where("repository_id", "=", id).execute();
    for (let at = 1; at <= serial; at += 1) {
      for (const path of forms[technology] ?? []) await look(`${name}/@${at}/${path}`);
      for (const { path } of files) await look(`${name}/@${at}/${technology === "Python" ? "simple/" : ""}${path}`);
    }
    for (const path of forms[technology] ?? []) await look(`${name}/${path}`);
  }
  return found;
}

/** Everything users see through the API. */
async function recordsOf(of: TestPackhouse): Promise<unknown[]> {
  const user = await of.as(of.admin);
  const lists = ["/events?size=1000&purged=true", "/submissions?size=100", "/repositories?size=100", "/users?size=100"];
  const answers: unknown[] = [];
  for (const path of lists) answers.push((await user.get(path)).data);
  // Links have the address of the server that answers.
  return JSON.parse(JSON.stringify(answers).replaceAll(of.address, it.address));
}

async function restored(work: (copy: TestPackhouse) => Promise<void>, at?: string): Promise<void> {
  await using target = await emptyPlace();
  await restoreBackup(await openSoundBackup(folder, await chooseBackup(folder, at)), target, silent);
  await using copy = await startPackhouse({ sharing: { database: target.name, storage: target.storage } });
  await work(copy);
}

test("a backup restored into an empty place is served byte for byte, with every serial and record", async () => {
  const before = { served: await served(it), records: await recordsOf(it) };
  const statuses = new Set([...before.served.values()].map((text) => text.slice(0, 3)));
  expect([...statuses].toSorted()).toEqual(["200", "404", "410"]);
  await backUp();
  await restored(async (copy) => {
    expect(await served(copy)).toEqual(before.served);
    expect(await recordsOf(copy)).toEqual(before.records);
    const signedIn = await fetch(`${copy.address}/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ login: "uploader", password: "password" }),
    });
    expect(signedIn.status).toBe(200);
    // A token created before the backup.
    const byToken = await fetch(`${copy.address}${apiPrefix}/users/me`, {
      headers: { authorization: admin.authorization },
    });
    expect(byToken.status).toBe(200);
    // Ids continue where they were: that of the purged package, which events refer to, is not reused.
    const next = await (await copy.as(copy.admin)).upload("R", await smallRPackage("next", "1.0"), {
      repository: "north",
    });
    const { last } = await it.deps.db
      .selectFrom("events")
      .select(({ fn }) => fn.max("package_id").as("last"))
      .executeTakeFirstOrThrow();
    expect(next.data.packageBag.id).toBeGreaterThan(last ?? 0);
  });
});

test.runIf(isLong)(
  "a backup taken during work holds one moment, and the next one copies only what is new",
  async () => {
    let working = true;
    const work = (async () => {
      for (let number = 1; working; number += 1)
        await admin.upload("R", await smallRPackage("busy", `1.${number}`), { repository: "north" });
    })();
    const first = await backUp();
    working = false;
    await work;
    await restored(async (copy) => {
      for (const answer of (await served(copy)).values()) expect(answer).not.toMatch(/^5/);
      const { rows } = await sql<{ missing: number }>`
      select count(*) as missing from packages where digest not in (select digest from objects)`.execute(copy.deps.db);
      expect(rows).toEqual([{ missing: 0 }]);
    });
    await admin.upload("R", await smallRPackage("later", "1.0"), { repository: "north" });
    const before = await backUp();
    const after = await backUp();
    expect(before.copied).toBeGreaterThan(0);
    expect([after.copied, after.objects]).toEqual([0, before.objects]);
    expect(first.objects).toBeLessThan(after.objects);
  },
);

test.runIf(isLong)(
  "an earlier backup is restored by its moment; expired ones are removed with what only they needed",
  async () => {
    const uploaded = await admin.upload("R", await smallRPackage("passing", "1.0"), { repository: "north" });
    const { id } = uploaded.data.packageBag;
    const { digest } = await it.deps.db
      .selectFrom("packages")
      .select("digest")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const object = join(folder, "objects", digest.slice(0, 2), digest.slice(2));
    const earlier = await backUp();
    await admin.patch(`/r/packages/${id}`, [replace("/deleted", true)]);
    await admin.delete(`/r/packages/${id}`);
    await backUp();
    const packages = (copy: TestPackhouse) =>
      copy.deps.db.selectFrom("packages").select("id").where("name", "=", "passing").execute();
    await restored(async (copy) => expect(await packages(copy)).toEqual([]));
    await restored(async (copy) => expect(await packages(copy)).toEqual([{ id }]), earlier.name);
    expect((await stat(object)).isFile()).toBe(true);
    const last = await backUp(1);
    expect(last.removed).toContain(earlier.name);
    expect(await readdir(join(folder, "backups"))).toEqual([last.name]);
    await expect(stat(object)).rejects.toThrow("ENOENT");
    await openSoundBackup(folder, last.name);
  },
);

test("nothing is swept while a snapshot is being read", async () => {
  const { data } = await admin.upload("R", await smallRPackage("swept", "1.0"), { repository: "north" });
  await admin.patch(`/r/packages/${data.packageBag.id}`, [replace("/deleted", true)]);
  await withSnapshot(it, async (content) => {
    await admin.delete(`/r/packages/${data.packageBag.id}`);
    expect(await sweepObjects(it.deps)).toBe(0);
    for await (const chunk of content.readObjectList()) {
      for (const line of Buffer.from(chunk).toString().trim().split("\n"))
        expect(await it.storage.has(line.split("\t")[0] ?? "")).toBe(true);
    }
  });
  expect(await sweepObjects(it.deps)).toBeGreaterThan(0);
});

describe("a damaged backup is refused, and nothing is created from it:", () => {
  const inBackup = async (path: string) => join(folder, "backups", await chooseBackup(folder), path);
  const objectFile = async () => {
    const backup = await openSoundBackup(folder, await chooseBackup(folder));
    for await (const chunk of backup.readObjectList()) {
      const digest = Buffer.from(chunk).toString().slice(0, 64);
      return join(folder, "objects", digest.slice(0, 2), digest.slice(2));
    }
    throw new Error("no object");
  };
  const changeByte = async (path: string) => {
    const bytes = await readFile(path);
    bytes[bytes.length - 9] = (bytes[bytes.length - 9] ?? 0) ^ 1;
    await writeFile(path, bytes);
  };
  const changeManifest = (sealed: boolean) => async (path: string) => {
    const text = (await readFile(path, "utf8")).replace(/"rows": (\d+)/, (_, rows) => `"rows": ${Number(rows) + 1}`);
    await writeFile(path, text);
    if (sealed) await writeFile(`${path}.sha256`, digestLine(text));
  };

  test.each([
    ["an object is missing", objectFile, (path: string) => rm(path)],
    ["a byte of an object changed", objectFile, changeByte],
    ["a table is cut off", () => inBackup("tables/events.copy.gz"), (path: string) => truncate(path, 200)],
    ["a table is missing", () => inBackup("tables/users.copy.gz"), (path: string) => rm(path)],
    ["a byte of a table changed", () => inBackup("tables/packages.copy.gz"), changeByte],
    ["the list of objects is cut off", () => inBackup("objects.copy.gz"), (path: string) => truncate(path, 30)],
    ["the manifest contains something else", () => inBackup("manifest.json"), changeManifest(false)],
    [
      "the manifest contains something else, and its digest agrees",
      () => inBackup("manifest.json"),
      changeManifest(true),
    ],
  ] as const)("%s", async (_what, find, damage) => {
    await backUp();
    const name = await chooseBackup(folder);
    await damage(await find());
    await expect(openSoundBackup(folder, name)).rejects.toThrow(/damaged|cannot be read/);
    // The next backup repairs damaged shared objects.
    await rm(join(folder, "backups", name), { recursive: true });
    await backUp();
    await openSoundBackup(folder, await chooseBackup(folder));
  });
});

test("a place that is not empty is refused and stays unchanged", async () => {
  await backUp();
  const backup = await openSoundBackup(folder, await chooseBackup(folder));
  await expect(restoreBackup(backup, it, silent)).rejects.toThrow("The database is not empty");
  await using target = await emptyPlace();
  await expect(restoreBackup({ ...backup, schema: "2099-01-01-later" }, target, silent)).rejects.toThrow(
    "a later version of Packhouse",
  );
  const staged = await stage(target.storage, Readable.from([Buffer.from("somebody's")]), 100);
  await staged.keep();
  await expect(restoreBackup(backup, target, silent)).rejects.toThrow("The storage is not empty");
  const { rows } = await target.pool.query("select nspname from pg_namespace where nspname = 'transfer'");
  expect(rows).toEqual([]);
});

test("an interrupted restore leaves no table, continues when called again, and refuses another installation", async () => {
  await backUp();
  const backup = await openSoundBackup(folder, await chooseBackup(folder));
  await using target = await emptyPlace();
  const interrupted = {
    ...backup,
    async *readTable(name: string) {
      yield* backup.readTable(name);
      if (name === "events") throw new Error("pulled the plug");
    },
  };
  await expect(restoreBackup(interrupted, target, silent)).rejects.toThrow("pulled the plug");
  const { rows } = await target.pool.query("select from pg_tables where schemaname = 'public'");
  expect(rows).toEqual([]);
  await expect(restoreBackup({ ...backup, installation: "other" }, target, silent)).rejects.toThrow(
    "another import that was interrupted",
  );
  await restoreBackup(backup, target, silent);
  await using copy = await startPackhouse({ sharing: { database: target.name, storage: target.storage } });
  expect(await recordsOf(copy)).toEqual(await recordsOf(it));
});

test.runIf(isLong)("a second backup is refused while one is running", async () => {
  const before = await readdir(join(folder, "backups"));
  await using first = await connect(it);
  expect(await takeLock(first.db, "backup")).toBe(true);
  await expect(backUp()).rejects.toThrow("Another backup of this installation is running");
  expect(await readdir(join(folder, "backups"))).toEqual(before);
});

const { folder: disk, mounted } = smallDisk(2, "The test of a backup onto a full disk");

test.runIf(mounted)("a backup without enough space reports it, and the earlier one stays", async () => {
  const made = join(disk, "backups");
  const ballast = join(disk, "ballast");
  const first = await makeBackup(it, made, { clock: systemClock });
  await admin.upload("R", await smallRPackage("noroom", "1.0"), { repository: "north" });
  // More than is left cannot be written; up to that, writes succeed.
  await expect(writeFile(ballast, new Uint8Array(3 * 1024 * 1024))).rejects.toThrow("ENOSPC");
  await expect(makeBackup(it, made, { clock: systemClock })).rejects.toThrow("ENOSPC");
  expect(await chooseBackup(made)).toBe(first.name);
  await openSoundBackup(made, first.name);

  await rm(ballast);
  const second = await makeBackup(it, made, { clock: systemClock });
  expect(await readdir(join(made, "backups"))).toEqual([first.name, second.name]);
  await openSoundBackup(made, second.name);
});

test("a folder with other files in it is refused", async () => {
  const other = await mkdtemp(join(tmpdir(), "packhouse-test-other-"));
  await writeFile(join(other, "letters.txt"), "");
  await expect(makeBackup(it, other, { clock: systemClock })).rejects.toThrow("contains files other than backups");
  expect(await readdir(other)).toEqual(["letters.txt"]);
  await rm(other, { recursive: true });
});

test("data of an earlier version is migrated on restore", async () => {
  const earlier = "2026-11-22-pdf-manuals";
  await using old = await emptyPlace();
  await using connection = await connect(old);
  const { db, client } = connection;
  await db.transaction().execute((tx) => migrateWithin(tx, earlier));
  const staged = await stage(old.storage, Readable.from([Buffer.from("a package")]), 100);
  await staged.keep();
  await client.query(`
    insert into users (login, name, email, rank, issuer, subject, password_hash, created_on)
    values ('admin', 'Ada', 'ada@example.org', 3, 'local', 'admin', null, '2026-01-02 03:04:05.678901+00');
    insert into repositories (name, technology, publication_uri, server_address, hash_method, redirect_to_source,
      requires_authentication, published, last_modified_on, serial, rendered_serial)
    values ('north', 'R', 'http://localhost/repo/north', 'http://localhost/repo/north', 'MD5', false, false, true, now(), 1, 1);
    insert into packages (repository_id, technology, responsible_user_id, name, normalized_name, version, version_key,
      version_order, kind, target, file_name, digest, digests, size, description_content_type, metadata, active, uploaded_on)
    select 1, 'R', 1, 'ash', 'ash', '1.' || n, '1.' || n, '1.' || n, 'source', '', 'ash_1.' || n || '.tar.gz',
      '${staged.digests.sha256}', '{}', ${staged.size}, 'txt', '{}', true, now() from generate_series(1, 3) as n;
    insert into submissions (package_id, technology, submitter_id, state, changes, created_on)
    select id, 'R', 1, 'ACCEPTED', '', now() from packages;
    insert into index_parts (repository_id, key, from_serial, content) values (1, 'r', 1, '{"form": "earlier"}')`);
  const tables = await tablesOf(db);
  const content: Content = {
    schema: earlier,
    installation: "old",
    tables,
    readTable: (name) => tableOut(client, tableOf(tables, name)),
    readObjectList: () => Readable.from([`${staged.digests.sha256}\t${staged.size}\n`]),
    readObject: (digest) => old.storage.read(digest),
  };
  await using target = await emptyPlace();
  await withEmptyPlace(target, async (filling) => {
    await filling.copyObjects(content, silent);
    await filling.copyRows(content);
  });
  await using filled = await connect(target);
  expect(await schemaOf(filled.db)).toBe(latestSchema);
  const { rows } = await filled.client.query("select created_on::text from users");
  expect(rows).toEqual([{ created_on: "2026-01-02 03:04:05.678901+00" }]);
  // Later migrations have counted the packages and wrapped the part.
  const counts = await filled.db.selectFrom("package_counts").select(["state", "number"]).execute();
  expect(counts).toEqual([{ state: "ACCEPTED", number: 3 }]);
  expect(await filled.db.selectFrom("index_parts").select("content").execute()).toEqual([
    { content: { folders: { "src/contrib": { form: "earlier" } }, redirectToSource: false } },
  ]);
});
