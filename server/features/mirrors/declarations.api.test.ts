import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Settings } from "../../platform/settings/settings.ts";
import { type DeclarationFolder, declarationFolder } from "../../testing/declared.ts";
import { replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage } from "../../testing/small-packages.ts";
import { applyDeclarations } from "./declarations/apply-declarations.ts";
import { undeclaredRepositories } from "./declarations/purge-undeclared.ts";
import { readDeclarations, WrongDeclarations } from "./declarations/read-declarations.ts";

let folder: DeclarationFolder;
let it: TestPackhouse | undefined;

beforeEach(async () => {
  folder = await declarationFolder();
});
afterEach(async () => {
  await it?.close();
  it = undefined;
  await folder[Symbol.asyncDispose]();
});

async function start(settings: Partial<Settings> = {}): Promise<TestPackhouse> {
  it = await startPackhouse({
    settings: { "declarative.enabled": true, "declarative.paths": [folder.path], ...settings },
  });
  return it;
}

/** Another start with the same database and the current declarations. */
async function startAgain(at: TestPackhouse, settings: Partial<Settings> = {}): Promise<void> {
  const replica = await at.replica(settings);
  await replica.close();
}

const repositoriesOf = ({ deps }: TestPackhouse) =>
  deps.db.selectFrom("repositories").select(["name", "published", "deleted", "version"]).orderBy("name").execute();

const eventsOf = async ({ deps }: TestPackhouse) => {
  const rows = await deps.db.selectFrom("events").select("description").orderBy("id").execute();
  return rows.map(({ description }) => description);
};

describe("in declarative mode", () => {
  test("repositories are created, changed, taken offline and restored as declared, with events", async () => {
    await folder.declare("north", { technology: "r", redirectToSource: true });
    await folder.declare("south", { technology: "PYTHON", hashMethod: "SHA512", published: false });
    const at = await start();
    expect(await repositoriesOf(at)).toEqual([
      { name: "north", published: true, deleted: false, version: expect.any(Number) },
      { name: "south", published: false, deleted: false, version: expect.any(Number) },
    ]);
    expect(await eventsOf(at)).toEqual([
      "Administrator created the R repository north.",
      "Administrator created the Python repository south.",
    ]);
    const before = await repositoriesOf(at);
    await startAgain(at);
    expect(await repositoriesOf(at)).toEqual(before);

    await folder.declare("south", { technology: "Python", hashMethod: "SHA512" });
    await folder.withdraw("north");
    await startAgain(at);
    expect(await repositoriesOf(at)).toMatchObject([
      { name: "north", published: false, deleted: true },
      { name: "south", published: true, deleted: false },
    ]);
    expect((await eventsOf(at)).slice(2)).toEqual([
      "Administrator deleted the repository north.",
      "Administrator published the repository south.",
    ]);
    expect((await at.anonymous.request("/repo/north/src/contrib/PACKAGES")).status).toBe(404);

    await folder.declare("north", { technology: "R", redirectToSource: true });
    await startAgain(at);
    expect(await repositoriesOf(at)).toMatchObject([{ name: "north", published: true, deleted: false }, {}]);
    expect((await eventsOf(at)).slice(4)).toEqual([
      "Administrator restored the repository north.",
      "Administrator published the repository north.",
    ]);

    await folder.declare("north", { technology: "R", deleted: true });
    await startAgain(at);
    expect(await repositoriesOf(at)).toMatchObject([{ name: "north", deleted: true }, {}]);
  });

  test("the API does not create, change or delete them, and reports why", async () => {
    await folder.declare("north", {});
    await folder.declare("hidden", { published: false });
    const at = await start();
    const admin = await at.as(at.admin);
    const { content } = (await admin.get("/r/repositories?sort=name,desc")).data;
    const [north, hidden] = content;
    const path = `/r/repositories/${north.id}`;
    const address = "https://packages.example.org/repo/new";
    for (const answer of [
      await admin.post("/r/repositories", { name: "new", publicationUri: address, serverAddress: address }),
      await admin.patch(path, [replace("/published", false)]),
      await admin.patch(path, [replace("/deleted", true)]),
      await admin.delete(path),
      await admin.post(`/r/repositories/${hidden.id}/republish`, undefined),
    ])
      expect([answer.http, answer.messageCode]).toEqual([405, "repository.declarative.mode"]);
    expect((await admin.post(`${path}/republish`, undefined)).http).toBe(200);
    expect((await admin.post(`${path}/synchronize-mirrors`, undefined)).http).toBe(204);
    const permissions = ({ links }: { links: { rel: string; type?: string }[] }) =>
      links.flatMap(({ rel, type }) => (type ? [`${rel} ${type}`] : []));
    expect(permissions(north)).toEqual(["republish POST", "synchronize POST"]);
    expect(permissions(hidden)).toEqual(["synchronize POST"]);
    expect((await admin.get("/config")).data.declarativeModeEnabled).toBe(true);
    const stranger = await at.as(await at.given.person("stranger", "repositorymaintainer"));
    expect((await stranger.patch(path, [replace("/published", false)])).messageCode).toBe("user.not.authorized");
    expect((await admin.patch("/r/repositories/99999", [replace("/published", false)])).http).toBe(404);
  });

  test("replicas that start together apply them once", async () => {
    await folder.declare("north", {});
    const at = await start();
    await folder.declare("south", {});
    await folder.declare("west", { technology: "Python" });
    const replicas = await Promise.all([at.replica(), at.replica(), at.replica()]);
    for (const replica of replicas) await replica.close();
    expect((await repositoriesOf(at)).map(({ name }) => name)).toEqual(["north", "south", "west"]);
    expect(await eventsOf(at)).toHaveLength(3);
  });

  test("undeclared repositories are purged only by command, after they were listed", async () => {
    await folder.declare("north", {});
    await folder.declare("south", {});
    const at = await start();
    const admin = await at.as(at.admin);
    expect((await admin.upload("R", await smallRPackage("tidepool", "1.0"), { repository: "south" })).http).toBe(201);
    await folder.withdraw("south");
    await startAgain(at);
    const { list, purge } = await undeclaredRepositories(at.deps);
    expect(list).toEqual(["south (R, deleted)"]);
    expect(await repositoriesOf(at)).toHaveLength(2);
    await purge();
    expect((await repositoriesOf(at)).map(({ name }) => name)).toEqual(["north"]);
    expect((await undeclaredRepositories(at.deps)).list).toEqual([]);
  });
});

describe("a start with wrong declarations", () => {
  test("ends, and changes nothing", async () => {
    await folder.declare("north", {});
    const at = await start();
    const before = await repositoriesOf(at);
    await folder.declare("north", { published: false });
    await folder.declare("bad", { colour: "red" });
    const failure = await at.replica().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WrongDeclarations);
    expect(String(failure)).toMatch(/bad\.repository\.yaml: colour: unknown key/);
    expect(await repositoriesOf(at)).toEqual(before);
  });

  test("ends when a declaration conflicts with the database, and changes nothing", async () => {
    await folder.declare("north", {});
    const at = await start();
    const before = await repositoriesOf(at);
    await folder.declare("east", {});
    await folder.declare("north", { technology: "Python" });
    await expect(at.replica()).rejects.toThrow(
      /north\.repository\.yaml: technology: the technology of the repository north is R/,
    );
    await folder.withdraw("north");
    const taken = "https://packages.example.org/repo/north";
    await folder.declare("west", { publicationUri: taken });
    await expect(at.replica()).rejects.toThrow(/west\.repository\.yaml: repository\.duplicate\.publicationuri/);
    expect(await repositoriesOf(at)).toEqual(before);
  });

  test("ends when a folder is missing, or holds no declaration in declarative mode", async () => {
    await folder.declare("north", {});
    const at = await start();
    const paths = [folder.path, join(folder.path, "absent")];
    await expect(at.replica({ "declarative.paths": paths })).rejects.toThrow(/absent: cannot be read/);
    await folder.withdraw("north");
    await writeFile(join(folder.path, "notes.txt"), "no declaration");
    await expect(at.replica()).rejects.toThrow(/declarative\.paths: there is no file/);
    await startAgain(at, { "declarative.enabled": false });
    expect(await repositoriesOf(at)).toMatchObject([{ name: "north", deleted: false }]);
  });
});

test("while there is no administrator nothing is applied", async () => {
  const at = await start({ "declarative.enabled": false });
  await at.deps.db.updateTable("users").set({ active: false }).execute();
  await folder.declare("north", {});
  const settings = { ...at.deps.settings, "declarative.enabled": true };
  await applyDeclarations({ ...at.deps, settings }, await readDeclarations(settings));
  expect(await repositoriesOf(at)).toEqual([]);
});

test("outside declarative mode missing repositories are created unpublished, existing ones stay unchanged", async () => {
  await folder.declare("north", {});
  const at = await start({ "declarative.enabled": false });
  expect(await repositoriesOf(at)).toMatchObject([{ name: "north", published: false }]);
  const admin = await at.as(at.admin);
  const { id } = (await admin.get("/repositories")).data.content[0];
  const mirrors = [{ name: "upstream", uri: "https://cran.example.org", syncInterval: "30 2 * * 1" }];
  expect((await admin.patch(`/r/repositories/${id}`, [replace("/published", true)])).http).toBe(200);
  await folder.declare("north", { requiresAuthentication: true, mirrors });
  await startAgain(at);
  expect((await admin.get(`/r/repositories/${id}`)).data).toMatchObject({
    published: true,
    requiresAuthentication: false,
  });
  expect((await admin.get(`/repositories/${id}/mirrors`)).data.mirrors).toMatchObject([{ schedule: "30 2 * * 1" }]);
  expect((await admin.get("/config")).data.declarativeModeEnabled).toBe(false);
});
