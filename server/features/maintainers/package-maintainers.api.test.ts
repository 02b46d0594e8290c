import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestAnswer, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage, smallSdist } from "../../testing/small-packages.ts";
import { expectStatements } from "../../testing/statement-count.ts";

let packhouse: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  packhouse = await startPackhouse();
  admin = await packhouse.as(packhouse.admin);
});
afterAll(() => packhouse.close());

let counter = 0;
const person = (role: "user" | "packagemaintainer" | "repositorymaintainer" = "packagemaintainer") => {
  counter += 1;
  return packhouse.given.person(`${role}-${counter}`, role);
};
const appoint = (who: { id: number }, repository: { id: number }, packageName: string, client = admin) =>
  client.post("/package-maintainers", { user: { id: who.id }, packageName, repository: { id: repository.id } });
const links = ({ data }: TestAnswer) => data.links.flatMap(({ type }: { type?: string }) => type ?? []);
const eventsAbout = async (id: number, more = "") =>
  (await admin.get(`/events?resourceType=packageMaintainer&sort=id,desc&size=500${more}`)).data.content.filter(
    (event: { resourceId: number }) => event.resourceId === id,
  );

/** A repository with one package in it and a repository maintainer. */
async function givenRepository() {
  const repository = await packhouse.given.repository("R");
  const upload = await admin.upload("R", await smallRPackage("tidetable", "1.0"), { repository: repository.name });
  const keeper = await person("repositorymaintainer");
  await packhouse.given.repositoryMaintainer(keeper, repository);
  const responsible = async () => (await admin.get(`/packages/${upload.data.packageBag.id}`)).data.user.id;
  return { repository, keeper, responsible };
}

describe("appointing a package maintainer", () => {
  test("makes the user responsible for the package and writes one event", async () => {
    const { repository, keeper, responsible } = await givenRepository();
    const who = await person();
    const answer = await appoint(who, repository, "tidetable", await packhouse.as(keeper));
    expect(answer).toMatchObject({ http: 201, messageCode: "success.resource.created" });
    const api = `${packhouse.address}/api/v2/manager/package-maintainers`;
    const self = `${api}/${answer.data.id}`;
    expect(answer.data).toEqual({
      id: answer.data.id,
      user: { id: who.id, name: who.name, login: who.login, email: who.email },
      packageName: "tidetable",
      repository: {
        id: repository.id,
        name: repository.name,
        publicationUri: repository.publication_uri,
        published: true,
        requiresAuthentication: false,
        technology: "R",
        lastPublicationSuccessful: true,
      },
      deleted: false,
      description: null,
      links: [
        { rel: "self", href: self },
        { rel: "packageMaintainerList", href: api },
        { rel: "self", href: self, type: "PATCH" },
        { rel: "self", href: self, type: "DELETE" },
      ],
    });
    expect(await responsible()).toBe(who.id);
    expect(await eventsAbout(answer.data.id)).toMatchObject([
      {
        eventType: "create",
        technology: "R",
        changedProperties: [],
        user: { id: keeper.id },
        description: `${keeper.name} made ${who.name} a maintainer of tidetable in ${repository.name}.`,
        relatedResource: { id: answer.data.id, packageName: "tidetable", user: { id: who.id } },
      },
    ]);
  });

  test("works for a package that does not exist yet, and allows its first upload", async () => {
    const repository = await packhouse.given.repository("Python");
    const who = await person();
    expect((await appoint(who, repository, "Harbor.Tools")).http).toBe(201);
    const upload = await (await packhouse.as(who)).upload("Python", await smallSdist("harbor-tools", "1.0"), {
      repository: repository.name,
    });
    expect(upload.data.state).toBe("ACCEPTED");
  });

  test("takes a full user and a full repository, and ids as text", async () => {
    const repository = await packhouse.given.repository("R");
    const [who, other] = [await person(), await person()];
    const [user, place] = [
      { id: `${who.id}`, name: "any", login: "any", email: "any" },
      { ...(await admin.get(`/r/repositories/${repository.id}`)).data },
    ];
    const { id, name, publicationUri, published, requiresAuthentication, technology, lastPublicationSuccessful } =
      place;
    const ref = { id, name, publicationUri, published, requiresAuthentication, technology, lastPublicationSuccessful };
    const body = { user, packageName: "whole", repository: ref, id: 5, shoeSize: 43 };
    expect((await admin.post("/package-maintainers", body)).data).toMatchObject({
      user: { id: who.id },
      packageName: "whole",
    });
    const nested = { ...body, user: { id: other.id, shoeSize: 43 } };
    expect((await admin.post("/package-maintainers", nested)).messageCode).toBe("bad.request");
  });

  test("reports everything missing together", async () => {
    for (const body of [{}, { user: null, repository: "", packageName: "" }])
      expect(await admin.post("/package-maintainers", body)).toMatchObject({
        http: 422,
        data: ["empty.package", "empty.user", "empty.repository"],
      });
    const repository = await packhouse.given.repository("R");
    expect((await appoint(await person("user"), repository, "")).data).toEqual([
      "empty.package",
      "This user's role is too low for this kind of maintainer.",
    ]);
  });

  test("refuses users and repositories that do not exist", async () => {
    const repository = await packhouse.given.repository("R");
    const text = ["A record that this one refers to does not exist."];
    const who = await person();
    for (const id of [0, -1, 999_999, 99_999_999_999])
      expect((await appoint({ id }, repository, "x")).data).toEqual(text);
    expect((await appoint(who, { id: 99_999_999_999 }, "x")).data).toEqual(text);
    expect((await admin.post("/package-maintainers", { user: {}, repository: {}, packageName: "x" })).data).toEqual(
      text,
    );
    expect((await appoint(who, repository, "\0")).messageCode).toBe("bad.request");
  });

  test("is refused for a package that has a maintainer, by its normalized name", async () => {
    const repository = await packhouse.given.repository("Python");
    const who = await person();
    expect((await appoint(who, repository, "Foo_Bar")).http).toBe(201);
    expect((await appoint(await person(), repository, "foo-bar")).data).toEqual(["package.has.maintainer"]);
    expect((await appoint(who, repository, "foo.bar")).data).toEqual(["This user already maintains this package."]);
  });

  test("of two users at the same moment succeeds once", async () => {
    const repository = await packhouse.given.repository("R");
    const people = await Promise.all([person(), person(), person()]);
    const answers = await Promise.all(people.map((who) => appoint(who, repository, "contested")));
    expect(answers.map(({ http }) => http).sort()).toEqual([201, 422, 422]);
  });

  test("of several users for one package is possible where the settings allow it", async () => {
    await using several = await startPackhouse({ settings: { "maintainers.several": true } });
    const client = await several.as(several.admin);
    const repository = await several.given.repository("R");
    for (const login of ["first", "second"]) {
      const who = await several.given.person(login, "packagemaintainer");
      expect((await appoint(who, repository, "shared", client)).http).toBe(201);
    }
  });

  test("is refused to everyone but administrators and the repository's maintainers, without an event", async () => {
    const { repository } = await givenRepository();
    const stranger = await packhouse.as(await person("repositorymaintainer"));
    const before = (await admin.get("/events")).data.page.totalElements;
    expect((await appoint(await person(), repository, "x", stranger)).messageCode).toBe("user.not.authorized");
    expect((await appoint(await person(), repository, "x", await packhouse.as(await person()))).http).toBe(403);
    expect((await admin.get("/events")).data.page.totalElements).toBe(before);
  });

  test("after a deletion restores the record of the same user, never another's", async () => {
    const repository = await packhouse.given.repository("R");
    const [who, other] = [await person(), await person()];
    const first = await appoint(who, repository, "revived");
    await admin.patch(`/package-maintainers/${first.data.id}`, [replace("/deleted", true)]);
    const second = await appoint(other, repository, "revived");
    expect(second.data.id).not.toBe(first.data.id);
    await admin.patch(`/package-maintainers/${second.data.id}`, [replace("/deleted", true)]);
    expect((await appoint(who, repository, "revived")).data).toMatchObject({ id: first.data.id, deleted: false });
    expect((await eventsAbout(first.data.id)).map((event: { eventType: string }) => event.eventType)).toEqual([
      "create",
      "update",
      "create",
    ]);
  });
});

describe("a package maintainer", () => {
  test("is moved to another package and another repository", async () => {
    const { repository, responsible, keeper } = await givenRepository();
    const { repository: target, responsible: targetResponsible } = await givenRepository();
    const who = await person();
    const path = `/package-maintainers/${(await appoint(who, repository, "tidetable")).data.id}`;
    const answer = await admin.patch(path, [
      replace("/repository/id", `${target.id}`),
      replace("/user/name", "ignored"),
    ]);
    expect(answer.data).toMatchObject({ repository: { id: target.id }, user: { name: who.name } });
    expect([await responsible(), await targetResponsible()]).toEqual([keeper.id, who.id]);
    const [event] = await eventsAbout(answer.data.id);
    const text = (it: typeof target) =>
      `ID: ${it.id}, name: ${it.name}, publication URI: ${it.publication_uri}, server address: ${it.server_address}`;
    expect(event.changedProperties).toEqual([
      { property: "repository", valueBefore: text(repository), valueAfter: text(target) },
    ]);
    const renamed = await admin.patch(path, [replace("/packageName", "elsewhere")]);
    expect(renamed.data.packageName).toBe("elsewhere");
    expect((await eventsAbout(answer.data.id))[0].changedProperties).toEqual([
      { property: "package", valueBefore: "tidetable", valueAfter: "elsewhere" },
    ]);
  });

  test("is moved by a repository and a user of which only the ids are given", async () => {
    const { repository } = await givenRepository();
    const { repository: target } = await givenRepository();
    const [who, other] = [await person(), await person()];
    const path = `/package-maintainers/${(await appoint(who, repository, "tidetable")).data.id}`;
    const moved = await admin.patch(path, [
      replace("/repository", { id: target.id }),
      replace("/user", { id: other.id }),
    ]);
    // The other user is checked, but the record stays with its own.
    expect(moved).toMatchObject({
      http: 200,
      data: { repository: { id: target.id, name: target.name }, user: { id: who.id } },
    });
    const stale = { id: `${repository.id}`, name: "another name", published: "perhaps", more: 1 };
    expect((await admin.patch(path, [replace("/repository", stale)])).data.repository).toMatchObject({
      id: repository.id,
      name: repository.name,
    });
  });

  test("is not moved to a repository or user that is missing, unknown or none", async () => {
    const { repository } = await givenRepository();
    const path = `/package-maintainers/${(await appoint(await person(), repository, "tidetable")).data.id}`;
    const unknown = [422, "error.validation", ["A record that this one refers to does not exist."]];
    for (const [operation, ...expected] of [
      [replace("/repository", { id: 999_999 }), ...unknown],
      [replace("/user", { id: 999_999 }), ...unknown],
      [replace("/repository", { name: repository.name }), ...unknown],
      [replace("/repository", null), 422, "error.validation", ["empty.repository"]],
      [replace("/user", ""), 422, "error.validation", ["empty.user"]],
      [{ op: "remove", path: "/user" }, 422, "error.validation", ["empty.user"]],
      [replace("/packageName", null), 422, "error.validation", ["empty.package"]],
      [replace("/repository", 5), 422, "error.malformed.patch", "Value of a wrong type at path: /repository"],
      [replace("/id", 999_999), 422, "error.validation", ["forbidden.update"]],
    ] as const) {
      const { http, messageCode, data } = await admin.patch(path, [operation]);
      expect([operation, http, messageCode, data]).toEqual([operation, ...expected]);
    }
  });

  test("is moved to a package whose former maintainer was deleted", async () => {
    const { repository } = await givenRepository();
    const former = await appoint(await person(), repository, "orphaned");
    await admin.patch(`/package-maintainers/${former.data.id}`, [replace("/deleted", true)]);
    const { id } = (await appoint(await person(), repository, "first")).data;
    const moved = await admin.patch(`/package-maintainers/${id}`, [replace("/packageName", "orphaned")]);
    expect(moved.data).toMatchObject({ packageName: "orphaned", deleted: false });
  });

  test("is not moved to another user's package, nor into a repository of others", async () => {
    const { repository, keeper } = await givenRepository();
    const { repository: foreign } = await givenRepository();
    const path = `/package-maintainers/${(await appoint(await person(), repository, "one")).data.id}`;
    await appoint(await person(), repository, "two");
    const client = await packhouse.as(keeper);
    expect((await client.patch(path, [replace("/packageName", "two")])).data).toEqual(["package.has.maintainer"]);
    expect((await client.patch(path, [replace("/repository/id", foreign.id)])).messageCode).toBe("user.not.authorized");
    expect((await client.patch(path, [replace("/packageName", "")])).data).toEqual(["empty.package"]);
    expect((await client.patch(path, [replace("/user/id", 999_999)])).http).toBe(422);
    expect((await client.patch(path, [replace("/repositoryId", 1)])).messageCode).toBe("error.malformed.patch");
  });

  test("is soft-deleted, which a patch without differences does not repeat", async () => {
    const { repository, keeper, responsible } = await givenRepository();
    const id = (await appoint(await person(), repository, "tidetable")).data.id;
    const path = `/package-maintainers/${id}`;
    const client = await packhouse.as(keeper);
    expect((await client.patch(path, [replace("/deleted", false)])).http).toBe(200);
    expect(await eventsAbout(id)).toHaveLength(1);
    const deleted = await client.patch(path, [replace("/deleted", "true")]);
    expect(deleted.data.deleted).toBe(true);
    expect(links(deleted)).toEqual([]);
    expect(await responsible()).toBe(keeper.id);
    expect((await client.patch(path, [replace("/deleted", false)])).messageCode).toBe(
      "editing.deleted.resource.not.possible",
    );
  });

  test("whose account is deleted can still be removed", async () => {
    const { repository } = await givenRepository();
    const who = await person();
    const path = `/package-maintainers/${(await appoint(who, repository, "orphan")).data.id}`;
    await admin.patch(`/users/${who.id}`, [replace("/deleted", true)]);
    expect((await admin.patch(path, [replace("/deleted", true)])).data.deleted).toBe(true);
    expect(links(await admin.get(path))).toEqual(["DELETE"]);
  });

  test("is restored by administrators, unless another user has taken over the package", async () => {
    const { repository, responsible } = await givenRepository();
    const who = await person();
    const path = `/package-maintainers/${(await appoint(who, repository, "tidetable")).data.id}`;
    await admin.patch(path, [replace("/deleted", true)]);
    expect(links(await admin.get(path))).toEqual(["PATCH", "DELETE"]);
    expect((await admin.patch(path, [replace("/packageName", "x")])).http).toBe(405);
    expect((await admin.patch(path, [replace("/deleted", false)])).data.deleted).toBe(false);
    expect(await responsible()).toBe(who.id);

    await admin.patch(path, [replace("/deleted", true)]);
    await appoint(await person(), repository, "tidetable");
    expect(links(await admin.get(path))).toEqual(["DELETE"]);
    expect((await admin.patch(path, [replace("/deleted", false)])).data).toEqual(["package.has.maintainer"]);
  });

  test("is purged only after a soft deletion, by administrators", async () => {
    const { repository, keeper } = await givenRepository();
    const id = (await appoint(await person(), repository, "purged")).data.id;
    const path = `/package-maintainers/${id}`;
    expect((await admin.delete(path)).messageCode).toBe("error.packagemaintainer.notfound");
    await admin.patch(path, [replace("/deleted", true)]);
    expect((await (await packhouse.as(keeper)).delete(path)).messageCode).toBe("user.not.authorized");
    const answers = await Promise.all([admin.delete(path), admin.delete(path)]);
    expect(answers.map(({ http }) => http).sort()).toEqual([204, 404]);
    expect(await eventsAbout(id)).toEqual([]);
    const purged = await eventsAbout(id, "&purged=true");
    expect(purged.map((event: { eventType: string }) => event.eventType)).toEqual(["delete", "update", "create"]);
    expect(purged[0].relatedResource).toEqual({ id });
  });

  test("is seen by administrators and by maintainers of the repository", async () => {
    const { repository, keeper } = await givenRepository();
    const id = (await appoint(await person(), repository, "seen")).data.id;
    await appoint(await person(), (await givenRepository()).repository, "unseen");
    const client = await packhouse.as(keeper);
    const names = async (query = "") =>
      (await client.get(`/package-maintainers?${query}`)).data.content.map(
        (it: { packageName: string }) => it.packageName,
      );
    expect(await names()).toEqual(["seen"]);
    const stranger = await packhouse.as(await person("repositorymaintainer"));
    expect((await stranger.get("/package-maintainers")).data.content).toEqual([]);
    expect((await stranger.get(`/package-maintainers/${id}`)).messageCode).toBe("user.not.authorized");
    expect((await (await packhouse.as(await person())).get("/package-maintainers")).http).toBe(403);

    await admin.patch(`/package-maintainers/${id}`, [replace("/deleted", true)]);
    expect(await names()).toEqual([]);
    expect(await names("deleted=true")).toEqual(["seen"]);
    expect((await client.get(`/package-maintainers/${id}`)).http).toBe(200);
  });
});

describe("the list of package maintainers", () => {
  test("is filtered by technology, repository and a search, and takes a fixed number of statements", async () => {
    const repository = await packhouse.given.repository("Python", { name: "filtered" });
    const who = await person();
    await appoint(who, repository, "Needle");
    const count = async (query: string) => (await admin.get(`/package-maintainers?${query}`)).data.page.totalElements;
    expect(await count("repository=filtered&technology=PYTHON&search=needle")).toBe(1);
    expect(await count(`repository=filtered&search=${who.login.toUpperCase()}`)).toBe(1);
    expect(await count("repository=filtered&technology=r")).toBe(0);
    expect((await admin.get("/package-maintainers?sort=repository.name,desc&sort=user")).http).toBe(200);
    await expectStatements(packhouse, () => admin.get("/package-maintainers?size=1&page=1"), 5);
  });
});

describe("candidates", () => {
  test("are active users of a sufficient role, shown to those who may appoint", async () => {
    const { keeper } = await givenRepository();
    const who = await packhouse.given.person("zoë-candidate", "packagemaintainer");
    const inactive = await packhouse.given.person("zoë-inactive", "admin");
    await packhouse.given.person("zoë-user");
    await admin.patch(`/users/${inactive.id}`, [replace("/active", false)]);
    const client = await packhouse.as(keeper);
    const answer = await client.get(`/package-maintainers/candidates?search=${encodeURIComponent("ZOË")}&size=5`);
    expect(answer.data.content).toEqual([{ id: who.id, name: who.name, login: who.login, email: who.email }]);
    expect(answer.data.page).toEqual({ size: 5, totalElements: 1, totalPages: 1, number: 0 });
    expect((await (await packhouse.as(who)).get("/package-maintainers/candidates")).http).toBe(403);
  });
});
