import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { technologyPath } from "@packhouse/contract/technology";
import { isLong } from "@packhouse/fixtures/long-form";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Repository } from "../../../features/repositories/store.ts";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../../testing/packhouse.ts";
import { startRepositoryServer, type TestRepositoryServer } from "../../../testing/servers/repository-server.ts";
import { type SmallPackage, smallRPackage, smallSdist, smallWheel } from "../../../testing/small-packages.ts";
import { pushAddress, pushTarget } from "./push-target.ts";

/** Other work on the machine may delay a job. */
const polling = { timeout: 20_000 };

let store: TestRepositoryServer;
let packhouse: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  store = await startRepositoryServer();
  packhouse = await startPackhouse({
    settings: { "publication.targets": [`${store.origin}/`], "r.distributions": ["jammy"] },
  });
  admin = await packhouse.as(packhouse.admin);
});
afterAll(async () => {
  await packhouse.close();
  await store[Symbol.asyncDispose]();
});
beforeEach(() => {
  store.down = false;
  store.slowMs = 0;
  store.failPage(0);
  store.expiresAfterMs = 300_000;
  store.pages.length = 0;
});

let counter = 0;
const pushed = (technology: "R" | "Python", properties = {}): Promise<Repository> => {
  counter += 1;
  const name = `pushed${counter}`;
  return packhouse.given.repository(technology, {
    name,
    serverAddress: `${store.origin}/${technologyPath[technology]}/${name}`,
    ...properties,
  });
};
const pathOf = ({ technology, id }: Repository) => `/${technologyPath[technology]}/repositories/${id}`;
const stateOf = async (repository: Repository) => (await admin.get(pathOf(repository))).data;
const onStore = ({ technology, name }: Repository) => `${technologyPath[technology]}/${name}`;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const bytesAt = async (path: string) => {
  const answer = await packhouse.anonymous.request(path);
  return answer.status === 200 ? Buffer.from(await answer.arrayBuffer()) : undefined;
};

async function upload(repository: Repository, file: SmallPackage, fields: Record<string, string> = {}) {
  const answer = await admin.upload(repository.technology, file, {
    repository: repository.name,
    generateManual: "false",
    ...fields,
  });
  expect(answer.http).toBe(201);
  return answer;
}
const add = async (repository: Repository, name: string, version = "1.0", fields: Record<string, string> = {}) =>
  (await upload(repository, await smallRPackage(name, version), fields)).data.packageBag.id as number;
const jammy = { binary: "true", rVersion: "4.2", architecture: "x86_64", distribution: "jammy" };
const addBinary = async (repository: Repository, name: string, version = "1.0") => {
  const built = { Built: "R 4.2.2; x86_64-pc-linux-gnu; 2026-11-21 02:47:12 UTC; unix" };
  return (await upload(repository, await smallRPackage(name, version, built), jammy)).data.packageBag.id as number;
};

/** The package files that this server serves, by their path below the repository. */
async function servedFiles(repository: Repository): Promise<Record<string, string>> {
  const rows = await packhouse.deps.db
    .selectFrom("published_files")
    .select(["path", "digest"])
    .where("repository_id", "=", repository.id)
    .where("to_serial", "is", null)
    .execute();
  return Object.fromEntries(rows.map(({ path, digest }) => [path, digest]));
}

/** The other server has exactly what this one serves. */
async function expectEqual(repository: Repository): Promise<void> {
  expect(store.complaints).toEqual([]);
  await expect.poll(() => stateOf(repository), { timeout: 50_000 }).toMatchObject({ synchronizing: false });
  const files: Record<string, string> = {};
  const indexes: string[] = [];
  for (const path of await store.files(onStore(repository))) {
    if (/(^|\/)(PACKAGES(\.gz)?|index\.html|archive\.rds)$/.test(path)) indexes.push(path);
    else files[path] = sha256(await readFile(join(store.folder(onStore(repository)), path)));
  }
  expect(files).toEqual(await servedFiles(repository));
  for (const [path, digest] of Object.entries(files)) {
    const bytes = await bytesAt(`/repo/${repository.name}/${path.split("/").map(encodeURIComponent).join("/")}`);
    expect(bytes && sha256(bytes)).toBe(digest);
  }
  for (const path of indexes) await expectIndex(repository, path, Object.keys(files));
}

async function expectIndex(repository: Repository, path: string, files: string[]): Promise<void> {
  const bytes = await readFile(join(store.folder(onStore(repository)), path));
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
  const below = (folder: string) => files.filter((file) => file.startsWith(folder));
  if (path.endsWith("Meta/archive.rds"))
    expect(text.split("\n").filter(Boolean)).toEqual(below(path.replace("Meta/archive.rds", "Archive/")).sort());
  else if (path.includes("/Archive/")) expect(recordsIn(text)).toBe(below(path.replace(/PACKAGES.*/, "")).length);
  else if (path.includes("PACKAGES")) {
    const served = await bytesAt(`/repo/${repository.name}/${path}`);
    // The index of a folder without packages cannot be removed there; here it is gone.
    if (served) expect(bytes.equals(served)).toBe(true);
    else expect(text).toBe("");
  } else if (path === "index.html") {
    const projects = [...new Set(files.map((file) => file.split("/")[0]))].sort();
    expect(hrefs(text)).toEqual(projects.map((project) => `/repo/${repository.name}/${project}/`));
  } else {
    const [project = ""] = path.split("/");
    const links = hrefs(text).map((href) => decodeURIComponent(href.split("#")[0] ?? ""));
    expect(links.sort()).toEqual(
      below(`${project}/`)
        .map((file) => `/repo/${repository.name}/${file}`)
        .sort(),
    );
  }
}
const recordsIn = (text: string) => [...text.matchAll(/^Package: /gm)].length;
const hrefs = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href);

describe("an R repository with the address of a listed server", () => {
  test("is pushed when it is published, changed, replaced and deleted from", async () => {
    const repository = await pushed("R");
    await expectEqual(repository);
    const [first] = [await add(repository, "tidepool"), await add(repository, "driftwood")];
    await expectEqual(repository);
    expect(await stateOf(repository)).toMatchObject({ lastPublicationSuccessful: true, synchronizing: false });

    const before = await servedFiles(repository);
    await upload(repository, await smallRPackage("tidepool", "1.0", { Title: "Another" }), { replace: "true" });
    expect((await servedFiles(repository))["src/contrib/tidepool_1.0.tar.gz"]).not.toBe(
      before["src/contrib/tidepool_1.0.tar.gz"],
    );
    await expectEqual(repository);
    expect(store.pages.flatMap(({ deleted }) => deleted)).toEqual(["srccontrib_tidepool_1.0.tar.gz"]);

    expect(first).toBeGreaterThan(0);
    const { data } = await admin.get("/r/packages?size=100");
    const driftwood = data.content.find(
      (it: { name: string; repository: { id: number } }) =>
        it.name === "driftwood" && it.repository.id === repository.id,
    );
    expect((await admin.patch(`/r/packages/${driftwood.id}`, [replace("/deleted", true)])).http).toBe(200);
    await expectEqual(repository);
    expect(Object.keys(await servedFiles(repository))).toEqual(["src/contrib/tidepool_1.0.tar.gz"]);
  });

  test("has its older versions in the archive, and restores them when the newest goes", async () => {
    const repository = await pushed("R");
    await add(repository, "tidepool", "1.0");
    const newest = await add(repository, "tidepool", "2.0");
    await add(repository, "tidepool", "0.9");
    await expectEqual(repository);
    expect(await store.files(onStore(repository))).toEqual([
      "src/contrib/Archive/PACKAGES",
      "src/contrib/Archive/PACKAGES.gz",
      "src/contrib/Archive/tidepool/tidepool_0.9.tar.gz",
      "src/contrib/Archive/tidepool/tidepool_1.0.tar.gz",
      "src/contrib/Meta/archive.rds",
      "src/contrib/PACKAGES",
      "src/contrib/PACKAGES.gz",
      "src/contrib/tidepool_2.0.tar.gz",
    ]);
    await admin.patch(`/r/packages/${newest}`, [replace("/active", false)]);
    await expectEqual(repository);
    expect(await store.files(onStore(repository))).toContain("src/contrib/tidepool_1.0.tar.gz");
  });

  test("has binaries in their folders; the index of one that has none left is empty", async () => {
    const repository = await pushed("R");
    await add(repository, "tidepool");
    await addBinary(repository, "tidepool", "0.9");
    const binary = await addBinary(repository, "tidepool");
    await expectEqual(repository);
    const folder = "bin/linux/jammy/x86_64/4.2";
    expect(await store.files(onStore(repository))).toEqual(
      expect.arrayContaining([`${folder}/tidepool_1.0.tar.gz`, `${folder}/Archive/tidepool/tidepool_0.9.tar.gz`]),
    );
    await admin.patch(`/r/packages/${binary}`, [replace("/active", false)]);
    await expectEqual(repository);
    expect(await store.files(onStore(repository))).toContain(`${folder}/tidepool_0.9.tar.gz`);
  });

  test.runIf(isLong)("is sent in pages of at most ten files, and emptied when it is unpublished", async () => {
    const repository = await pushed("R", { published: false });
    for (let number = 0; number < 60; number += 1) await add(repository, `pkg${number}`);
    expect(store.pages).toEqual([]);
    expect((await admin.patch(pathOf(repository), [replace("/published", true)])).http).toBe(200);
    await expectEqual(repository);
    expect(store.pages.map(({ page }) => page)).toEqual([1, 2, 3, 4, 5, 6, 7].map((page) => `${page}/7`));

    store.pages.length = 0;
    expect((await admin.patch(pathOf(repository), [replace("/published", false)])).http).toBe(200);
    await expect
      .poll(() => store.files(onStore(repository)), polling)
      .toEqual(["src/contrib/PACKAGES", "src/contrib/PACKAGES.gz"]);
    // All deletions of a push are on its first page, which can hold only so many.
    expect(store.pages.map(({ deleted }) => deleted.length)).toEqual([50, 10]);
    expect(await readFile(join(store.folder(onStore(repository)), "src/contrib/PACKAGES"), "utf8")).toBe("");
    expect(store.complaints).toEqual([]);
    expect(await stateOf(repository)).toMatchObject({ published: false, synchronizing: false });
  });

  test.runIf(isLong)("is pushed once at a time and not once for each of many concurrent changes", async () => {
    const repository = await pushed("R");
    store.slowMs = 100;
    store.pages.length = 0;
    const overlaps = store.overlaps;
    await Promise.all(Array.from({ length: 30 }, (_, number) => add(repository, `pkg${number}`)));
    await expectEqual(repository);
    expect(store.overlaps).toBe(overlaps);
    expect(store.pages.filter(({ page }) => page.startsWith("1/")).length).toBeLessThan(30);
  });

  test("continues after the highest version, and repairs manual changes on the server", async () => {
    const repository = await pushed("R");
    await add(repository, "tidepool");
    const folder = store.folder(onStore(repository));
    await writeFile(join(folder, "VERSION"), "2147483647");
    await writeFile(join(folder, "src/contrib/stray_1.0.tar.gz"), "not ours");
    await writeFile(join(folder, "src/contrib/PACKAGES"), "not ours");
    await add(repository, "driftwood");
    await expectEqual(repository);
    expect(await readFile(join(folder, "VERSION"), "utf8")).toBe("1");
  });

  test("is emptied at its old place when it moves, is deleted, or is purged", async () => {
    const [moved, deleted, purged] = [await pushed("R"), await pushed("R"), await pushed("R")];
    for (const repository of [moved, deleted, purged]) await add(repository, "tidepool");
    await admin.patch(pathOf(moved), [replace("/serverAddress", `${store.origin}/elsewhere/${moved.name}2`)]);
    await admin.patch(pathOf(deleted), [replace("/deleted", true)]);
    expect((await admin.delete(pathOf(purged))).http).toBe(204);
    for (const repository of [moved, deleted, purged])
      await expect
        .poll(() => store.files(onStore(repository)), polling)
        .toEqual(["src/contrib/PACKAGES", "src/contrib/PACKAGES.gz"]);
    expect(await store.files(`r/${moved.name}2`)).toContain("src/contrib/tidepool_1.0.tar.gz");
    await expect
      .poll(
        () => packhouse.deps.db.selectFrom("repository_copies").select("id").where("wanted", "=", false).execute(),
        polling,
      )
      .toEqual([]);
  });
});

describe("a Python repository with the address of a listed server", () => {
  test("is pushed with pages that installers understand", async () => {
    const repository = await pushed("Python");
    const local = await smallWheel("Pier.Light", "2.0+ubuntu.1", { "Requires-Python": '>=3.8,<"4"&' });
    const { data } = await upload(repository, await smallSdist("Harbor_Tools", "1.0"));
    await upload(repository, local);
    await expectEqual(repository);
    const page = await readFile(join(store.folder(onStore(repository)), "pier-light/index.html"), "utf8");
    expect(page).toContain(
      `<a href="/repo/${repository.name}/pier-light/pier_light-2.0%2Bubuntu.1-py3-none-any.whl#sha256=${sha256(local.bytes)}" ` +
        `data-requires-python="&gt;=3.8,&lt;&quot;4&quot;&amp;" data-version="2.0+ubuntu.1">pier_light-2.0+ubuntu.1-py3-none-any.whl</a><br>`,
    );
    expect(page).toContain('<meta name="pypi:repository-version"');
    expect(page).not.toContain("core-metadata");

    // A second publication keeps what is there; upper case does not make another name.
    store.pages.length = 0;
    await upload(repository, await smallSdist("Harbor_Tools", "1.1"));
    await expectEqual(repository);
    expect(store.pages).toEqual([{ page: "1/1", files: ["harbor-tools.tar.gz", "index.tar.gz"], deleted: [] }]);

    await upload(repository, await smallSdist("Harbor_Tools", "1.1", { Summary: "Another" }), { replace: "true" });
    await expectEqual(repository);
    await admin.patch(`/python/packages/${data.packageBag.id}`, [replace("/deleted", true)]);
    await expectEqual(repository);
    await admin.patch(pathOf(repository), [replace("/hashMethod", "SHA224")]);
    await expectEqual(repository);
    expect(await readFile(join(store.folder(onStore(repository)), "pier-light/index.html"), "utf8")).toContain(
      "#sha224=",
    );
  });

  test("is emptied when it is unpublished", async () => {
    const repository = await pushed("Python");
    await upload(repository, await smallSdist("buoy", "1.0"));
    await admin.patch(pathOf(repository), [replace("/published", false)]);
    await expect.poll(() => store.files(onStore(repository)), polling).toEqual(["buoy/index.html", "index.html"]);
    for (const page of ["index.html", "buoy/index.html"])
      expect(hrefs(await readFile(join(store.folder(onStore(repository)), page), "utf8"))).toEqual([]);
    expect(store.complaints).toEqual([]);
  });
});

describe("a push that fails", () => {
  /** Pushes of four pages: the new files are too many for two, and a replaced file comes after them. */
  async function changedBehindTheServersBack() {
    const repository = await pushed("R");
    await add(repository, "replaced");
    store.down = true;
    for (let number = 0; number < 22; number += 1) await add(repository, `pkg${number}`);
    await upload(repository, await smallRPackage("replaced", "1.0", { Title: "Another" }), { replace: "true" });
    expect(await stateOf(repository)).toMatchObject({ lastPublicationSuccessful: false, synchronizing: true });
    store.failures = 0;
    return repository;
  }

  test.each(isLong ? [1, 2, 3, 4] : [2])(
    "at page %i is taken back, tried again, and all is equal in the end",
    async (page) => {
      const repository = await changedBehindTheServersBack();
      store.failPage(page);
      store.down = false;
      await admin.post(`${pathOf(repository)}/republish`, {});
      await expectEqual(repository);
      expect(store.failures).toBe(1);
      expect(store.pages.slice(-4).map((received) => received.page)).toEqual(["1/4", "2/4", "3/4", "4/4"]);
      expect(await stateOf(repository)).toMatchObject({ lastPublicationSuccessful: true });
    },
    90_000,
  );

  test.each(isLong ? [2, 4] : [4])(
    "because the connection breaks after page %i starts over when the server allows it",
    async (page) => {
      const repository = await changedBehindTheServersBack();
      store.expiresAfterMs = 1500;
      store.failPage(page, "cut");
      store.down = false;
      await admin.post(`${pathOf(repository)}/republish`, {});
      await expectEqual(repository);
      expect(store.failures).toBe(1);
    },
  );

  test.runIf(isLong)("of a replaced file leaves the old one, until it succeeds", async () => {
    const repository = await pushed("R");
    await add(repository, "tidepool");
    const path = join(store.folder(onStore(repository)), "src/contrib/tidepool_1.0.tar.gz");
    const before = await readFile(path);
    store.failPage(2);
    const changed = await smallRPackage("tidepool", "1.0", { Title: "Another" });
    const answer = await upload(repository, changed, { replace: "true" });
    expect(answer).toMatchObject({ status: "WARNING", messageCode: "warning.synchronization.failure" });
    await expectEqual(repository);
    expect(before.equals(await readFile(path))).toBe(false);
  });

  test("because the server is down is reported to the uploader, recorded, and retried later", async () => {
    const repository = await pushed("R");
    const other = await packhouse.given.repository("R");
    store.down = true;
    const warned = await upload(repository, await smallRPackage("tidepool", "1.0"));
    expect(warned).toMatchObject({ http: 201, status: "WARNING", messageCode: "warning.synchronization.failure" });
    expect(warned.data).toMatchObject({ state: "ACCEPTED" });
    expect(await stateOf(repository)).toMatchObject({ lastPublicationSuccessful: false, synchronizing: true });
    expect(await bytesAt(`/repo/${repository.name}/src/contrib/tidepool_1.0.tar.gz`)).toBeDefined();
    expect((await upload(other, await smallRPackage("tidepool", "1.0"))).status).toBe("SUCCESS");

    const id = warned.data.packageBag.id;
    expect(await admin.patch(`/r/packages/${id}`, [replace("/active", false)])).toMatchObject({
      http: 500,
      messageCode: "error.apply.patch",
    });
    expect((await admin.get(`/r/packages/${id}`)).data.active).toBe(false);
    expect(await admin.post(`${pathOf(repository)}/republish`, {})).toMatchObject({
      http: 500,
      messageCode: "error.create.resource",
    });

    // Changes that publish nothing wait for nothing.
    const uploader = await packhouse.as(await packhouse.given.person("uploader"));
    const waiting = await uploader.upload("R", await smallRPackage("waiting", "1.0"), { repository: repository.name });
    expect(waiting).toMatchObject({ http: 201, status: "SUCCESS", data: { state: "WAITING" } });
    const accepted = await admin.patch(`/r/submissions/${waiting.data.id}`, [replace("/state", "ACCEPTED")]);
    expect(accepted).toMatchObject({ http: 500, messageCode: "error.apply.patch" });
    expect((await admin.get(`/r/submissions/${waiting.data.id}`)).data.state).toBe("ACCEPTED");

    store.down = false;
    await expectEqual(repository);
    expect(await stateOf(repository)).toMatchObject({ lastPublicationSuccessful: true });
  });
});

test.runIf(isLong)("a request does not wait for a long push to end", async () => {
  await using impatient = await startPackhouse({
    settings: { "publication.targets": [store.origin], "publication.waitMs": 300 },
  });
  const client = await impatient.as(impatient.admin);
  const repository = await impatient.given.repository("R", { name: "slow", serverAddress: `${store.origin}/r/slow` });
  store.slowMs = 1500;
  const answer = await client.upload("R", await smallRPackage("tidepool", "1.0"), { repository: "slow" });
  expect(answer).toMatchObject({ http: 201, status: "SUCCESS" });
  const state = async () => (await client.get(`/r/repositories/${repository.id}`)).data;
  expect(await state()).toMatchObject({ synchronizing: true });
  await expect.poll(state, polling).toMatchObject({ synchronizing: false, lastPublicationSuccessful: true });
  expect(await store.files("r/slow")).toContain("src/contrib/tidepool_1.0.tar.gz");
});

test("a repository of another origin is served here and pushed nowhere", async () => {
  const repository = await packhouse.given.repository("R", {
    name: "here",
    serverAddress: "http://127.0.0.1:1/r/here",
  });
  expect((await upload(repository, await smallRPackage("tidepool", "1.0"))).status).toBe("SUCCESS");
  expect(await stateOf(repository)).toMatchObject({ synchronizing: false, lastPublicationSuccessful: true });
});

test.runIf(isLong)("two repositories never overwrite each other on one server", async () => {
  const first = await pushed("R");
  await add(first, "tidepool");
  const second = await pushed("R", { name: "thesame", serverAddress: `${store.origin}/${first.name}` });
  expect((await upload(second, await smallRPackage("driftwood", "1.0"))).messageCode).toBe(
    "warning.synchronization.failure",
  );
  await add(first, "gorse");
  await expectEqual(first);
  await admin.patch(pathOf(first), [replace("/published", false)]);
  await expect
    .poll(() => stateOf(second), polling)
    .toMatchObject({ synchronizing: false, lastPublicationSuccessful: true });
  expect((await store.files(onStore(first))).filter((path) => path.endsWith(".tar.gz"))).toEqual([
    "src/contrib/driftwood_1.0.tar.gz",
  ]);
});

test("a server that is no longer listed is left as it is", async () => {
  const repository = await pushed("R");
  await add(repository, "tidepool");
  const before = await store.files(onStore(repository));
  const target = pushTarget({ ...packhouse.deps, settings: { "publication.targets": ["http://127.0.0.1:1"] } });
  const place = `${store.origin}/r/${repository.name}/`;
  store.pages.length = 0;
  await target.withdraw({ id: 1, repositoryId: repository.id, technology: "R", place });
  expect([store.pages, await store.files(onStore(repository))]).toEqual([[], before]);
});

test.runIf(isLong)(
  "a repository is emptied when the server is back, if it was down while it was unpublished",
  async () => {
    const repository = await pushed("Python");
    await upload(repository, await smallSdist("buoy", "1.0"));
    store.down = true;
    expect(await admin.patch(pathOf(repository), [replace("/published", false)])).toMatchObject({
      http: 500,
      messageCode: "error.apply.patch",
    });
    expect(await stateOf(repository)).toMatchObject({ published: false, lastPublicationSuccessful: false });
    expect((await packhouse.anonymous.request(`/repo/${repository.name}/buoy/`)).status).toBe(404);
    store.down = false;
    await expect.poll(() => store.files(onStore(repository)), polling).toEqual(["buoy/index.html", "index.html"]);
    await expect.poll(() => stateOf(repository), polling).toMatchObject({ lastPublicationSuccessful: true });
  },
);

test.each([
  ["http://store:8080/a/north", "R", "http://store:8080/a/r/north/"],
  ["http://store:8080/a/r/north/", "R", "http://store:8080/a/r/north/"],
  ["http://store:8080/r", "R", "http://store:8080/r/r/"],
  ["http://store:8080/north", "Python", "http://store:8080/python/north/"],
  ["http://store:8080/r/north", "Python", "http://store:8080/r/python/north/"],
  ["http://store:8080/my%20north", "R", "http://store:8080/r/my%20north/"],
] as const)("what is published at %s for %s is pushed to %s", (address, technology, expected) => {
  expect(pushAddress(address, technology)).toBe(expected);
});

test("an address without a path is none for a push", () => {
  expect(pushAddress("http://store:8080/", "R")).toBeUndefined();
});
