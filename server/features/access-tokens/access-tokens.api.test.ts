import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { createAccessToken } from "./create-access-token.ts";

const now = new Date("2026-03-01T12:00:00Z");
let packhouse: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  packhouse = await startPackhouse({ clock: () => now });
  admin = await packhouse.as(packhouse.admin);
});
afterAll(() => packhouse.close());

const create = async (person: { id: number }, body: unknown) =>
  (await packhouse.bySession(person)).post("/access-tokens", body);
const links = (item: { links: { type?: string }[] }) => item.links.flatMap(({ type }) => type ?? []);

describe("creating an access token", () => {
  test("shows its value once, and the value authenticates", async () => {
    const person = await packhouse.given.person("maker");
    const { http, messageCode, data } = await create(person, { name: "ci runner", lifetime: "14.7" });
    expect({ http, messageCode }).toEqual({ http: 200, messageCode: "success.request.processed" });
    expect(data).toMatchObject({
      name: "ci runner",
      value: expect.stringMatching(/^pkh_[A-Za-z0-9]{32}$/),
      creationDate: "2026-03-01T12:00:00Z",
      expirationDate: "2026-03-15T12:00:00Z",
      active: true,
      deleted: false,
      expired: false,
      lifetime: 14,
      lastUsed: "",
      user: { login: "maker" },
    });
    const basic = `Basic ${Buffer.from(`maker:${data.value}`).toString("base64")}`;
    const answer = await packhouse.anonymous.request(`/api/v2/manager/access-tokens/${data.id}`, {
      headers: { authorization: basic },
    });
    expect(await answer.json()).toMatchObject({ data: { value: null, lastUsed: "2026-03-01T12:00:00Z" } });
    const { data: events } = await admin.get("/events?resourceType=accessToken&eventType=create&userName=MAKER");
    expect(events.content).toMatchObject([
      { resourceId: data.id, relatedResource: { name: "ci runner", value: null } },
    ]);
    const row = await packhouse.deps.db.selectFrom("access_tokens").selectAll().where("id", "=", data.id).execute();
    expect(JSON.stringify(row)).not.toContain(data.value);
  });

  test("takes the default lifetime when none is given", async () => {
    const person = await packhouse.given.person("default-lifetime");
    expect((await create(person, { name: "x", lifetime: null })).data.lifetime).toBe(30);
  });

  test("takes the default lifetime, whatever is requested, where users may not choose", async () => {
    await using strict = await startPackhouse({ settings: { "accessTokens.lifetimeConfigurable": false } });
    const person = await strict.given.person("no-choice");
    const { token } = await createAccessToken(strict.deps, person, { name: "x", lifetime: 365 });
    expect(token.expires_on.getTime() - token.created_on.getTime()).toBe(30 * 86_400_000);
  });

  test.each([
    [{ name: " ", lifetime: 0 }, ["token.name.must.be.not.blank", "token.number.of.days.must.be.greater.than.0"]],
    [{ name: "x", lifetime: "366" }, ["token.number.of.days.must.be.less.than.366"]],
    [
      { name: "x", lifetime: "" },
      ["token.number.of.days.must.be.greater.than.0", "token.number.of.days.must.be.less.than.366"],
    ],
    [{}, ["token.name.must.be.not.blank"]],
  ])("from %j is refused with %j", async (body, codes) => {
    expect(await create(packhouse.admin, body)).toMatchObject({ http: 422, data: codes });
  });

  test("refuses unknown properties", async () => {
    expect(await create(packhouse.admin, { name: "x", shoeSize: 43 })).toMatchObject({ messageCode: "bad.request" });
  });

  test("is refused to users authenticated by an access token", async () => {
    const client = await packhouse.as(await packhouse.given.person("by-token"));
    expect(await client.post("/access-tokens", { name: "another" })).toMatchObject({
      messageCode: "user.not.authorized",
    });
  });
});

describe("an access token", () => {
  async function givenToken(login: string, lifetime = 10) {
    const person = await packhouse.given.person(login);
    const { data } = await create(person, { name: `token of ${login}`, lifetime });
    return { person, id: data.id as number, path: `/access-tokens/${data.id}`, client: await packhouse.as(person) };
  }
  const eventsAbout = async (id: number, more = "") =>
    (await admin.get(`/events?resourceType=accessToken&sort=id,desc&size=500${more}`)).data.content.filter(
      (event: { resourceId: number }) => event.resourceId === id,
    );

  test("is renamed and deactivated, then frozen", async () => {
    const { id, path, client } = await givenToken("frozen");
    expect((await client.patch(path, [replace("/name", "new name")])).data.name).toBe("new name");
    const inactive = await client.patch(path, [replace("/active", "false")]);
    expect(inactive.data).toMatchObject({ active: false });
    expect(links(inactive.data)).toEqual(["DELETE"]);
    for (const patch of [replace("/active", true), replace("/name", "later")])
      expect(await client.patch(path, [patch])).toMatchObject({
        messageCode: "error.malformed.patch",
        data: "Inactive tokens cannot be changed.",
      });
    expect((await eventsAbout(id)).map((event: { changedProperties: unknown[] }) => event.changedProperties)).toEqual([
      [{ property: "active", valueBefore: "true", valueAfter: "false" }],
      [{ property: "name", valueBefore: "token of frozen", valueAfter: "new name" }],
      [],
    ]);
  });

  test("with a longer name than is allowed now can be deactivated, and keeps the name", async () => {
    const { id, path, client } = await givenToken("of-old");
    const name = "x".repeat(300);
    await packhouse.deps.db.updateTable("access_tokens").set({ name }).where("id", "=", id).execute();
    expect((await client.patch(path, [replace("/active", false)])).data).toMatchObject({ active: false, name });
  });

  test("keeps its dates, owner and value whatever a patch contains", async () => {
    const { path, client } = await givenToken("fixed-dates");
    const before = (await client.get(path)).data;
    const answer = await client.patch(path, [
      replace("/expirationDate", "2036-01-01T00:00:00Z"),
      replace("/user/id", packhouse.admin.id),
      replace("/value", "x"),
      replace("/lifetime", 365),
    ]);
    expect(answer.data).toEqual(before);
    expect((await client.patch(path, [replace("/nothing", 1)])).messageCode).toBe("error.malformed.patch");
  });

  test("is never soft-deleted", async () => {
    const { path, client } = await givenToken("soft");
    expect(await client.patch(path, [replace("/deleted", true)])).toMatchObject({
      messageCode: "error.validation",
      data: "access.tokens.cannot.be.soft.deleted",
    });
  });

  test("is removed for good; its events remain, for administrators on request", async () => {
    const { id, path, client } = await givenToken("removed");
    expect((await client.delete(path)).http).toBe(204);
    expect((await client.delete(path)).messageCode).toBe("error.access.token.not.found");
    expect(await eventsAbout(id)).toEqual([]);
    const purged = await eventsAbout(id, "&purged=true");
    expect(purged.map((event: { eventType: string }) => event.eventType)).toEqual(["delete", "create"]);
    expect(purged[0].relatedResource).toEqual({ id });
    expect((await client.get("/events?purged=true")).data.content).toEqual([]);
    expect((await client.get(`/events/${purged[0].id}`)).messageCode).toBe("event.notfound");
  });

  test("is for its owner and administrators, and links reflect it", async () => {
    const { path, client } = await givenToken("owner");
    const stranger = await packhouse.as(await packhouse.given.person("stranger", "repositorymaintainer"));
    for (const answer of [
      await stranger.get(path),
      await stranger.patch(path, [replace("/name", "x")]),
      await stranger.delete(path),
    ])
      expect(answer.messageCode).toBe("user.not.authorized");
    for (const who of [client, admin]) expect(links((await who.get(path)).data)).toEqual(["PATCH", "DELETE"]);
    expect((await admin.patch(path, [replace("/name", "by admin")])).data.name).toBe("by admin");
  });

  test("is listed for its owner only, filtered by name, activity, expiry and, for administrators, owner", async () => {
    const { client, id } = await givenToken("lister", 1);
    const idsOf = (answer: { data: { content: { id: number; name: string }[] } }) =>
      answer.data.content.filter(({ name }) => name !== "test").map((token) => token.id);
    expect(idsOf(await client.get("/access-tokens?size=500&userLogin=admin"))).toEqual([id]);
    expect(idsOf(await admin.get("/access-tokens?size=500&userLogin=lister"))).toEqual([id]);
    expect(idsOf(await admin.get("/access-tokens?search=OF%20LISTER&sort=user.login,desc"))).toEqual([id]);
    expect(idsOf(await client.get("/access-tokens?active=false"))).toEqual([]);
    expect(idsOf(await client.get("/access-tokens?expired=false"))).toEqual([id]);
    await packhouse.deps.db
      .updateTable("access_tokens")
      .set({ expires_on: new Date(now.getTime() - 1) })
      .where("id", "=", id)
      .execute();
    expect(idsOf(await client.get("/access-tokens?expired=true"))).toEqual([id]);
    expect((await client.get(`/access-tokens/${id}`)).data.expired).toBe(true);
  });
});
