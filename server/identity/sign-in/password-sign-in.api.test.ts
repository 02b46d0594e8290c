import { apiPrefix } from "@packhouse/contract/operation";
import { decodeJwt, jwtVerify, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { resetPassword } from "../../features/users/operate-accounts.ts";
import { replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { createPerson } from "../accounts/accounts-of-settings.ts";
import { completeLogins } from "../accounts/login-store.ts";
import { hashPassword } from "../passwords/password.ts";
import { rotateSessionSecret } from "../tokens/session-secret-store.ts";
import { sessionSecrets } from "../tokens/session-secrets.ts";

const secret = "a secret of the tests that is long enough";
const minute = 60_000;
let now = new Date("2026-11-21T12:00:00Z");
let packhouse: TestPackhouse;
let people = 0;
const never = () => Promise.reject(new Error("not called"));

beforeAll(async () => {
  packhouse = await startPackhouse({
    clock: () => now,
    settings: { "auth.session.secret": secret, "auth.session.idleMinutes": 0, trustedProxies: ["127.0.0.1"] },
  });
});
afterAll(() => packhouse.close());
beforeEach(async () => {
  now = new Date(now.getTime() + 60 * minute);
  await packhouse.deps.db.deleteFrom("sign_in_failures").execute();
});

/** A new user whose password is `right`. */
async function someone(): Promise<{ id: number; login: string }> {
  people += 1;
  const login = `person-${people}`;
  const { db, clock } = packhouse.deps;
  return {
    login,
    id: await createPerson(db, clock, {
      login,
      role: "user",
      passwordHash: await hashPassword("right"),
      origin: "operator",
    }),
  };
}
async function signIn(login: string, password: string, address = "192.0.2.1") {
  const answer = await fetch(`${packhouse.address}/login`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": address },
    body: JSON.stringify({ login, password }),
  });
  const body = (await answer.json()) as { messageCode: string | null; data: { token: string } | null };
  return { http: answer.status, retryAfter: answer.headers.get("retry-after"), ...body };
}
const tokenOf = async (login: string, password = "right") => (await signIn(login, password)).data?.token ?? "";
const statusOf = async (token: string) =>
  (await fetch(`${packhouse.address}${apiPrefix}/users/me`, { headers: { authorization: `Bearer ${token}` } })).status;

describe("a password", () => {
  test("signs in, and nothing else does, with the same answer to any failure", async () => {
    const { login } = await someone();
    const sleeping = await someone();
    const admin = await packhouse.as(packhouse.admin);
    await admin.patch(`/users/${sleeping.id}`, [replace("/active", false)]);
    expect(await statusOf(await tokenOf(login))).toBe(200);
    const refusals = [
      await signIn(login, "wrong"),
      await signIn("nobody-at-all", "right"),
      await signIn(sleeping.login, "right"),
      await signIn(`${login}x`, "right"),
    ];
    for (const refusal of refusals) expect(refusal).toEqual({ ...refusals[0], http: 401 });
    expect(refusals[0]?.messageCode).toBe("error.user.not.authenticated");
  });

  test("works with the login in any spelling, and accounts of older versions keep theirs", async () => {
    const { login } = await someone();
    for (const spelling of [login.toUpperCase(), ` ${login} `, login.replace("p", "ｐ")])
      expect((await signIn(spelling, "right")).http).toBe(200);
    // Two accounts of a version that distinguished them.
    const { db, clock } = packhouse.deps;
    const rows = await Promise.all(
      ["Twin", "twin"].map(async (name) => ({
        login: name,
        name,
        email: "",
        rank: 0,
        issuer: "local",
        subject: name,
        password_hash: await hashPassword(`password of ${name}`),
        created_on: clock(),
      })),
    );
    await db.insertInto("users").values(rows).execute();
    await completeLogins(db);
    expect((await signIn("Twin", "password of Twin")).http).toBe(200);
    expect((await signIn("twin", "password of twin")).http).toBe(200);
    expect((await signIn("TWIN", "password of Twin")).http).toBe(200);
    await expect(
      createPerson(db, clock, { login: "tWin", role: "user", passwordHash: "", origin: "operator" }),
    ).rejects.toThrow("taken");
  });

  test("that is changed by command ends the sessions before", async () => {
    const { login } = await someone();
    const token = await tokenOf(login);
    await resetPassword(packhouse.deps, login, await hashPassword("another"));
    expect(await statusOf(token)).toBe(401);
    expect((await signIn(login, "right")).http).toBe(401);
    expect(await statusOf(await tokenOf(login, "another"))).toBe(200);
    await expect(resetPassword(packhouse.deps, "nobody-at-all", "")).rejects.toThrow("There is no user");
  });

  test("cannot be guessed: ten failures block one name from one address, and nothing else", async () => {
    const [{ login }, other] = [await someone(), await someone()];
    for (let failure = 0; failure < 10; failure++) {
      now = new Date(now.getTime() + 31_000);
      expect((await signIn(login, "wrong")).http).toBe(401);
    }
    now = new Date(now.getTime() + 31_000);
    expect(await signIn(login, "right")).toMatchObject({
      http: 429,
      retryAfter: "900",
      messageCode: "too.many.requests",
    });
    expect((await signIn(other.login, "right")).http).toBe(200);
    // The user is not locked out elsewhere.
    expect((await signIn(login, "right", "192.0.2.2")).http).toBe(200);
    now = new Date(now.getTime() + 16 * minute);
    expect((await signIn(login, "right")).http).toBe(200);
  });

  test("cannot be guessed from many addresses: each further failure of a name delays it more", async () => {
    const { login } = await someone();
    for (let place = 1; place <= 6; place++) {
      now = new Date(now.getTime() + 3000);
      expect((await signIn(login, "wrong", `192.0.2.${place}`)).http).toBe(401);
    }
    const waits = await signIn(login, "right", "192.0.2.100");
    expect(waits).toMatchObject({ http: 429, retryAfter: "2" });
    now = new Date(now.getTime() + 3000);
    expect((await signIn(login, "right", "192.0.2.100")).http).toBe(200);
  });

  test("cannot be tried on many names from one address", async () => {
    const rows = Array.from({ length: 100 }, (_, index) => ({
      login: `guess-${index}`,
      address: "192.0.2.9",
      occurred_on: now,
    }));
    await packhouse.deps.db.insertInto("sign_in_failures").values(rows).execute();
    const { login } = await someone();
    expect((await signIn(login, "right", "192.0.2.9")).http).toBe(429);
    expect((await signIn(login, "right", "192.0.2.10")).http).toBe(200);
  });
});

describe("concurrent guesses", () => {
  const statuses = async (guesses: Promise<{ http: number }>[]) => {
    const counts = new Map<number, number>();
    for (const { http } of await Promise.all(guesses)) counts.set(http, (counts.get(http) ?? 0) + 1);
    return counts;
  };

  test("are limited: of 500, ten are checked, and many refused without the database", async () => {
    const { login } = await someone();
    packhouse.takeStatements();
    const counts = await statuses(Array.from({ length: 500 }, (_, n) => signIn(login, `guess ${n}`)));
    expect(counts.get(401)).toBeGreaterThan(0);
    expect(counts.get(401)).toBeLessThanOrEqual(10);
    expect((counts.get(401) ?? 0) + (counts.get(429) ?? 0) + (counts.get(503) ?? 0)).toBe(500);
    const countings = packhouse.takeStatements().filter(({ sql }) => /^select count.*sign_in_failures/.test(sql));
    expect(countings.length).toBeGreaterThanOrEqual(10);
    expect(countings.length).toBeLessThan(400);
    expect((await signIn(login, "right", "192.0.2.200")).http).toBe(429);
  }, 60_000);

  test("are limited also from many addresses and in many spellings of the name", async () => {
    const { login } = await someone();
    const everywhere = Array.from({ length: 60 }, (_, n) => signIn(login, `guess ${n}`, `198.51.100.${n}`));
    expect((await statuses(everywhere)).get(401)).toBeLessThanOrEqual(15);
    const another = await someone();
    const spellings = [another.login, another.login.toUpperCase(), ` ${another.login}`, `${another.login}\u3000`];
    const spelled = Array.from({ length: 60 }, (_, n) => signIn(spellings[n % 4] ?? "", `guess ${n}`, "198.51.100.99"));
    expect((await statuses(spelled)).get(401)).toBeLessThanOrEqual(10);
    const network = Array.from({ length: 60 }, (_, n) => signIn("nobody", `guess ${n}`, `2001:db8::${n + 1}`));
    expect((await statuses(network)).get(401)).toBeLessThanOrEqual(10);
  }, 60_000);

  test("do not lock out users who know their password", async () => {
    const { login } = await someone();
    const counts = await statuses(Array.from({ length: 8 }, () => signIn(login, "right", "198.51.100.7")));
    expect(counts.get(200)).toBe(8);
    const rows = packhouse.deps.db.selectFrom("sign_in_failures").selectAll().where("login", "=", login);
    expect(await rows.execute()).toEqual([]);
  });
});

describe("a login that is too long", () => {
  test("is refused and counted like any other", async () => {
    for (const login of ["x".repeat(3000), "é".repeat(10_000)])
      for (let attempt = 0; attempt < 11; attempt++) {
        now = new Date(now.getTime() + 31_000);
        expect((await signIn(login, "right", "203.0.113.9")).http).toBe(attempt < 10 ? 401 : 429);
      }
    now = new Date(now.getTime() + 20 * minute);
    expect((await signIn("somebody", "x".repeat(20_000), "203.0.113.9")).http).toBe(401);
    // Bodies larger than any sign-in are not even read.
    expect((await signIn("somebody", "x".repeat(500_000), "203.0.113.9")).http).toBe(413);
  });
});

describe("a session", () => {
  test("ends after its lifetime, and with the account", async () => {
    const { id, login } = await someone();
    const token = await tokenOf(login);
    now = new Date(now.getTime() + 479 * minute);
    expect(await statusOf(token)).toBe(200);
    now = new Date(now.getTime() + 2 * minute);
    expect(await statusOf(token)).toBe(401);

    const later = await tokenOf(login);
    const admin = await packhouse.as(packhouse.admin);
    await admin.patch(`/users/${id}`, [replace("/active", false)]);
    expect(await statusOf(later)).toBe(401);
    await admin.patch(`/users/${id}`, [replace("/active", true)]);
    expect(await statusOf(later)).toBe(401);
  });

  test("cannot be forged", async () => {
    const { id, login } = await someone();
    const real = await tokenOf(login);
    expect(await statusOf(real)).toBe(200);
    const seconds = Math.floor(now.getTime() / 1000);
    const claims = {
      uid: id,
      epoch: 0,
      sid: decodeJwt(real).sid,
      iss: "packhouse",
      aud: "packhouse",
      sub: login,
      iat: seconds,
      exp: seconds + 600,
    };
    const sign = (key: string, alg = "HS512", changed: object = {}) =>
      new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key));
    expect(await statusOf(await sign(secret))).toBe(200);
    expect(await statusOf(await sign("another secret that is just as long"))).toBe(401);
    expect(await statusOf(await sign(secret, "HS256"))).toBe(401);
    expect(await statusOf(await sign(secret, "HS512", { iss: "elsewhere" }))).toBe(401);
    expect(await statusOf(await sign(secret, "HS512", { aud: "elsewhere" }))).toBe(401);
    expect(await statusOf(await sign(secret, "HS512", { epoch: 7 }))).toBe(401);
    expect(await statusOf(await sign(secret, "HS512", { uid: "1" }))).toBe(401);
    expect(await statusOf(await sign(secret, "HS512", { sid: undefined }))).toBe(401);
    expect(await statusOf(await sign(secret, "HS512", { exp: undefined }))).toBe(401);
    expect(await statusOf(new UnsecuredJWT(claims).encode())).toBe(401);
  });
});

describe("the key of sessions", () => {
  let other: TestPackhouse;
  beforeAll(async () => {
    other = await startPackhouse({ clock: () => now });
  });
  afterAll(() => other.close());

  const newToken = async () => {
    const { db, clock } = other.deps;
    people += 1;
    const login = `person-${people}`;
    await createPerson(db, clock, {
      login,
      role: "user",
      passwordHash: await hashPassword("right"),
      origin: "operator",
    });
    const answer = await fetch(`${other.address}/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ login, password: "right" }),
    });
    return ((await answer.json()) as { data: { token: string } }).data.token;
  };
  const keyNamed = async (name: string) => {
    const row = await other.deps.db.selectFrom("secrets").select("value").where("name", "=", name).executeTakeFirst();
    return row?.value ?? "";
  };
  const taken = async (token: string) =>
    (await fetch(`${other.address}${apiPrefix}/users/me`, { headers: { authorization: `Bearer ${token}` } })).status;

  test("is rotated without signing anyone out, and the old one stays valid for one lifetime", async () => {
    const before = await newToken();
    await rotateSessionSecret(other.deps.db, other.deps.clock, true);
    const after = await vi.waitFor(
      async () => {
        const token = await newToken();
        await jwtVerify(token, new TextEncoder().encode(await keyNamed("session")), { currentDate: now });
        return token;
      },
      { timeout: 30_000 },
    );
    expect([await taken(before), await taken(after)]).toEqual([200, 200]);
    // Anyone who finds the old key could prolong a session that they know, but not for longer than this.
    now = new Date(now.getTime() + 481 * minute);
    const forged = await new SignJWT(decodeJwt(before))
      .setProtectedHeader({ alg: "HS512" })
      .setIssuer("packhouse")
      .setAudience("packhouse")
      .setExpirationTime(Math.floor(now.getTime() / 1000) + 3600)
      .sign(new TextEncoder().encode(await keyNamed("session-previous")));
    expect(await taken(forged)).toBe(401);
    now = new Date(now.getTime() - 481 * minute);
    expect(await taken(forged)).toBe(200);
  });

  test("ends all sessions when it is not kept", async () => {
    const token = await newToken();
    await rotateSessionSecret(other.deps.db, other.deps.clock, false);
    await vi.waitFor(async () => expect(await taken(token)).toBe(401), { timeout: 30_000 });
    expect(await taken(await newToken())).toBe(200);
  });

  test("of the settings has a predecessor that counts, too", async () => {
    const previous = "the secret before, which was long enough";
    const settings = { ...other.deps.settings, "auth.session.secret": secret, "auth.session.previousSecret": previous };
    const { db, clock } = other.deps;
    const secrets = await sessionSecrets(db, { listen: never, connected: false, close: never }, settings, clock);
    expect([await secrets.current(), ...(await secrets.accepted())]).toEqual([secret, secret, previous]);
  });
});
