import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";

let it: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  it = await startPackhouse();
  admin = await it.as(it.admin);
});
afterAll(() => it.close());

describe("a number where a text is expected", () => {
  test("names a repository", async () => {
    const address = `${it.address}/repo/14`;
    const { http, data } = await admin.post("/python/repositories", {
      name: 14,
      publicationUri: address,
      serverAddress: address,
      requiresAuthentication: "false",
    });
    expect([http, data.name, data.requiresAuthentication]).toEqual([201, "14", false]);
    const renamed = await admin.patch(`/python/repositories/${data.id}`, [
      replace("/name", 15),
      replace("/published", "true"),
    ]);
    expect([renamed.http, renamed.data.name, renamed.data.published]).toEqual([200, "15", true]);
  });

  test("names an access token and a maintained package", async () => {
    const session = await it.bySession(it.admin);
    expect((await session.post("/access-tokens", { name: 14, lifetime: 2 })).data).toMatchObject({
      name: "14",
      lifetime: 2,
    });
    const person = await it.given.person("carer", "packagemaintainer");
    const repository = await it.given.repository("R");
    const references = { user: { id: String(person.id) }, repository: { id: String(repository.id) } };
    const { http, data } = await admin.post("/package-maintainers", { ...references, packageName: 7 });
    expect([http, data.packageName]).toEqual([201, "7"]);
    const renamed = await admin.patch(`/package-maintainers/${data.id}`, [replace("/packageName", 8)]);
    expect([renamed.http, renamed.data.packageName]).toEqual([200, "8"]);
  });

  test("is a password, too", async () => {
    const session = await it.bySession(await it.given.person("changes"));
    const change = { currentPassword: "password", newPassword: 7391046628 };
    expect((await session.post("/users/me/password", change)).http).toBe(200);
    const signIn = await it.anonymous.request("/login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ login: "changes", password: 7391046628 }),
    });
    expect(signIn.status).toBe(200);
  });

  test("is refused when it cannot be told exactly, and so are lists and records", async () => {
    const session = await it.bySession(it.admin);
    for (const name of [[], {}, 12345678901234567890n])
      expect(
        (
          await session.request("/api/v2/manager/access-tokens", {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: `{"name": ${typeof name === "bigint" ? name : JSON.stringify(name)}}`,
          })
        ).status,
      ).toBe(400);
  });
});

test("an empty text where a record is expected is none", async () => {
  const { http, data } = await admin.post("/package-maintainers", { user: "", repository: "", packageName: "" });
  expect([http, data]).toEqual([422, ["empty.package", "empty.user", "empty.repository"]]);
});
