import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Actor } from "../../http/actor.ts";
import { type Client, replace, startPackhouse, type TestAnswer, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage } from "../../testing/small-packages.ts";
import { expectStatements } from "../../testing/statement-count.ts";
import { editUser } from "./edit-user.ts";

let packhouse: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  packhouse = await startPackhouse();
  admin = await packhouse.bySession(packhouse.admin);
});
afterAll(() => packhouse.close());

const patchLink = (item: { links: { type?: string }[] }) => item.links.find(({ type }) => type === "PATCH");
const eventsAbout = async (person: Actor) =>
  (await admin.get("/events?resourceType=user&size=500")).data.content.filter(
    (event: { resourceId: number }) => event.resourceId === person.id,
  );

describe("a user", () => {
  test("is shown to administrators with the link to change them", async () => {
    const person = await packhouse.given.person("shown");
    const answer = await admin.get(`/users/${person.id}`);
    const href = `${packhouse.address}/api/v2/manager/users`;
    expect(answer.data).toEqual({
      id: person.id,
      name: "Name of shown",
      login: "shown",
      email: "shown@localhost",
      active: true,
      deleted: false,
      createdOn: expect.stringMatching(/^\d{4}-.*Z$/),
      lastLoggedInOn: "",
      roleId: 1,
      role: "user",
      expirationDate: null,
      userSettings: null,
      hasPassword: true,
      links: [
        { rel: "self", href: `${href}/${person.id}` },
        { rel: "userList", href },
        {
          rel: "self",
          href: `${href}/${person.id}`,
          type: "PATCH",
          modifiableProperties: ["deleted", "active", "roleId"],
        },
      ],
    });
  });

  test("sees their own account, and of others not even whether they exist", async () => {
    const person = await packhouse.given.person("curious");
    const client = await packhouse.as(person);
    expect((await client.get(`/users/${person.id}`)).data.links).toHaveLength(1);
    for (const id of [packhouse.admin.id, 999_999])
      expect((await client.get(`/users/${id}`)).messageCode).toBe("user.not.authorized");
    expect((await client.get("/users")).http).toBe(403);
    expect((await admin.get("/users/999999")).messageCode).toBe("user.notfound");
  });

  test("finds their own account filled with default settings", async () => {
    const client = await packhouse.as(await packhouse.given.person("fresh"));
    expect((await client.get("/users/me")).data).toMatchObject({
      login: "fresh",
      userSettings: { language: "en-US", theme: "dark", pageSize: 10 },
    });
  });

  test("sees their previous sign-in, and administrators the latest", async () => {
    const person = await packhouse.given.person("returning");
    const signIn = () =>
      fetch(`${packhouse.address}/api/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ login: "returning", password: "password" }),
      });
    expect((await signIn()).status).toBe(200);
    const first = (await admin.get(`/users/${person.id}`)).data.lastLoggedInOn;
    expect((await signIn()).status).toBe(200);
    const latest = (await admin.get(`/users/${person.id}`)).data.lastLoggedInOn;
    const own = (await (await packhouse.as(person)).get("/users/me")).data.lastLoggedInOn;
    expect(first < latest).toBe(true);
    expect(own).toBe(first);
  });

  test("has one of four roles, which have a list without pages", async () => {
    const { data } = await admin.get("/users/roles");
    expect(Object.keys(data)).toEqual(["links", "content"]);
    expect(data.content.map((role: { name: string }) => role.name)).toEqual([
      "user",
      "packagemaintainer",
      "repositorymaintainer",
      "admin",
    ]);
  });
});

describe("the list of users", () => {
  test("is filtered by role, activity, deletion and a search in name, login and email", async () => {
    const person = await packhouse.given.person("łukasz", "packagemaintainer");
    await packhouse.deps.db.updateTable("users").set({ name: "Łukasz 100%" }).where("id", "=", person.id).execute();
    const logins = async (query: string) =>
      (await admin.get(`/users?size=500&${query}`)).data.content.map((user: { login: string }) => user.login);
    expect(await logins(`search=${encodeURIComponent("ŁUKASZ")}`)).toEqual(["łukasz"]);
    expect(await logins(`search=${encodeURIComponent("0%")}`)).toEqual(["łukasz"]);
    expect(await logins("role=packagemaintainer,admin")).toContain("łukasz");
    expect(await logins("role=packagemaintainer&active=false")).toEqual([]);
    expect(await logins("role=nobody")).toEqual([]);
  });

  test("is sorted by any of its fields, and takes a fixed number of statements", async () => {
    for (const field of ["role", "roleId", "lastLoggedInOn", "userSettings", "userSettings.pageSize"])
      expect((await admin.get(`/users?sort=${field},desc`)).http).toBe(200);
    expect((await admin.get("/users?sort=shoeSize")).data).toEqual(["shoeSize"]);
    await expectStatements(packhouse, () => admin.get("/users?size=1&page=1"), 5);
  });
});

describe("changing a user", () => {
  test("takes effect immediately and is recorded", async () => {
    const person = await packhouse.given.person("promoted");
    const answer = await admin.patch(`/users/${person.id}`, [replace("/roleId", "2")]);
    expect(answer.data).toMatchObject({ role: "packagemaintainer", roleId: 2 });
    const [event] = await eventsAbout(person);
    expect(event).toMatchObject({
      eventType: "update",
      resourceType: "USER",
      technology: expect.stringMatching(/^Packhouse version: /),
      changedProperties: [{ property: "role", valueBefore: "user", valueAfter: "packagemaintainer" }],
      description: "Administrator gave Name of promoted the role packagemaintainer.",
      relatedResource: { id: person.id, login: "promoted", role: "packagemaintainer" },
    });
  });

  test("that changes nothing writes nothing", async () => {
    const person = await packhouse.given.person("unchanged");
    const answer = await admin.patch(`/users/${person.id}`, [
      replace("/role", "admin"),
      replace("/active", "true"),
      { op: "add", path: "/shoeSize", value: 43 },
    ]);
    expect(answer).toMatchObject({ http: 200, data: { role: "user", active: true } });
    expect(await eventsAbout(person)).toEqual([]);
  });

  test("is refused for oneself, read-only fields and unknown roles, and to everyone but administrators", async () => {
    const person = await packhouse.given.person("fixed");
    const own = await admin.get(`/users/${packhouse.admin.id}`);
    expect(patchLink(own.data)).toBeUndefined();
    expect((await admin.patch(`/users/${packhouse.admin.id}`, [replace("/active", false)])).messageCode).toBe(
      "user.not.authorized",
    );
    const fields = await admin.patch(`/users/${person.id}`, [replace("/name", "x"), replace("/login", "y")]);
    expect(fields).toMatchObject({ http: 422, data: ["forbidden.update", "forbidden.update"] });
    expect((await admin.patch(`/users/${person.id}`, [replace("/roleId", 5)])).messageCode).toBe(
      "error.malformed.patch",
    );
    expect((await admin.patch("/users/999999", [replace("/active", false)])).messageCode).toBe("user.notfound");
    const maintainer = await packhouse.as(await packhouse.given.person("not-admin", "repositorymaintainer"));
    expect((await maintainer.patch(`/users/${person.id}`, [replace("/active", false)])).http).toBe(403);
    expect(await eventsAbout(person)).toEqual([]);
  });

  test("to inactive signs them out everywhere, for good", async () => {
    const person = await packhouse.given.person("dismissed");
    const client = await packhouse.as(person);
    expect((await client.get("/users/me")).http).toBe(200);
    await admin.patch(`/users/${person.id}`, [replace("/active", false)]);
    expect((await client.get("/users/me")).http).toBe(401);
    await admin.patch(`/users/${person.id}`, [replace("/active", true)]);
    expect((await client.get("/users/me")).http).toBe(401);
    const epoch = await packhouse.deps.db
      .selectFrom("users")
      .select("session_epoch")
      .where("id", "=", person.id)
      .executeTakeFirst();
    expect(epoch?.session_epoch).toBe(1);
  });

  test("to deleted deactivates them; administrators still see and can restore them", async () => {
    const person = await packhouse.given.person("leaving");
    const deleted = await admin.patch(`/users/${person.id}`, [replace("/deleted", true)]);
    expect(deleted.data).toMatchObject({ deleted: true, active: false });
    expect(patchLink(deleted.data)).toMatchObject({ modifiableProperties: ["deleted"] });
    const [event] = await eventsAbout(person);
    expect(event.changedProperties.map((entry: { property: string }) => entry.property)).toEqual(["active", "deleted"]);

    expect((await admin.patch(`/users/${person.id}`, [replace("/active", true)])).messageCode).toBe(
      "editing.deleted.resource.not.possible",
    );
    const restored = await admin.patch(`/users/${person.id}`, [replace("/deleted", false)]);
    expect(restored.data).toMatchObject({ deleted: false, active: false });
    expect(await eventsAbout(person)).toHaveLength(2);
  });

  test("back from deleted is refused when the login belongs to another user now", async () => {
    const person = await packhouse.given.person("wanted-login");
    await admin.patch(`/users/${person.id}`, [replace("/deleted", true)]);
    await packhouse.deps.db.updateTable("users").set({ subject: "earlier" }).where("id", "=", person.id).execute();
    await packhouse.given.person("wanted-login");
    expect(patchLink((await admin.get(`/users/${person.id}`)).data)).toBeUndefined();
    const answer = await admin.patch(`/users/${person.id}`, [replace("/deleted", false)]);
    expect(answer).toMatchObject({ http: 422, data: ["user.duplicate.login"] });
  });
});

describe("an access token of an administrator", () => {
  test("may deactivate users, but not change roles", async () => {
    const person = await packhouse.given.person("by-token");
    const token = await packhouse.as(packhouse.admin);
    const raised = await token.patch(`/users/${person.id}`, [replace("/roleId", 4)]);
    expect([raised.http, raised.messageCode]).toEqual([403, "user.not.authorized"]);
    const both = await token.patch(`/users/${person.id}`, [replace("/active", false), replace("/roleId", 2)]);
    expect(both.http).toBe(403);
    const { data } = await token.get(`/users/${person.id}`);
    expect(data).toMatchObject({ role: "user", active: true });
    expect(data.links).toContainEqual(
      expect.objectContaining({ type: "PATCH", modifiableProperties: ["deleted", "active"] }),
    );
    expect((await token.patch(`/users/${person.id}`, [replace("/active", false)])).data.active).toBe(false);
  });
});

describe("the last active administrator", () => {
  test("stays, also when two administrators remove each other at the same time", async () => {
    await using own = await startPackhouse();
    const second = await own.given.person("second", "admin");
    const [first, other] = [await own.bySession(own.admin), await own.bySession(second)];
    const answers = await Promise.all([
      first.patch(`/users/${second.id}`, [replace("/active", false)]),
      other.patch(`/users/${own.admin.id}`, [replace("/roleId", 1)]),
    ]);
    expect(answers.filter(({ http }) => http === 200)).toHaveLength(1);
    const left = await own.deps.db
      .selectFrom("users")
      .select("id")
      .where("rank", "=", 3)
      .where("active", "=", true)
      .execute();
    expect(left).toHaveLength(1);
  });

  test("cannot be removed even if the other one was deactivated a moment ago", async () => {
    await using own = await startPackhouse();
    const deactivated = await own.given.person("dismissed-meanwhile", "admin");
    await own.deps.db.updateTable("users").set({ active: false }).where("id", "=", deactivated.id).execute();
    // The request had passed the check of the role before.
    for (const path of ["/active", "/deleted"])
      await expect(
        editUser(own.deps, deactivated, own.admin.id, [{ op: "replace", path, value: path === "/deleted" }]),
      ).rejects.toMatchObject({ code: "error.validation", data: ["no.admin.left"] });
  });
});

describe("leaving a maintainer's role", () => {
  test("to become repository maintainer removes the record, and another user becomes responsible", async () => {
    const repository = await packhouse.given.repository("R");
    const person = await packhouse.given.person("stepping-down", "packagemaintainer");
    const recordId = await packhouse.given.packageMaintainer(person, repository, "tidetable");
    const upload = await admin.upload("R", await smallRPackage("tidetable", "1.0"), { repository: repository.name });
    const packagePath = `/packages/${upload.data.packageBag.id}`;
    expect((await admin.get(packagePath)).data.user.login).toBe("stepping-down");

    await admin.patch(`/users/${person.id}`, [replace("/roleId", 3)]);
    expect((await admin.get(`/package-maintainers/${recordId}`)).data.deleted).toBe(true);
    expect((await admin.get(packagePath)).data.user.login).toBe("admin");
  });

  test("does not happen on deactivation, which only reassigns responsibility", async () => {
    const repository = await packhouse.given.repository("R");
    const person = await packhouse.given.person("on-leave", "repositorymaintainer");
    const recordId = await packhouse.given.repositoryMaintainer(person, repository);
    const upload = await admin.upload("R", await smallRPackage("tidetable", "1.0"), { repository: repository.name });
    const packagePath = `/packages/${upload.data.packageBag.id}`;
    await admin.patch(`/users/${person.id}`, [replace("/active", false)]);
    expect((await admin.get(`/repository-maintainers/${recordId}`)).data.deleted).toBe(false);
    expect((await admin.get(packagePath)).data.user.login).toBe("admin");
    await admin.patch(`/users/${person.id}`, [replace("/active", true)]);
    expect((await admin.get(packagePath)).data.user.login).toBe("on-leave");
  });
});

test("deactivating a maintainer hands waiting submissions over to another user, who decides them", async () => {
  const repository = await packhouse.given.repository("R");
  const leaving = await packhouse.given.person("leaving-carer", "packagemaintainer");
  const next = await packhouse.given.person("next-keeper", "repositorymaintainer");
  await packhouse.given.packageMaintainer(leaving, repository, "tidetable");
  await packhouse.given.repositoryMaintainer(next, repository);
  const uploader = await packhouse.as(await packhouse.given.person("patient-uploader"));
  const { data } = await uploader.upload("R", await smallRPackage("tidetable", "1.0"), { repository: repository.name });
  expect(data).toMatchObject({ state: "WAITING", packageBag: { user: { login: "leaving-carer" } } });

  await admin.patch(`/users/${leaving.id}`, [replace("/active", false)]);
  const keeper = await packhouse.as(next);
  const seen = await keeper.get(`/submissions?assignedToMe=true&repository=${repository.name}`);
  expect(seen.data.content).toMatchObject([{ id: data.id, packageBag: { user: { login: "next-keeper" } } }]);
  const decided = await keeper.patch(`/r/submissions/${data.id}`, [replace("/state", "ACCEPTED")]);
  expect(decided).toMatchObject({ http: 200, data: { state: "ACCEPTED", approver: { login: "next-keeper" } } });
});

describe("changing users during other work", () => {
  test("completes: uploads, appointments, moves and changes of role of the same users at the same time", async () => {
    const { given } = packhouse;
    const repositories = await Promise.all([given.repository("R"), given.repository("R")]);
    const people = await Promise.all([1, 2, 3].map((n) => given.person(`busy-${n}`, "repositorymaintainer")));
    const clients = await Promise.all(people.map((person) => packhouse.as(person)));
    const works: Promise<TestAnswer>[] = [];
    for (let round = 0; round < 8; round += 1) {
      for (const [index, person] of people.entries()) {
        const [repository, client] = [repositories[(round + index) % 2], clients[index]];
        if (!repository || !client) continue;
        const file = await smallRPackage(`busy${index}`, `${round}.0`);
        works.push(client.upload("R", file, { repository: repository.name }));
        works.push(admin.patch(`/users/${person.id}`, [replace("/roleId", round % 2 === 0 ? 2 : 3)]));
        const body = { user: { id: person.id }, repository: { id: repository.id }, packageName: `busy${index}` };
        works.push(admin.post("/package-maintainers", body));
        works.push(admin.post("/repository-maintainers", body));
      }
    }
    const done = await Promise.all(works);
    const maintainers = (await admin.get("/package-maintainers?deleted=false&size=500&search=busy")).data.content;
    const moves = maintainers.map(({ id }: { id: number }, index: number) =>
      admin.patch(`/package-maintainers/${id}`, [
        index % 2 === 0 ? replace("/deleted", true) : replace("/repository/id", repositories[0]?.id),
      ]),
    );
    const answers = [...done, ...(await Promise.all<TestAnswer>(moves))];
    expect(answers.filter(({ http }) => http >= 500)).toEqual([]);
    expect(answers.filter(({ http }) => http < 300).length).toBeGreaterThan(people.length);
  });
});
