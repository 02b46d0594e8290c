import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Actor } from "../http/actor.ts";
import { hashPassword } from "../identity/passwords/password.ts";
import { replace, startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";

const indexes = {
  "private-r": ["src/contrib/PACKAGES", "src/contrib/PACKAGES.gz", "src/contrib/PACKAGES.rds"],
  "private-python": ["simple/"],
} as const;
const everything = Object.entries(indexes).flatMap(([name, paths]) => paths.map((path) => `/repo/${name}/${path}`));
const files = ["/repo/private-r/src/contrib/none_1.0.tar.gz", "/repo/private-python/simple/none/"];

let now = new Date("2026-11-21T12:00:00Z");
let packhouse: TestPackhouse;
let owner: Actor;
let token: string;
let tokenId: number;

beforeAll(async () => {
  packhouse = await startPackhouse({ clock: () => now });
  for (const [name, technology] of [
    ["private-r", "R"],
    ["private-python", "Python"],
  ] as const)
    await packhouse.given.repository(technology, { name, requiresAuthentication: true, published: true });
  await packhouse.given.repository("R", { name: "public-r", requiresAuthentication: false, published: true });
  await packhouse.given.person("somebody-else");
});
afterAll(() => packhouse.close());

let count = 0;
beforeEach(async () => {
  count += 1;
  owner = await packhouse.given.person(`owner-${count}`);
  const session = await packhouse.bySession(owner);
  const { data } = await session.post("/access-tokens", { name: "client", lifetime: "30" });
  ({ value: token, id: tokenId } = data);
});

const basic = (login: string, password: string) => `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;
const ask = (path: string, authorization?: string, method = "GET") =>
  fetch(packhouse.address + path, { method, headers: authorization ? { authorization } : {} });

async function expectRefused(authorization?: string): Promise<void> {
  for (const path of [...everything, ...files]) {
    const answer = await ask(path, authorization);
    expect([path, answer.status]).toEqual([path, 401]);
    expect(answer.headers.get("www-authenticate")).toBe('Basic realm="Packhouse"');
    expect(answer.headers.get("cache-control")).toContain("private");
    expect(answer.headers.get("vary")).toContain("Authorization");
    // pip and R show it to the user.
    expect(await answer.text()).toBe("This repository requires a username and an access token\n");
    expect((await ask(path, authorization, "HEAD")).status).toBe(401);
  }
}
async function expectServed(authorization: string): Promise<void> {
  for (const path of everything) {
    const answer = await ask(path, authorization);
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.headers.get("cache-control")).toContain("private");
    expect(answer.headers.get("vary")).toContain("Authorization");
  }
  for (const path of files) expect((await ask(path, authorization)).status).toBe(404);
}

describe("a private repository", () => {
  test("is served to a token, with its owner's login, as __token__ and as bearer", async () => {
    await expectServed(basic(owner.login, token));
    await expectServed(basic("__token__", token));
    await expectServed(`Bearer ${token}`);
  });

  test("is not served to anonymous clients, nor to malformed tokens", async () => {
    await expectRefused();
    await expectRefused(basic(owner.login, "pkh_00000000000000000000000000000000"));
    await expectRefused(basic(owner.login, ""));
    await expectRefused("Basic not-base64-at-all");
    await expectRefused(`Digest ${token}`);
  });

  test("is not served to a token with another user's login", async () => {
    await expectRefused(basic("somebody-else", token));
    await expectRefused(basic(`${owner.login}x`, token));
    // Logins are case-insensitive.
    await expectServed(basic(owner.login.toUpperCase(), token));
  });

  test("is not served to passwords or sessions, which package clients should not have", async () => {
    await packhouse.deps.db
      .updateTable("users")
      .set({ password_hash: await hashPassword("password") })
      .where("id", "=", owner.id)
      .execute();
    await expectRefused(basic(owner.login, "password"));
    await expectRefused((await packhouse.bySession(owner)).authorization);
  });

  test("is not served to a token that was deactivated or has ended", async () => {
    const session = await packhouse.bySession(owner);
    const before = now;
    now = new Date(before.getTime() + 29 * 86_400_000);
    await expectServed(basic(owner.login, token));
    now = new Date(before.getTime() + 31 * 86_400_000);
    await expectRefused(basic(owner.login, token));
    now = before;
    await expectServed(basic(owner.login, token));
    expect((await session.patch(`/access-tokens/${tokenId}`, [replace("/active", false)])).http).toBe(200);
    await expectRefused(basic(owner.login, token));
  });

  test.each(["/active", "/deleted"])("is not served to a token whose owner is changed at %s", async (property) => {
    await expectServed(basic(owner.login, token));
    const admin = await packhouse.as(packhouse.admin);
    const answer = await admin.patch(`/users/${owner.id}`, [replace(property, property === "/deleted")]);
    expect(answer.http).toBe(200);
    await expectRefused(basic(owner.login, token));
  });
});

test("a public repository stays open, regardless of credentials", async () => {
  for (const authorization of [undefined, basic("nobody", "nothing"), "Bearer nonsense"])
    expect((await ask("/repo/public-r/src/contrib/PACKAGES", authorization)).status).toBe(200);
});
