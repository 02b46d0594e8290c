import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestAnswer, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage } from "../../testing/small-packages.ts";
import { expectStatements } from "../../testing/statement-count.ts";

let packhouse: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  packhouse = await startPackhouse();
  admin = await packhouse.bySession(packhouse.admin);
});
afterAll(() => packhouse.close());

let counter = 0;
const person = (role: "packagemaintainer" | "repositorymaintainer" = "repositorymaintainer") => {
  counter += 1;
  return packhouse.given.person(`${role}-${counter}`, role);
};
const appoint = (who: { id: number }, repository: { id: number }, client = admin) =>
  client.post("/repository-maintainers", { user: { id: who.id }, repository: { id: repository.id } });
const links = ({ data }: TestAnswer) => data.links.flatMap(({ type }: { type?: string }) => type ?? []);
const eventsAbout = async (id: number, more = "") =>
  (await admin.get(`/events?resourceType=repositoryMaintainer&sort=id,desc&size=500${more}`)).data.content.filter(
    (event: { resourceId: number }) => event.resourceId === id,
  );
async function givenPackage() {
  const repository = await packhouse.given.repository("R");
  const upload = await admin.upload("R", await smallRPackage("tidetable", "1.0"), { repository: repository.name });
  const responsible = async () => (await admin.get(`/packages/${upload.data.packageBag.id}`)).data.user.id;
  return { repository, responsible };
}

describe("appointing a repository maintainer", () => {
  test("makes the user responsible for its packages and writes one event", async () => {
    const { repository, responsible } = await givenPackage();
    const who = await person();
    const answer = await appoint(who, repository);
    expect(answer).toMatchObject({
      http: 201,
      messageCode: "success.resource.created",
      data: { user: { id: who.id }, repository: { id: repository.id }, deleted: false },
    });
    expect(links(answer)).toEqual(["PATCH", "DELETE"]);
    expect(await responsible()).toBe(who.id);
    expect(await eventsAbout(answer.data.id)).toMatchObject([
      { eventType: "create", technology: "R", changedProperties: [], relatedResource: { user: { id: who.id } } },
    ]);
  });

  test("lets the user manage the repository from then on", async () => {
    const { repository } = await givenPackage();
    const who = await person();
    const client = await packhouse.as(who);
    const path = `/r/repositories/${repository.id}`;
    expect((await client.patch(path, [replace("/published", false)])).http).toBe(403);
    await appoint(who, repository);
    expect((await client.patch(path, [replace("/published", false)])).http).toBe(200);
  });

  test("is refused twice, for too low a role, for missing and unknown values, without an event", async () => {
    const { repository } = await givenPackage();
    const who = await person();
    await appoint(who, repository);
    const before = (await admin.get("/events")).data.page.totalElements;
    expect((await appoint(who, repository)).data).toEqual(["repositorymaintainer.duplicate"]);
    expect((await appoint(await person("packagemaintainer"), repository)).data).toEqual([
      "This user's role is too low for this kind of maintainer.",
    ]);
    expect((await admin.post("/repository-maintainers", {})).data).toEqual(["empty.user", "empty.repository"]);
    expect((await appoint({ id: 999_999 }, repository)).http).toBe(422);
    expect((await appoint(who, { id: 999_999 })).http).toBe(422);
    expect((await appoint(who, repository, await packhouse.as(who))).http).toBe(403);
    expect((await admin.get("/events")).data.page.totalElements).toBe(before);
  });

  test("twice at the same moment creates one record", async () => {
    const { repository } = await givenPackage();
    const who = await person();
    const answers = await Promise.all([appoint(who, repository), appoint(who, repository), appoint(who, repository)]);
    expect(answers.map(({ http }) => http).sort()).toEqual([201, 422, 422]);
  });

  test("while the user loses the role leaves no record that the new role does not allow", async () => {
    const { repository } = await givenPackage();
    const who = await person();
    await Promise.all([appoint(who, repository), admin.patch(`/users/${who.id}`, [replace("/roleId", 1)])]);
    const records = await packhouse.deps.db
      .selectFrom("repository_maintainers")
      .select("id")
      .where("user_id", "=", who.id)
      .where("deleted", "=", false)
      .execute();
    expect(records).toEqual([]);
  });

  test("after a deletion restores the record", async () => {
    const { repository } = await givenPackage();
    const who = await person();
    const { id } = (await appoint(who, repository)).data;
    await admin.patch(`/repository-maintainers/${id}`, [replace("/deleted", true)]);
    expect((await appoint(who, repository)).data).toMatchObject({ id, deleted: false });
  });
});

describe("a repository maintainer", () => {
  test("is moved to another repository, and the record handed over to another user", async () => {
    const { repository, responsible } = await givenPackage();
    const { repository: target, responsible: targetResponsible } = await givenPackage();
    const [who, other] = [await person(), await person()];
    const { id } = (await appoint(who, repository)).data;
    const path = `/repository-maintainers/${id}`;
    expect((await admin.patch(path, [replace("/repository/id", target.id)])).data.repository.id).toBe(target.id);
    expect([await responsible(), await targetResponsible()]).toEqual([packhouse.admin.id, who.id]);
    expect((await admin.patch(path, [replace("/user/id", other.id)])).data.user.login).toBe(other.login);
    expect(await targetResponsible()).toBe(other.id);
    expect(
      (await eventsAbout(id)).map((event: { changedProperties: { property: string }[] }) => event.changedProperties),
    ).toMatchObject([
      [{ property: "user", valueAfter: expect.stringContaining(`login: "${other.login}"`) }],
      [{ property: "repository", valueAfter: expect.stringMatching(`^ID: ${target.id}, name: ${target.name}, `) }],
      [],
    ]);
  });

  test("is moved by a repository and a user of which only the ids are given", async () => {
    const [{ repository }, { repository: target }] = [await givenPackage(), await givenPackage()];
    const [who, other] = [await person(), await person()];
    const path = `/repository-maintainers/${(await appoint(who, repository)).data.id}`;
    const moved = await admin.patch(path, [
      replace("/repository", { id: target.id }),
      replace("/user", { id: other.id }),
    ]);
    expect(moved).toMatchObject({
      http: 200,
      data: { repository: { name: target.name }, user: { login: other.login } },
    });
    const unknown = await admin.patch(path, [replace("/user", { id: 999_999 })]);
    expect([unknown.http, unknown.data]).toEqual([422, ["A record that this one refers to does not exist."]]);
    const none = await admin.patch(path, [replace("/user", null), replace("/repository", null)]);
    expect([none.http, none.data]).toEqual([422, ["empty.user", "empty.repository"]]);
  });

  test("is not moved onto another live record of the same user", async () => {
    const [{ repository }, { repository: target }] = [await givenPackage(), await givenPackage()];
    const who = await person();
    const { id } = (await appoint(who, repository)).data;
    await appoint(who, target);
    const answer = await admin.patch(`/repository-maintainers/${id}`, [replace("/repository/id", target.id)]);
    expect(answer.data).toEqual(["repositorymaintainer.duplicate"]);
  });

  test("is deleted, restored and purged", async () => {
    const { repository, responsible } = await givenPackage();
    const who = await person();
    const { id } = (await appoint(who, repository)).data;
    const path = `/repository-maintainers/${id}`;
    expect((await admin.delete(path)).messageCode).toBe("error.repositorymaintainer.notfound");
    await admin.patch(path, [replace("/deleted", true)]);
    expect(await responsible()).toBe(packhouse.admin.id);
    expect((await admin.patch(path, [replace("/user/id", who.id)])).messageCode).toBe(
      "editing.deleted.resource.not.possible",
    );
    expect((await admin.patch(path, [replace("/deleted", false)])).data.deleted).toBe(false);
    expect(await responsible()).toBe(who.id);
    await admin.patch(path, [replace("/deleted", true)]);
    expect((await admin.delete(path)).http).toBe(204);
    expect((await admin.get(path)).messageCode).toBe("error.repositorymaintainer.notfound");
    expect(await eventsAbout(id)).toEqual([]);
    expect((await eventsAbout(id, "&purged=true"))[0]).toMatchObject({ eventType: "delete", relatedResource: { id } });
  });

  test("of a deleted repository cannot be restored, and has no link to do so", async () => {
    const { repository } = await givenPackage();
    const path = `/repository-maintainers/${(await appoint(await person(), repository)).data.id}`;
    await admin.patch(`/r/repositories/${repository.id}`, [replace("/deleted", true)]);
    expect(links(await admin.get(path))).toEqual(["DELETE"]);
    expect((await admin.patch(path, [replace("/deleted", false)])).http).toBe(422);
  });
});

describe("the list of repository maintainers", () => {
  test("is for administrators, filtered by deletion, technology and a search", async () => {
    const repository = await packhouse.given.repository("Python", { name: "Searched-Repository" });
    const { id } = (await appoint(await person(), repository)).data;
    const ids = async (query: string) =>
      (await admin.get(`/repository-maintainers?${query}`)).data.content.map((it: { id: number }) => it.id);
    expect(await ids("search=searched-REPO&resourceTechnology=python&deleted=false")).toEqual([id]);
    expect(await ids("search=searched-REPO&resourceTechnology=R")).toEqual([]);
    expect(await ids("search=searched-REPO&deleted=true")).toEqual([]);
    expect((await (await packhouse.as(await person())).get("/repository-maintainers")).http).toBe(403);
    await expectStatements(packhouse, () => admin.get("/repository-maintainers?size=1&page=1"), 5);
  });
});
