import { apiPrefix } from "@packhouse/contract/operation";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";

const minute = 60_000;
const good = "orchard-7-lantern";
let now = new Date("2026-11-25T12:00:00Z");
let packhouse: TestPackhouse;

beforeAll(async () => {
  packhouse = await startPackhouse({ clock: () => now, settings: { trustedProxies: ["127.0.0.1"] } });
});
afterAll(() => packhouse.close());
beforeEach(() => {
  now = new Date(now.getTime() + 60 * minute);
});

let people = 0;
/** A new user whose password is `password`. */
function someone() {
  people += 1;
  return packhouse.given.person(`chooser-${people}`);
}
async function post(path: string, body: unknown, authorization?: string) {
  const answer = await fetch(packhouse.address + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...(authorization === undefined ? {} : { authorization }) },
    body: JSON.stringify(body),
  });
  const { messageCode, data } = (await answer.json()) as {
    messageCode: string | null;
    data: { token: string; continuation: string } | null;
  };
  return { http: answer.status, messageCode, data };
}
const signIn = ({ login }: { login: string }, password: string) => post("/login", { login, password });
const statusOf = async (authorization: string) =>
  (await packhouse.anonymous.request(`${apiPrefix}/users/me`, { headers: { authorization } })).status;
const statusOfToken = (token = "") => statusOf(`Bearer ${token}`);
const administrator = () => packhouse.bySession(packhouse.admin);
const change = (authorization: string, body: object) => post(`${apiPrefix}/users/me/password`, body, authorization);

describe("changing one's own password", () => {
  test("requires the current one, ends all other sessions and the access tokens, and keeps this session", async () => {
    const person = await someone();
    const [{ authorization }, other] = [await packhouse.bySession(person), await packhouse.bySession(person)];
    const byToken = await packhouse.as(person);
    const wrong = await change(authorization, { currentPassword: "wrong", newPassword: good });
    expect(wrong).toMatchObject({ http: 422, data: ["password.wrong"] });
    const changed = await change(authorization, { currentPassword: "password", newPassword: good });
    expect(changed.http).toBe(200);
    expect(await statusOfToken(changed.data?.token)).toBe(200);
    expect(await Promise.all([authorization, other.authorization, byToken.authorization].map(statusOf))).toEqual([
      401, 401, 401,
    ]);
    expect([(await signIn(person, "password")).http, (await signIn(person, good)).http]).toEqual([401, 200]);
  });

  test("keeps the access tokens for those who ask for it", async () => {
    const person = await someone();
    const [{ authorization }, byToken] = [await packhouse.bySession(person), await packhouse.as(person)];
    await change(authorization, { currentPassword: "password", newPassword: good, keepAccessTokens: true });
    expect(await statusOf(byToken.authorization)).toBe(200);
  });

  test("refuses common passwords, and says why", async () => {
    const person = await someone();
    const { authorization } = await packhouse.bySession(person);
    for (const [newPassword, code] of [
      ["short", "password.too.short"],
      ["1q2w3e4r5t", "password.too.common"],
      [`${person.login}!`, "password.is.login"],
      ["x".repeat(2000), "password.too.long"],
      ["password", "password.unchanged"],
    ])
      expect(await change(authorization, { currentPassword: "password", newPassword })).toMatchObject({
        http: 422,
        data: [code],
      });
    expect(await statusOf(authorization)).toBe(200);
  });

  test("limits guesses of the current one, also concurrent ones", async () => {
    const { authorization } = await packhouse.bySession(await someone());
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, n) => change(authorization, { currentPassword: `guess ${n}`, newPassword: good })),
    );
    expect(guesses.filter(({ http }) => http === 422).length).toBeLessThanOrEqual(10);
    expect(guesses.filter(({ http }) => http === 429).length).toBeGreaterThanOrEqual(30);
  });

  test("is not available to access tokens, nor to users of a provider", async () => {
    const person = await someone();
    const body = { currentPassword: "password", newPassword: good };
    expect((await change((await packhouse.as(person)).authorization, body)).http).toBe(403);
    const { authorization } = await packhouse.bySession(person);
    await packhouse.deps.db.updateTable("users").set({ password_hash: null }).where("id", "=", person.id).execute();
    expect(await change(authorization, body)).toMatchObject({ http: 422, data: ["password.not.used"] });
  });
});

describe("a temporary password", () => {
  test("can only be used to choose a new one", async () => {
    const person = await someone();
    const [session, token] = [await packhouse.bySession(person), await packhouse.as(person)];
    const { data } = await (await administrator()).post(`/users/${person.id}/temporary-password`, {});
    expect(await Promise.all([session.authorization, token.authorization].map(statusOf))).toEqual([401, 401]);
    const refused = await signIn(person, data.password);
    expect(refused).toMatchObject({ http: 401, messageCode: "password.change.required" });
    const continuation = refused.data?.continuation ?? "";
    expect(await statusOfToken(continuation)).toBe(401);
    expect(await post("/login/password", { token: continuation, password: "12345678" })).toMatchObject({
      http: 422,
      data: ["password.too.common"],
    });
    expect(await post("/login/password", { token: continuation, password: data.password })).toMatchObject({
      data: ["password.unchanged"],
    });
    const chosen = await post("/api/login/password", { token: continuation, password: good });
    expect(await statusOfToken(chosen.data?.token)).toBe(200);
    expect((await post("/login/password", { token: continuation, password: `${good} 2` })).http).toBe(401);
    expect([(await signIn(person, data.password)).http, (await signIn(person, good)).http]).toEqual([401, 200]);
  });

  test("must be followed by a choice within ten minutes of the sign-in", async () => {
    const person = await someone();
    const { data } = await (await administrator()).post(`/users/${person.id}/temporary-password`, {});
    const { continuation = "" } = (await signIn(person, data.password)).data ?? {};
    now = new Date(now.getTime() + 11 * minute);
    expect((await post("/login/password", { token: continuation, password: good })).http).toBe(401);
  });
});

describe("a one-time link", () => {
  const linkFor = async (person: { id: number }) => {
    const { http, data } = await (await administrator()).post(`/users/${person.id}/password-link`, {});
    expect(http).toBe(200);
    const { origin, pathname, hash, search } = new URL(data.link);
    expect([origin, pathname, search]).toEqual([packhouse.address, "/login", ""]);
    return hash.slice("#set-password=".length);
  };

  test("sets a password once, and leaves everything as it is until then", async () => {
    const person = await someone();
    const [session, byToken] = [await packhouse.bySession(person), await packhouse.as(person)];
    const token = await linkFor(person);
    expect(await statusOf(session.authorization)).toBe(200);
    const stored = await packhouse.deps.db.selectFrom("password_links").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token);
    const results = await Promise.all(
      Array.from({ length: 4 }, (_, n) => post("/login/password", { token, password: `${good} ${n}` })),
    );
    expect(results.map(({ http }) => http).sort()).toEqual([200, 401, 401, 401]);
    expect(await statusOfToken(results.find(({ http }) => http === 200)?.data?.token)).toBe(200);
    expect(await Promise.all([session.authorization, byToken.authorization].map(statusOf))).toEqual([401, 401]);
    expect((await post("/login/password", { token, password: good })).http).toBe(401);
  });

  test("is invalid after a day, after another link, after a new password, and for deactivated users", async () => {
    const person = await someone();
    const use = (token: string) => post("/login/password", { token, password: good });
    const [old, replaced] = [await linkFor(person), await linkFor(person)];
    expect((await use(old)).http).toBe(401);
    const admin = await administrator();
    await admin.patch(`/users/${person.id}`, [replace("/active", false)]);
    expect((await use(replaced)).http).toBe(401);
    await admin.patch(`/users/${person.id}`, [replace("/active", true)]);
    await admin.post(`/users/${person.id}/temporary-password`, {});
    expect((await use(replaced)).http).toBe(401);
    const last = await linkFor(person);
    now = new Date(now.getTime() + 24 * 60 * minute);
    expect((await use(last)).http).toBe(401);
    expect((await use("")).http).toBe(401);
  });

  test("and a temporary password require an administrator's session and a local user", async () => {
    const [person, other] = [await someone(), await someone()];
    for (const path of ["password-link", "temporary-password"]) {
      const statuses = [
        (await (await packhouse.bySession(other)).post(`/users/${person.id}/${path}`, {})).http,
        (await (await packhouse.as(packhouse.admin)).post(`/users/${person.id}/${path}`, {})).http,
        (await (await administrator()).post(`/users/${packhouse.admin.id}/${path}`, {})).http,
        (await (await administrator()).post(`/users/999999/${path}`, {})).http,
      ];
      expect(statuses).toEqual([403, 403, 403, 404]);
    }
    const { db } = packhouse.deps;
    await db.updateTable("users").set({ issuer: "https://id.example.org" }).where("id", "=", person.id).execute();
    const refused = await (await administrator()).post(`/users/${person.id}/password-link`, {});
    expect(refused.data).toEqual(["password.not.used"]);
  });
});
