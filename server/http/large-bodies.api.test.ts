import { isLong } from "@packhouse/fixtures/long-form";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";
import { smallSdist } from "../testing/small-packages.ts";

let it: TestPackhouse;
let mia: Client;
let noa: Client;
let miaId: number;
beforeAll(async () => {
  it = await startPackhouse();
  const person = await it.given.person("mia");
  miaId = person.id;
  // Access tokens cannot make further ones.
  mia = await it.bySession(person);
  noa = await it.as(await it.given.person("noa"));
  await it.given.repository("Python", { name: "south" });
});
afterAll(() => it.close());

describe.runIf(isLong)("many large patches at once", () => {
  const large = [
    { op: "add", path: "/q", value: Array.from({ length: 200_000 }, () => 0) },
    { op: "remove", path: "/q" },
  ];

  test("leave database connections to everyone else", async () => {
    const patches = Array.from({ length: 20 }, () => mia.patch(`/user-settings/${miaId}`, large));
    let ended = false;
    const all = Promise.all(patches).finally(() => {
      ended = true;
    });
    const others: number[] = [];
    while (!ended) {
      const answers = await Promise.all([noa.get("/users/me"), noa.get("/packages"), noa.get("/events")]);
      others.push(...answers.map(({ http }) => http));
    }
    expect(others.every((http) => http === 200)).toBe(true);
    for (const { http } of await all) expect([200, 422, 503]).toContain(http);
  });

  test("still work one by one", async () => {
    const spaces = " ".repeat(20_000);
    const answer = await mia.patch(`/user-settings/${miaId}`, [
      { op: "test", path: "/theme", value: "dark", note: spaces },
      replace("/theme", "light"),
    ]);
    expect([answer.http, answer.data.theme]).toEqual([200, "light"]);
  });
});

describe("a text that the database cannot store", () => {
  test.each(["half \ud800 of a pair", "with a \0 in it"])("%j is refused", async (name) => {
    expect((await mia.post("/access-tokens", { name })).http).toBe(400);
  });

  test("is not confused with one that merely mentions such characters", async () => {
    const { http, data } = await mia.post("/access-tokens", { name: "about \\u0000 and \\ud800" });
    expect([http, data.name]).toEqual([200, "about \\u0000 and \\ud800"]);
    const sdist = await smallSdist("escapes", "1.0", { Keywords: "say \\u0000", Summary: "\\u0000u0000 \\ud800" });
    const stored = await mia.upload("Python", sdist, { repository: "south" });
    expect(stored.http, JSON.stringify(stored.data)).toBe(201);
    const item = await mia.get(`/python/packages/${stored.data.packageBag.id}`);
    expect(item.data).toMatchObject({ keywords: "say \\u0000", summary: "\\u0000u0000 \\ud800" });
  });
});
