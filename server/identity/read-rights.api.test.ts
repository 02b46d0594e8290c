import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Repository } from "../features/repositories/store.ts";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";
import { smallRPackage, smallWheel } from "../testing/small-packages.ts";
import { namesOfNoRepository } from "./read-right-store.ts";

let packhouse: TestPackhouse;
let vault: Repository;
let packageId: number;
let submissionId: number;
const readers: Record<string, Client> = {};
const outsiders: Record<string, Client> = {};

beforeAll(async () => {
  packhouse = await startPackhouse({
    settings: {
      readRights: [
        { repository: "vault", role: "repositorymaintainer", groups: [] },
        { repository: "vault", groups: ["team"] }, // equivalent to one entry with both
        { repository: "vault-r", groups: ["team"] },
      ],
    },
  });
  const { given, deps } = packhouse;
  vault = await given.repository("Python", { name: "vault", published: true, requiresAuthentication: false });
  await given.repository("R", { name: "vault-r", published: true, requiresAuthentication: false });
  const open = await given.repository("Python", { name: "open", published: true, requiresAuthentication: false });

  const admin = await packhouse.as(packhouse.admin);
  const stored = await admin.upload("Python", await smallWheel("secret", "1.0"), { repository: "vault" });
  ({ id: submissionId } = stored.data);
  packageId = stored.data.packageBag.id;
  await admin.upload("Python", await smallWheel("known", "1.0", { "Requires-Dist": "secret" }), {
    repository: open.name,
  });
  await admin.upload("R", await smallRPackage("secret", "1.0"), { repository: "vault-r" });

  const withGroups = async (login: string, groups: string[]) => {
    const person = await given.person(login);
    await deps.db.updateTable("users").set({ groups }).where("id", "=", person.id).execute();
    return packhouse.as(person);
  };
  const keeper = await given.person("keeper", "packagemaintainer");
  await given.packageMaintainer(keeper, vault, "another-package");
  readers.admin = admin;
  readers.member = await withGroups("member", ["everybody", "team"]);
  readers["user of its role"] = await packhouse.as(await given.person("of-the-role", "repositorymaintainer"));
  readers["maintainer of a package in it"] = await packhouse.as(keeper);
  outsiders.stranger = await packhouse.as(await given.person("stranger", "packagemaintainer"));
  outsiders["user of other groups"] = await withGroups("of-other-groups", ["everybody", "Team"]);
});
afterAll(() => packhouse.close());

/** An event that this user caused while the repository was open to them. */
async function ownEvent(client: Client): Promise<number> {
  const { data: me } = await client.get("/users/me");
  const { id } = await packhouse.deps.db
    .insertInto("events")
    .values({
      occurred_on: packhouse.deps.clock(),
      user_id: me.id,
      event_type: "update",
      resource_type: "SUBMISSION",
      resource_id: submissionId,
      technology: "Python",
      repository_id: vault.id,
      package_id: packageId,
      package_name: "secret",
      changed_properties: "[]",
      description: "",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** How much a user sees of a repository and its contents. */
async function seenBy(client: Client) {
  const counted = async (path: string) => (await client.get(path)).data.page.totalElements;
  const status = async (path: string) => (await client.get(path)).http;
  const served = async (path: string) => (await client.request(`/repo/vault/${path}`)).status;
  const eventId = await ownEvent(client);
  const dependency = await client.get("/packages?search=known");
  const { data } = await client.get(`/packages/${dependency.data.content[0].id}/dependencies`);
  return {
    lists: [
      await counted("/repositories?name=vault"),
      await counted("/python/repositories?name=vault"),
      await counted("/packages?repository=vault"),
      await counted("/python/packages?repository=vault"),
      await counted("/submissions?repository=vault"),
      await counted("/python/submissions?repository=vault"),
    ],
    details: [
      await status(`/repositories/${vault.id}`),
      await status(`/python/repositories/${vault.id}`),
      await status(`/packages/${packageId}`),
      await status(`/python/packages/${packageId}`),
      await status(`/packages/${packageId}/dependencies`),
      await status(`/submissions/${submissionId}`),
      await status(`/python/submissions/${submissionId}`),
      await status(`/events/${eventId}`),
    ],
    download: (
      await client.request(`/api/v2/manager/python/packages/${packageId}/download/secret-1.0-py3-none-any.whl`)
    ).status,
    dependency: data.dependencies[0].availability,
    files: [await served("simple/"), await served("simple/secret/")],
  };
}

describe("a repository with read rights", () => {
  test.each(["admin", "member", "user of its role", "maintainer of a package in it"])(
    "is visible to this reader: %s",
    async (name) => {
      const reader = readers[name];
      if (!reader) throw new Error("nobody");
      expect(await seenBy(reader)).toEqual({
        lists: [1, 1, 1, 1, 1, 1],
        details: [200, 200, 200, 200, 200, 200, 200, 200],
        download: 200,
        dependency: "elsewhere",
        files: [200, 200],
      });
    },
  );

  test.each(["stranger", "user of other groups"])("is hidden from this user: %s", async (name) => {
    const outsider = outsiders[name];
    if (!outsider) throw new Error("nobody");
    expect(await seenBy(outsider)).toEqual({
      lists: [0, 0, 0, 0, 0, 0],
      details: [404, 404, 404, 404, 404, 404, 404, 404],
      download: 404,
      dependency: "missing",
      files: [403, 403],
    });
    const upload = await outsider.upload("Python", await smallWheel("pushed-in", "1.0"), { repository: "vault" });
    expect(upload.messageCode).toBe("repository.notfound");
    expect((await outsider.get("/events?repositoryName=vault")).data.content).toEqual([]);
    for (const state of ["ACCEPTED", "CANCELLED", "waiting"])
      expect(
        (await outsider.patch(`/python/submissions/${submissionId}`, [replace("/state", state)])).messageCode,
      ).toBe("submission.notfound");
  });

  test("keeps its name, which the rights refer to, and misspelled names are reported", async () => {
    const renamed = await readers.admin?.patch(`/python/repositories/${vault.id}`, [replace("/name", "wide-open")]);
    expect([renamed?.http, renamed?.data]).toEqual([422, ["forbidden.update"]]);
    const { db, settings } = packhouse.deps;
    const misspelled = [...settings.readRights, { repository: "valut", groups: [] }];
    expect(await namesOfNoRepository(db, { ...settings, readRights: misspelled })).toEqual(["valut"]);
  });

  test("requires authentication, and is not stored by shared caches", async () => {
    for (const path of ["vault/simple/", "vault-r/src/contrib/PACKAGES"]) {
      const anonymous = await packhouse.anonymous.request(`/repo/${path}`);
      expect([anonymous.status, anonymous.headers.get("www-authenticate")]).toEqual([401, 'Basic realm="Packhouse"']);
      const member = await readers.member?.request(`/repo/${path}`);
      expect(member?.status).toBe(200);
      expect(member?.headers.get("cache-control")).toContain("private");
      expect(member?.headers.get("vary")).toContain("Authorization");
      // A role is not enough where only a group may read.
      expect((await readers["user of its role"]?.request(`/repo/${path}`))?.status).toBe(
        path.startsWith("vault/") ? 200 : 403,
      );
    }
  });
});
