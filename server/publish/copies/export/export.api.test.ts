import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { technologyPath } from "@packhouse/contract/technology";
import { isLong } from "@packhouse/fixtures/long-form";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Repository } from "../../../features/repositories/store.ts";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../../testing/packhouse.ts";
import { type SmallPackage, smallRPackage, smallSdist, smallWheel } from "../../../testing/small-packages.ts";
import { safeName } from "./export-target.ts";
import { writeVersion } from "./version-folder.ts";

/** Other work on the machine may delay a job. */
const polling = { timeout: 20_000 };

let folder: string;
let packhouse: TestPackhouse;
let admin: Client;
let server: Server;
let address: string;
/** How far the product's clock is ahead. */
let aheadMs = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "exported-"));
  packhouse = await startPackhouse({
    clock: () => new Date(Date.now() + aheadMs),
    settings: {
      "publication.exportFolder": folder,
      "r.distributions": ["jammy"],
      readRights: [{ repository: "for-some", role: "admin", groups: [] }],
    },
  });
  admin = await packhouse.as(packhouse.admin);
  // A minimal web server: the file at the path, or 404.
  server = createServer(async (request, response) => {
    const path = join(folder, decodeURIComponent(request.url ?? ""));
    const bytes = await readFile(path).catch(() => readFile(join(path, "index.html")).catch(() => undefined));
    response.writeHead(bytes ? 200 : 404).end(bytes);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const bound = server.address();
  address = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : ""}`;
});
afterAll(async () => {
  server.close();
  await packhouse.close();
  await rm(folder, { recursive: true, force: true });
});

const at = (repository: Repository, path = "") => join(folder, repository.name, path);
const pathOf = ({ technology, id }: Repository) => `/${technologyPath[technology]}/repositories/${id}`;
const stateOf = async (repository: Repository) => (await admin.get(pathOf(repository))).data;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const upload = (repository: Repository, file: SmallPackage, fields: Record<string, string> = {}) =>
  admin.upload(repository.technology, file, { repository: repository.name, generateManual: "false", ...fields });
const add = async (repository: Repository, name: string, version = "1.0") =>
  (await upload(repository, await smallRPackage(name, version))).data.packageBag.id as number;

/** When a repository's folder is cleaned up. */
async function tidyingOf({ id }: Repository): Promise<number> {
  const { next_attempt_on } = await packhouse.deps.db
    .selectFrom("repository_copies")
    .select("next_attempt_on")
    .where("repository_id", "=", id)
    .executeTakeFirstOrThrow();
  return next_attempt_on?.getTime() ?? 0;
}

async function filesIn(repository: Repository): Promise<string[]> {
  const base = at(repository);
  const entries = await readdir(`${base}/`, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(base.length + 1))
    .sort();
}

/** A plain web server on the folder serves the same as this server. */
async function expectServed(repository: Repository): Promise<void> {
  for (const path of await filesIn(repository)) {
    const encoded = path.split("/").map(encodeURIComponent).join("/");
    const plain = await fetch(`${address}/${repository.name}/${encoded}`);
    const bytes = Buffer.from(await plain.arrayBuffer());
    expect(plain.status).toBe(200);
    if (path.endsWith("index.html")) continue;
    const own = await packhouse.anonymous.request(`/repo/${repository.name}/${encoded}`);
    expect([path, own.status, sha256(Buffer.from(await own.arrayBuffer()))]).toEqual([path, 200, sha256(bytes)]);
  }
}

describe("an R repository in a folder", () => {
  test("has CRAN's layout, with archive and binaries", async () => {
    const repository = await packhouse.given.repository("R");
    expect(await filesIn(repository)).toEqual([
      "src/contrib/PACKAGES",
      "src/contrib/PACKAGES.gz",
      "src/contrib/PACKAGES.rds",
    ]);
    await add(repository, "tidepool", "1.0");
    await add(repository, "tidepool", "2.0");
    const built = { Built: "R 4.2.2; x86_64-pc-linux-gnu; 2026-11-21 02:47:12 UTC; unix" };
    const jammy = { binary: "true", rVersion: "4.2", architecture: "x86_64", distribution: "jammy" };
    await upload(repository, await smallRPackage("tidepool", "2.0", built), jammy);
    expect(await filesIn(repository)).toEqual([
      "bin/linux/jammy/x86_64/4.2/PACKAGES",
      "bin/linux/jammy/x86_64/4.2/PACKAGES.gz",
      "bin/linux/jammy/x86_64/4.2/PACKAGES.rds",
      "bin/linux/jammy/x86_64/4.2/tidepool_2.0.tar.gz",
      "src/contrib/Archive/tidepool/tidepool_1.0.tar.gz",
      "src/contrib/Meta/archive.rds",
      "src/contrib/PACKAGES",
      "src/contrib/PACKAGES.gz",
      "src/contrib/PACKAGES.rds",
      // The previous index names it.
      "src/contrib/tidepool_1.0.tar.gz",
      "src/contrib/tidepool_2.0.tar.gz",
    ]);
    await expectServed(repository);
    expect(await stateOf(repository)).toMatchObject({ lastPublicationSuccessful: true, synchronizing: false });
  });

  test("shares package bytes with the storage, and does not rewrite unchanged files", async () => {
    const repository = await packhouse.given.repository("R");
    await add(repository, "shared");
    const first = await stat(at(repository, "src/contrib/shared_1.0.tar.gz"));
    // Files cannot be shared with a bucket; they are copied, once.
    const names = packhouse.bytesLieIn === "folder" ? 2 : 1;
    expect(first.nlink).toBe(names);
    expect(first.mode & 0o777).toBe(0o644);
    await add(repository, "driftwood");
    const second = await stat(at(repository, "src/contrib/shared_1.0.tar.gz"));
    expect([second.ino, second.nlink]).toEqual([first.ino, names]);
    const index = await stat(at(repository, "src/contrib/PACKAGES.gz"));
    await admin.post(`${pathOf(repository)}/republish`, {});
    expect((await stat(at(repository, "src/contrib/PACKAGES.gz"))).ino).toBe(index.ino);
  });

  test("has the sources that a folder of binaries lists in addition", async () => {
    const repository = await packhouse.given.repository("R", { redirectToSource: true });
    await add(repository, "driftwood");
    await add(repository, "tidepool", "2.0");
    const built = { Built: "R 4.2.2; x86_64-pc-linux-gnu; 2026-11-21 02:47:12 UTC; unix" };
    const jammy = { binary: "true", rVersion: "4.2", architecture: "x86_64", distribution: "jammy" };
    for (const version of ["1.0", "1.5"])
      await upload(repository, await smallRPackage("tidepool", version, built), jammy);
    await upload(repository, await smallRPackage("gorse", "1.0", built), jammy);
    const folder = "bin/linux/jammy/x86_64/4.2";
    const index = await readFile(at(repository, `${folder}/PACKAGES`), "utf8");
    const listed = [...index.matchAll(/^Package: (.*)\nVersion: (.*)$/gm)].map(
      ([, name, version]) => `${name}_${version}`,
    );
    expect(listed).toEqual(["driftwood_1.0", "gorse_1.0", "tidepool_2.0"]);
    expect(await filesIn(repository)).toEqual(expect.arrayContaining(listed.map((name) => `${folder}/${name}.tar.gz`)));
  });

  test("keeps files for an hour after its index no longer names them", async () => {
    const repository = await packhouse.given.repository("R");
    await add(repository, "tidepool", "1.0");
    await add(repository, "tidepool", "2.0");
    const { lastPublicationTimestamp } = await stateOf(repository);
    const tidy = () =>
      packhouse.deps.db.transaction().execute((tx) => packhouse.deps.publication.tidySoon(tx, repository.id));
    aheadMs += 3_500_000;
    await tidy();
    await expect.poll(() => tidyingOf(repository), polling).toBeGreaterThan(Date.now() + aheadMs);
    expect(await filesIn(repository)).toContain("src/contrib/tidepool_1.0.tar.gz");
    aheadMs += 100_001;
    await tidy();
    await expect.poll(() => filesIn(repository), polling).not.toContain("src/contrib/tidepool_1.0.tar.gz");
    await expectServed(repository);
    expect(await stateOf(repository)).toMatchObject({ lastPublicationTimestamp, lastPublicationSuccessful: true });
  });

  test.for([
    ["/active", false],
    ["/deleted", true],
  ] as const)("keeps nothing that was taken down by %s", async ([property, value]) => {
    const repository = await packhouse.given.repository("R");
    await add(repository, "tidepool", "0.9");
    const old = await add(repository, "gorse", "1.0");
    await add(repository, "gorse", "2.0");
    const id = await add(repository, "tidepool");
    for (const one of [id, old]) await admin.patch(`/r/packages/${one}`, [replace(property, value)]);
    expect((await filesIn(repository)).filter((name) => name.endsWith(".tar.gz"))).toEqual([
      "src/contrib/Archive/tidepool/tidepool_0.9.tar.gz", // where the previous index named it
      "src/contrib/gorse_2.0.tar.gz",
      "src/contrib/tidepool_0.9.tar.gz",
    ]);
    if (value) expect((await admin.delete(`/r/packages/${id}`)).http).toBe(204);
    await expectServed(repository);
  });

  test("is gone when it is unpublished, renamed, deleted, purged or made private", async () => {
    const repositories = await Promise.all([1, 2, 3, 4, 5].map(() => packhouse.given.repository("R")));
    for (const repository of repositories) await add(repository, "tidepool");
    const [unpublished, renamed, deleted, purged, closed] = repositories as [
      Repository,
      Repository,
      Repository,
      Repository,
      Repository,
    ];
    await admin.patch(pathOf(unpublished), [replace("/published", false)]);
    await admin.patch(pathOf(renamed), [replace("/name", `${renamed.name}-anew`)]);
    await admin.patch(pathOf(deleted), [replace("/deleted", true)]);
    await admin.delete(pathOf(purged));
    await admin.patch(pathOf(closed), [replace("/requiresAuthentication", true)]);
    const left = async () =>
      [...(await readdir(folder)), ...(await readdir(join(folder, ".packhouse")))].filter((name) =>
        repositories.some((it) => it.name === name),
      );
    await expect.poll(left, polling).toEqual([]);
    const renamedAgain = { ...renamed, name: `${renamed.name}-anew` };
    expect(await filesIn(renamedAgain)).toContain("src/contrib/tidepool_1.0.tar.gz");
    await admin.patch(pathOf(unpublished), [replace("/published", true)]);
    expect(await filesIn(unpublished)).toContain("src/contrib/tidepool_1.0.tar.gz");
  });
});

describe("a Python repository in a folder", () => {
  test("is a simple index with each file and its metadata next to the page", async () => {
    const repository = await packhouse.given.repository("Python");
    const wheel = await smallWheel("Pier.Light", "2.0+ubuntu.1", { "Requires-Python": ">=3.8" });
    await upload(repository, wheel);
    await upload(repository, await smallSdist("Harbor_Tools", "1.0"));
    expect(await filesIn(repository)).toEqual([
      "simple/harbor-tools/harbor_tools-1.0.tar.gz",
      "simple/harbor-tools/index.html",
      "simple/index.html",
      "simple/pier-light/index.html",
      "simple/pier-light/pier_light-2.0+ubuntu.1-py3-none-any.whl",
      "simple/pier-light/pier_light-2.0+ubuntu.1-py3-none-any.whl.metadata",
    ]);
    const page = await readFile(at(repository, "simple/pier-light/index.html"), "utf8");
    expect(page).toContain(
      `<a href="pier_light-2.0%2Bubuntu.1-py3-none-any.whl#sha256=${sha256(wheel.bytes)}" data-requires-python="&gt;=3.8" data-core-metadata="sha256=`,
    );
    expect(await readFile(at(repository, "simple/index.html"), "utf8")).toContain('<a href="harbor-tools/">');
    for (const path of await filesIn(repository)) {
      if (path.endsWith("index.html")) continue;
      const below = path.slice("simple/".length).split("/").map(encodeURIComponent).join("/");
      const own = await packhouse.anonymous.request(`/repo/${repository.name}/${below}`);
      expect(sha256(Buffer.from(await own.arrayBuffer()))).toBe(sha256(await readFile(at(repository, path))));
    }
    await expectPlain(`${repository.name}/simple/pier-light/`, page);
  });

  const expectPlain = async (path: string, text: string) =>
    expect(await (await fetch(`${address}/${path}`)).text()).toBe(text);
});

describe("a restricted repository", () => {
  test("is never written to the folder", async () => {
    const closed = await packhouse.given.repository("R", { name: "closed", requiresAuthentication: true });
    const some = await packhouse.given.repository("R", { name: "for-some" });
    for (const repository of [closed, some]) await add(repository, "tidepool");
    expect((await readdir(folder)).filter((name) => ["closed", "for-some"].includes(name))).toEqual([]);
    expect(await stateOf(closed)).toMatchObject({ lastPublicationSuccessful: true, synchronizing: false });
  });
});

describe("writing to the folder", () => {
  test("may be interrupted without affecting what is served, and the next attempt completes it", async () => {
    const repository = await packhouse.given.repository("R");
    await add(repository, "tidepool");
    const before = await filesIn(repository);
    const version = await readlink(at(repository));
    // Leftovers of a process that died between two steps: half a version, a whole one, and a link to it.
    const versions = dirname(join(folder, version));
    await mkdir(join(versions, "7-half.part/src/contrib"), { recursive: true });
    await mkdir(join(versions, "8-whole/src/contrib"), { recursive: true });
    await symlink("8-whole", join(versions, "link-left"));
    expect(await filesIn(repository)).toEqual(before);
    await add(repository, "driftwood");
    expect(await filesIn(repository)).toEqual(
      ["driftwood", "tidepool"]
        .flatMap((name) => `src/contrib/${name}_1.0.tar.gz`)
        .concat(before.filter((path) => path.includes("PACKAGES")))
        .sort(),
    );
    expect((await readdir(versions)).length).toBe(2);
  });

  test("leaves nothing of attempts that fail, however often", async () => {
    const repository = await packhouse.given.repository("R");
    await add(repository, "tidepool");
    const version = join(folder, await readlink(at(repository)));
    // Nothing can be linked, and one file cannot be read.
    await rm(`${version}.json`);
    const { bytes, ...lost } = await smallRPackage("tidepool", "2.0");
    await upload(repository, { bytes, ...lost });
    const digest = sha256(bytes);
    await rm(`${join(folder, await readlink(at(repository)))}.json`);
    await packhouse.storage.remove(digest);
    await add(repository, "driftwood");
    const failed = async () => (await stateOf(repository)).lastPublicationSuccessful === false;
    await expect.poll(failed, polling).toBe(true);
    const served = basename(await readlink(at(repository)));
    await expect
      .poll(() => readdir(dirname(join(folder, `.packhouse/${repository.name}/x`))), polling)
      .toEqual([served]);
    await packhouse.writeObject(digest, bytes);
    const published = async () => (await filesIn(repository)).some((path) => path.includes("driftwood"));
    await expect.poll(published, polling).toBe(true);
  });

  test("never shows a reader an index that names a missing file", async () => {
    const repository = await packhouse.given.repository("R");
    const id = await add(repository, "tidepool", "2.0");
    await add(repository, "tidepool", "1.0");
    let changing = true;
    const seen = new Set<string>();
    const reader = (async () => {
      while (changing) {
        // The state that the link names now, as consecutive requests would find it.
        const state = join(folder, await readlink(at(repository)));
        const index = await readFile(join(state, "src/contrib/PACKAGES"), "utf8").catch(() => undefined);
        if (index === undefined) continue; // it has since been replaced
        const [, found = ""] = /^Version: (.*)$/m.exec(index) ?? [];
        seen.add(found);
        const there = await stat(join(state, `src/contrib/tidepool_${found}.tar.gz`)).catch(() => undefined);
        if (!there) expect(await readlink(at(repository))).not.toBe(state.slice(folder.length + 1));
      }
    })();
    for (let round = 0; round < 10; round += 1)
      await admin.patch(`/r/packages/${id}`, [replace("/active", round % 2 === 1)]);
    changing = false;
    await reader;
    expect([...seen].sort()).toEqual(["1.0", "2.0"]);
  });

  test.runIf(isLong)(
    "fails if the name is taken, leaves the existing file alone, and succeeds when it is gone",
    async () => {
      await mkdir(join(folder, "taken"));
      await writeFile(join(folder, "taken/notes.txt"), "mine");
      const repository = await packhouse.given.repository("R", { name: "taken" });
      const answer = await upload(repository, await smallRPackage("tidepool", "1.0"));
      expect(answer).toMatchObject({ http: 201, status: "WARNING", messageCode: "warning.synchronization.failure" });
      expect(await stateOf(repository)).toMatchObject({ lastPublicationSuccessful: false, synchronizing: true });
      expect(await readdir(join(folder, "taken"))).toEqual(["notes.txt"]);
      await rm(join(folder, "taken"), { recursive: true });
      await expect
        .poll(() => stateOf(repository), polling)
        .toMatchObject({ lastPublicationSuccessful: true, synchronizing: false });
      expect(await filesIn(repository)).toContain("src/contrib/tidepool_1.0.tar.gz");
    },
  );

  test.each(["..", ".", "", "a/b", "a\\b", ".packhouse", "a\0"])("refuses %j as a name", (name) => {
    expect(() => safeName(name)).toThrow("cannot be written");
  });

  test.each(["../escaped", "a/../../escaped", "/escaped", "a//b", "a\\..\\b"])("refuses %j as a path", async (path) => {
    async function* files() {
      yield { path, key: "key", writeTo: (to: string) => writeFile(to, "escaped") };
    }
    await expect(writeVersion(join(folder, ".packhouse", "test-version"), files(), undefined)).rejects.toThrow(
      "cannot be written to",
    );
  });
});

test("what was published before the folder was named is written at the next start", async () => {
  await using before = await startPackhouse();
  const repository = await before.given.repository("R", { name: "earlier" });
  const client = await before.as(before.admin);
  await client.upload("R", await smallRPackage("tidepool", "1.0"), { repository: "earlier" });
  await before.packhouse.close();
  await using after = await startPackhouse({ sharing: before, settings: { "publication.exportFolder": folder } });
  await expect.poll(() => filesIn(repository).catch(() => []), polling).toContain("src/contrib/tidepool_1.0.tar.gz");
  const state = await (await after.as(after.admin)).get(`/r/repositories/${repository.id}`);
  expect(state.data).toMatchObject({ lastPublicationSuccessful: true });
});
