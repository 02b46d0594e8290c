import { apiPrefix } from "@packhouse/contract/operation";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { resetPassword } from "../../features/users/operate-accounts.ts";
import { startPackhouse, type TestAnswer, type TestPackhouse } from "../../testing/packhouse.ts";
import { hashPassword } from "../passwords/password.ts";
import { rotateSessionSecret } from "../tokens/session-secret-store.ts";

const minute = 60_000;
let now = new Date("2026-11-25T12:00:00Z");
let packhouse: TestPackhouse;
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * minute);
};

beforeAll(async () => {
  packhouse = await startPackhouse({ clock: () => now, settings: { trustedProxies: ["127.0.0.1"] } });
});
afterAll(() => packhouse.close());
beforeEach(() => later(24 * 60));

let people = 0;
/** A new user whose password is `password`. */
function someone(role: "user" | "admin" = "user") {
  people += 1;
  return packhouse.given.person(`sessions-${people}`, role);
}

async function signIn({ login }: { login: string }, device = "curl/8.0", address = "192.0.2.1") {
  const answer = await fetch(`${packhouse.address}/login`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": device, "x-forwarded-for": address },
    body: JSON.stringify({ login, password: "password" }),
  });
  const { data } = (await answer.json()) as { data: { token: string } };
  return data.token;
}
async function call(token: string, method: string, path: string, address = "192.0.2.1") {
  const answer = await fetch(`${packhouse.address}${path.startsWith("/api") ? path : apiPrefix + path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "x-forwarded-for": address },
  });
  const text = await answer.text();
  const { data } = (text === "" ? {} : JSON.parse(text)) as TestAnswer;
  return { status: answer.status, data };
}
const statusOf = async (token: string) => (await call(token, "GET", "/users/me")).status;
const rowsOf = (person: { id: number }) =>
  packhouse.deps.db.selectFrom("sessions").selectAll().where("user_id", "=", person.id).orderBy("id").execute();

describe("a session", () => {
  test("ends on the server when its owner signs out, at either address", async () => {
    const person = await someone();
    for (const path of ["/logout", "/api/logout"]) {
      const token = await signIn(person);
      expect(await statusOf(token)).toBe(200);
      const answer = await fetch(packhouse.address + path, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.status).toBe(204);
      expect(await statusOf(token)).toBe(401);
    }
    const [mine, other] = [await signIn(person), await signIn(person)];
    expect((await call(mine, "POST", "/logout")).status).toBe(204);
    expect([await statusOf(mine), await statusOf(other)]).toEqual([401, 200]);
    expect((await call(mine, "POST", "/logout")).status).toBe(401);
    expect(await rowsOf(person)).toHaveLength(1);
  });

  test("ends when unused, and never outlasts the limit in the settings", async () => {
    const person = await someone();
    const [idle, used] = [await signIn(person), await signIn(person)];
    for (let minutes = 0; minutes < 450; minutes += 90) {
      later(90);
      expect(await statusOf(used)).toBe(200);
      if (minutes >= 90) expect(await statusOf(idle)).toBe(401);
    }
    later(29);
    expect(await statusOf(used)).toBe(200);
    later(1);
    expect(await statusOf(used)).toBe(401);
  });

  test("is written at most once a minute, and records its owner's current address", async () => {
    const person = await someone();
    const token = await signIn(person);
    packhouse.takeStatements();
    await call(token, "GET", "/users/me", "192.0.2.77");
    expect(packhouse.takeStatements().filter(({ sql }) => sql.startsWith("update"))).toEqual([]);
    later(1);
    await call(token, "GET", "/users/me", "192.0.2.77");
    await call(token, "GET", "/users/me", "192.0.2.77");
    expect(packhouse.takeStatements().filter(({ sql }) => sql.startsWith("update"))).toHaveLength(1);
    expect(await rowsOf(person)).toMatchObject([{ address: "192.0.2.77", last_used_on: now }]);
  });

  test("keeps a short note of the device only", async () => {
    const person = await someone();
    await signIn(person, "x".repeat(8000));
    expect((await rowsOf(person))[0]?.device).toHaveLength(200);
  });

  test("is removed at the next sign-in once it has ended, and no user has more than a hundred", async () => {
    const [one, many] = [await someone(), await someone()];
    await signIn(one);
    later(9 * 60);
    const tokens = [await signIn(many)];
    expect(await rowsOf(one)).toEqual([]);
    for (let count = 0; count < 100; count++) {
      const client = await packhouse.bySession(many);
      tokens.push(client.authorization.slice("Bearer ".length));
    }
    expect(await rowsOf(many)).toHaveLength(100);
    expect([await statusOf(tokens[0] ?? ""), await statusOf(tokens[1] ?? "")]).toEqual([401, 200]);
  });

  test("of a version without sessions, or of another person, is refused", async () => {
    const { SignJWT } = await import("jose");
    const [person, other] = [await someone(), await someone()];
    await signIn(person);
    const secret = await packhouse.deps.db
      .selectFrom("secrets")
      .select("value")
      .where("name", "=", "session")
      .executeTakeFirstOrThrow();
    const sign = (claims: Record<string, unknown>) =>
      new SignJWT({ uid: person.id, epoch: 0, ...claims })
        .setProtectedHeader({ alg: "HS512", typ: "JWT" })
        .setIssuer("packhouse")
        .setAudience("packhouse")
        .setExpirationTime(now.getTime() / 1000 + 3600)
        .sign(new TextEncoder().encode(secret.value));
    const [row] = await rowsOf(person);
    expect(await statusOf(await sign({ sid: row?.key }))).toBe(200);
    expect(await statusOf(await sign({}))).toBe(401);
    expect(await statusOf(await sign({ sid: row?.key, uid: other.id }))).toBe(401);
    expect(await statusOf(await sign({ sid: "00000000-0000-4000-8000-000000000000" }))).toBe(401);
    const continuation = await packhouse.deps.sessions.issueContinuation("new-password", {
      id: person.id,
      sessionEpoch: 0,
    });
    expect(await statusOf(continuation)).toBe(401);
  });

  test("survives a new key, and ends with all others when the key is replaced without being kept", async () => {
    const person = await someone();
    const token = await signIn(person);
    await rotateSessionSecret(packhouse.deps.db, packhouse.deps.clock, true);
    await expect.poll(() => statusOf(token)).toBe(200);
    await rotateSessionSecret(packhouse.deps.db, packhouse.deps.clock, false);
    await expect.poll(() => statusOf(token)).toBe(401);
    expect(await rowsOf(person)).toEqual([]);
  });
});

describe("the list of sessions", () => {
  test("shows the caller's own with device, address and times, latest first, and marks the current one", async () => {
    const [person, other] = [await someone(), await someone()];
    await signIn(other);
    const first = await signIn(person, "Firefox on Linux", "192.0.2.5");
    later(5);
    await signIn(person, "Safari on iPhone", "192.0.2.6");
    const { data } = await call(first, "GET", "/sessions", "192.0.2.5");
    expect(data.content).toMatchObject([
      { device: "Firefox on Linux", address: "192.0.2.5", current: true, user: { login: person.login } },
      { device: "Safari on iPhone", address: "192.0.2.6", current: false },
    ]);
    expect((await call(first, "GET", `/sessions?userLogin=${other.login}`)).data.content).toHaveLength(2);
  });

  test("shows administrators the sessions of other users, and lets them end these", async () => {
    const [person, admin] = [await someone(), await packhouse.as(packhouse.admin)];
    const tokens = [await signIn(person), await signIn(person), await signIn(person)];
    const { data } = await admin.get(`/sessions?userLogin=${person.login}&sort=id,asc`);
    expect(data.content).toHaveLength(3);
    expect((await admin.delete(`/sessions/${data.content[0].id}`)).http).toBe(204);
    expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 200, 200]);
    expect((await admin.delete(`/sessions/${data.content[0].id}`)).messageCode).toBe("session.notfound");
    expect((await admin.delete(`/users/${person.id}/sessions`)).http).toBe(204);
    expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 401, 401]);
    expect((await admin.delete("/users/999999/sessions")).messageCode).toBe("user.notfound");
  });

  test("lets users end all their other sessions at the same time, but no one else's", async () => {
    const [person, other] = [await someone(), await someone()];
    const [mine, another, strange] = [await signIn(person), await signIn(person), await signIn(other)];
    expect((await call(mine, "DELETE", `/users/${other.id}/sessions`)).status).toBe(403);
    const [row] = await rowsOf(other);
    expect((await call(mine, "DELETE", `/sessions/${row?.id}`)).status).toBe(403);
    expect((await call(mine, "DELETE", `/users/${person.id}/sessions`)).status).toBe(204);
    expect([await statusOf(mine), await statusOf(another), await statusOf(strange)]).toEqual([200, 401, 200]);
  });
});

describe("a new password", () => {
  const tokenStatus = async (authorization: string) =>
    (await packhouse.anonymous.request(`${apiPrefix}/users/me`, { headers: { authorization } })).status;

  test("ends sessions and access tokens, unless the tokens are to be kept", async () => {
    for (const [keepAccessTokens, expected] of [
      [undefined, 401],
      [true, 200],
    ] as const) {
      const person = await someone();
      const session = await signIn(person);
      const { authorization } = await packhouse.as(person);
      const options = keepAccessTokens === undefined ? {} : { keepAccessTokens };
      await resetPassword(packhouse.deps, person.login, await hashPassword("another one"), options);
      expect([await statusOf(session), await tokenStatus(authorization)]).toEqual([401, expected]);
    }
  });
});
