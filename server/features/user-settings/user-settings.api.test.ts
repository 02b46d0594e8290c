import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";

let packhouse: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  packhouse = await startPackhouse();
  admin = await packhouse.as(packhouse.admin);
});
afterAll(() => packhouse.close());

describe("user settings", () => {
  test("are the defaults with id 0 until something is saved", async () => {
    const person = await packhouse.given.person("undecided");
    const client = await packhouse.as(person);
    const api = `${packhouse.address}/api/v2/manager`;
    const self = `${api}/user-settings/${person.id}`;
    expect((await client.get(`/user-settings/${person.id}`)).data).toEqual({
      id: 0,
      language: "en-US",
      theme: "dark",
      pageSize: 10,
      mail: {
        reviews: "atOnce",
        otherReviews: "never",
        decisions: "atOnce",
        comments: "atOnce",
        tokens: "atOnce",
        mirrors: "atOnce",
      },
      user: { id: person.id, name: person.name, login: "undecided", email: person.email },
      links: [
        { rel: "self", href: self },
        { rel: "self", href: self, type: "PATCH" },
        { rel: "user", href: `${api}/users/${person.id}` },
      ],
    });
    expect((await admin.get(`/users/${person.id}`)).data.userSettings).toBeNull();
  });

  test("are saved by the first patch, from the defaults, and shown wherever the user is", async () => {
    const person = await packhouse.given.person("decided");
    const client = await packhouse.as(person);
    const answer = await client.patch(`/user-settings/${person.id}`, [replace("/language", "pl-PL")]);
    expect(answer.data).toMatchObject({ language: "pl-PL", theme: "dark", pageSize: 10 });
    expect(answer.data.id).toBeGreaterThan(0);
    const again = await client.patch(`/user-settings/${person.id}`, [replace("/pageSize", "25")]);
    expect(again.data).toMatchObject({ id: answer.data.id, language: "pl-PL", pageSize: 25 });
    const saved = { language: "pl-PL", theme: "dark", pageSize: 25 };
    expect((await client.get("/users/me")).data.userSettings).toEqual(saved);
    expect((await admin.get(`/users/${person.id}`)).data.userSettings).toEqual(saved);
    expect((await client.get("/events")).data.page.totalElements).toBe(0);
  });

  test("have a choice for each kind of mail, saved one by one", async () => {
    const person = await packhouse.given.person("chooser");
    const client = await packhouse.as(person);
    const path = `/user-settings/${person.id}`;
    await client.patch(path, [replace("/mail/reviews", "daily")]);
    const answer = await client.patch(path, [replace("/mail/tokens", "never"), replace("/theme", "light")]);
    const mail = {
      reviews: "daily",
      otherReviews: "never",
      decisions: "atOnce",
      comments: "atOnce",
      tokens: "never",
      mirrors: "atOnce",
    };
    expect(answer.data).toMatchObject({ theme: "light", mail });
    expect((await client.get(path)).data.mail).toEqual(mail);
    for (const wrong of [replace("/mail/reviews", "hourly"), { op: "add", path: "/mail/others", value: "never" }])
      expect((await client.patch(path, [wrong])).messageCode).toBe("error.malformed.patch");
    expect((await client.get("/users/me")).data.userSettings).not.toHaveProperty("mail");
    const { data } = await admin.get("/events?security=true&eventType=settingsChange&sort=id,desc");
    const changed = data.content[0].changedProperties;
    expect(changed).toContainEqual({ property: "mail.tokens", valueBefore: "atOnce", valueAfter: "never" });
  });

  test("of two windows that save at the same time are both kept", async () => {
    const person = await packhouse.given.person("two-windows");
    const client = await packhouse.as(person);
    const path = `/user-settings/${person.id}`;
    await Promise.all([
      client.patch(path, [replace("/theme", "light")]),
      client.patch(path, [replace("/pageSize", 50)]),
      client.patch(path, [replace("/language", "pl-PL")]),
    ]);
    expect((await client.get(path)).data).toMatchObject({ theme: "light", pageSize: 50, language: "pl-PL" });
  });

  test("that break rules are refused with every code", async () => {
    const person = await packhouse.given.person("wrong");
    const client = await packhouse.as(person);
    const path = `/user-settings/${person.id}`;
    const answer = await client.patch(path, [
      replace("/pageSize", 1001),
      replace("/language", "xx"),
      replace("/theme", "blue"),
    ]);
    expect(answer).toMatchObject({
      http: 422,
      messageCode: "error.validation",
      data: ["language.not.supported", "theme.not.supported", "page.size.bigger.than.max.limit"],
    });
    expect((await client.patch(path, [replace("/pageSize", "many")])).messageCode).toBe("error.malformed.patch");
    expect((await client.patch(path, [{ op: "add", path: "/font", value: "serif" }])).messageCode).toBe(
      "error.malformed.patch",
    );
    expect((await client.get(path)).data.id).toBe(0);
  });

  test("are for their owner and administrators", async () => {
    const [owner, other] = [
      await packhouse.given.person("owner"),
      await packhouse.given.person("other", "repositorymaintainer"),
    ];
    const stranger = await packhouse.as(other);
    const path = `/user-settings/${owner.id}`;
    expect((await stranger.get(path)).http).toBe(403);
    expect((await stranger.patch(path, [replace("/theme", "light")])).http).toBe(403);
    expect((await stranger.get("/user-settings/999999")).http).toBe(403);
    expect((await stranger.patch("/user-settings/999999", [])).messageCode).toBe("user.notfound");
    expect((await admin.patch(path, [replace("/theme", "light")])).data.theme).toBe("light");
    expect((await admin.get("/user-settings/999999")).messageCode).toBe("user.notfound");
  });
});
