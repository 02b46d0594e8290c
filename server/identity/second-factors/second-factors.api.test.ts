import type { RoleName } from "@packhouse/contract/roles";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { resetPassword } from "../../features/users/operate-accounts.ts";
import { type Client, replace, startPackhouse, type TestAnswer, type TestPackhouse } from "../../testing/packhouse.ts";
import { codeOfApp } from "../../testing/second-factors/authenticator-app.ts";
import { softwarePasskey } from "../../testing/second-factors/software-passkey.ts";
import { createPerson } from "../accounts/accounts-of-settings.ts";
import { hashPassword } from "../passwords/password.ts";

const site = "https://packages.example.org";
const minute = 60_000;
const day = 86_400_000;
let now = new Date("2026-11-25T12:00:00Z");
let it: TestPackhouse;
let count = 0;

beforeAll(async () => {
  it = await startPackhouse({
    clock: () => now,
    settings: {
      publicUrl: site,
      trustedProxies: ["127.0.0.1"],
      "auth.secondFactor.requiredFor": ["repositorymaintainer"],
    },
  });
});
afterAll(() => it.close());
beforeEach(async () => {
  later(day);
  await it.deps.db.deleteFrom("sign_in_failures").execute();
});
function later(ms: number): void {
  now = new Date(now.getTime() + ms);
}

interface Someone {
  id: number;
  login: string;
  client: Client;
}

/** A new user whose password is `right`, signed in. */
async function someone(role: RoleName = "user"): Promise<Someone> {
  count += 1;
  const login = `person-${count}`;
  const id = await createPerson(it.deps.db, it.deps.clock, {
    login,
    role,
    passwordHash: await hashPassword("right"),
    origin: "operator",
  });
  return { id, login, client: await it.bySession({ id }) };
}

/** A sign-in call from its own address. */
const post = (path: string, body: unknown, address = "192.0.2.1"): Promise<TestAnswer> =>
  it.anonymous.post(`/api/login${path}`, body, { "x-forwarded-for": address });
const password = ({ login }: { login: string }, address?: string) => post("", { login, password: "right" }, address);
const secondStep = (body: object, address?: string) => post("/second-factor", body, address);

/** Adds an authenticator app and gives its secret with the recovery codes. */
async function withApp(person: Someone): Promise<{ secret: string; recoveryCodes: string[]; id: number }> {
  const started = await person.client.post("/second-factors/enrollment", { method: "totp", password: "right" });
  const { continuation, totp } = started.data;
  const code = codeOfApp(totp.secret, now);
  const added = await person.client.post("/second-factors", { continuation, name: "Phone", code });
  expect(added.http).toBe(201);
  later(minute);
  return { secret: totp.secret, recoveryCodes: added.data.recoveryCodes, id: added.data.factor.id };
}

/** Adds a passkey of the site. */
async function withPasskey(person: Someone) {
  const passkey = softwarePasskey(site);
  const started = await person.client.post("/second-factors/enrollment", { method: "passkey", password: "right" });
  const { continuation, passkey: options } = started.data;
  const added = await person.client.post("/second-factors", {
    continuation,
    name: "Key",
    attestation: passkey.create(options.challenge),
  });
  expect(added.http).toBe(201);
  return { passkey, id: added.data.factor.id as number };
}

const statusOf = async (token: string) =>
  (await it.anonymous.request("/api/v2/manager/users/me", { headers: { authorization: `Bearer ${token}` } })).status;

describe("a sign-in with an authenticator app", () => {
  test("takes the password and a current code", async () => {
    const person = await someone();
    expect(await statusOf((await password(person)).data.token)).toBe(200);
    const { secret } = await withApp(person);

    const first = await password(person);
    expect(first).toMatchObject({
      http: 401,
      messageCode: "second.factor.required",
      data: { methods: ["totp", "recoveryCode"], passkey: null },
    });
    const { continuation } = first.data;
    expect(await secondStep({ continuation, code: "000000" })).toMatchObject({
      http: 401,
      messageCode: "second.factor.refused",
      data: null,
    });
    const done = await secondStep({ continuation, code: codeOfApp(secret, now) });
    expect(done).toMatchObject({ http: 200, messageCode: null });
    expect(await statusOf(done.data.token)).toBe(200);
  });

  test("is served at both addresses, and other users are not asked for a code", async () => {
    const [person, other] = [await someone(), await someone()];
    const { secret } = await withApp(person);
    const headers = { "content-type": "application/json" };
    const plain = async (path: string, body: object) =>
      (
        await fetch(it.address + path, { method: "POST", headers, body: JSON.stringify(body) })
      ).json() as Promise<TestAnswer>;
    const { data } = await plain("/login", { login: person.login, password: "right" });
    const done = await plain("/login/second-factor", {
      continuation: data.continuation,
      code: codeOfApp(secret, now),
    });
    expect(done.data.token).toMatch(/^ey/);
    expect((await password(other)).http).toBe(200);
  });

  test("takes each code once, also the one that added the app", async () => {
    const person = await someone();
    const started = await person.client.post("/second-factors/enrollment", { method: "totp", password: "right" });
    const { continuation, totp } = started.data;
    const code = codeOfApp(totp.secret, now);
    await person.client.post("/second-factors", { continuation, name: "Phone", code });
    const again = (await password(person)).data.continuation;
    expect(await secondStep({ continuation: again, code })).toMatchObject({ messageCode: "second.factor.refused" });

    later(minute);
    const next = codeOfApp(totp.secret, now);
    expect((await secondStep({ continuation: again, code: next })).http).toBe(200);
    const third = (await password(person)).data.continuation;
    expect((await secondStep({ continuation: third, code: next })).messageCode).toBe("second.factor.refused");
    // An earlier step than the last one counts as used, too.
    const early = codeOfApp(totp.secret, new Date(now.getTime() - 30_000));
    expect((await secondStep({ continuation: third, code: early })).messageCode).toBe("second.factor.refused");
  });

  test("accepts only one of many concurrent uses of a code", async () => {
    const person = await someone();
    const { secret } = await withApp(person);
    const continuations = await Promise.all(
      Array.from({ length: 4 }, async () => (await password(person)).data.continuation as string),
    );
    const code = codeOfApp(secret, now);
    const answers = await Promise.all(
      [...continuations, ...continuations].map((continuation) => secondStep({ continuation, code })),
    );
    expect(answers.filter(({ http }) => http === 200)).toHaveLength(1);
  });

  test("counts concurrent guesses one by one", async () => {
    const person = await someone();
    const { secret } = await withApp(person);
    const { continuation } = (await password(person)).data;
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, index) => secondStep({ continuation, code: String(100_000 + index) })),
    );
    const checked = guesses.filter(({ messageCode }) => messageCode === "second.factor.refused");
    // Five immediately, then each one waits.
    expect(checked).toHaveLength(5);
    const refused = guesses.find(({ http }) => http === 429);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);

    // A new sign-in by password does not reset the count.
    const next = (await password(person)).data.continuation;
    expect(await secondStep({ continuation: next, code: codeOfApp(secret, now) })).toMatchObject({
      http: 429,
      messageCode: "too.many.requests",
    });
    later(2 * minute);
    expect((await secondStep({ continuation: next, code: codeOfApp(secret, now) })).http).toBe(200);
  });

  test("blocks an address after ten wrong codes, and delays all others by at most five minutes", async () => {
    const person = await someone();
    const { secret } = await withApp(person);
    for (let guess = 0; guess < 10; guess++) {
      const { continuation } = (await password(person)).data;
      expect((await secondStep({ continuation, code: "000000" })).messageCode).toBe("second.factor.refused");
      later(40_000);
    }
    const { continuation } = (await password(person)).data;
    const code = codeOfApp(secret, now);
    const closed = await secondStep({ continuation, code });
    expect(closed).toMatchObject({ http: 429 });
    expect(Number(closed.headers.get("retry-after"))).toBeGreaterThan(5 * 60);
    expect((await secondStep({ continuation, code }, "192.0.2.77")).http).toBe(200);
  });

  test("waits five minutes for its second step, and ends with ten attempts", async () => {
    const person = await someone();
    const { secret } = await withApp(person);
    const stale = (await password(person)).data.continuation;
    later(5 * minute);
    expect(await secondStep({ continuation: stale, code: codeOfApp(secret, now) })).toMatchObject({
      http: 401,
      messageCode: "second.factor.expired",
    });
    const worn = (await password(person)).data.continuation;
    for (let attempt = 0; attempt < 10; attempt++) await secondStep({ continuation: worn, code: "000000" });
    later(4 * minute);
    expect((await secondStep({ continuation: worn, code: codeOfApp(secret, now) })).messageCode).toBe(
      "second.factor.expired",
    );
    expect((await secondStep({ continuation: "made up", code: "000000" })).messageCode).toBe("second.factor.expired");
  });

  test("keeps a bounded number of open sign-ins of a user", async () => {
    const person = await someone();
    const { secret } = await withApp(person);
    const first = (await password(person)).data.continuation;
    for (let index = 0; index < 10; index++) {
      later(10);
      await password(person);
    }
    const { db } = it.deps;
    const rows = await db
      .selectFrom("second_factor_continuations")
      .selectAll()
      .where("user_id", "=", person.id)
      .execute();
    expect(rows).toHaveLength(10);
    expect((await secondStep({ continuation: first, code: codeOfApp(secret, now) })).messageCode).toBe(
      "second.factor.expired",
    );
  });

  test.for(["deactivated", "deleted", "expired", "given another password"])(
    "does not sign in a user who has since been %s",
    async (fate) => {
      const person = await someone();
      const { secret } = await withApp(person);
      const { continuation } = (await password(person)).data;
      const admin = await it.as(it.admin);
      if (fate === "deactivated") await admin.patch(`/users/${person.id}`, [replace("/active", false)]);
      if (fate === "deleted") await admin.patch(`/users/${person.id}`, [replace("/deleted", true)]);
      if (fate === "expired")
        await it.deps.db.updateTable("users").set({ expires_on: now }).where("id", "=", person.id).execute();
      if (fate === "given another password") await resetPassword(it.deps, person.login, await hashPassword("other"));
      expect(await secondStep({ continuation, code: codeOfApp(secret, now) })).toMatchObject({
        http: 401,
        messageCode: "error.user.not.authenticated",
        data: null,
      });
    },
  );

  test("shows nothing to those who do not know the password", async () => {
    const person = await someone();
    await withApp(person);
    const answer = await post("", { login: person.login, password: "wrong" });
    expect(answer).toMatchObject({ http: 401, messageCode: "error.user.not.authenticated", data: null });
  });

  test("does not concern access tokens", async () => {
    const person = await someone();
    await withApp(person);
    expect((await (await it.as(person)).get("/users/me")).http).toBe(200);
    // Not even if a factor is required and missing.
    expect((await (await it.as(await someone("repositorymaintainer"))).get("/users/me")).http).toBe(200);
  });

  test("refuses bodies of another shape", async () => {
    const bodies = [
      {},
      { continuation: "x" },
      { continuation: "x", code: "1", recoveryCode: "2" },
      { continuation: ["x"], code: "1" },
      { continuation: "x", code: "1".repeat(5000) },
      { continuation: "x", assertion: {} },
      [],
    ];
    for (const body of bodies) expect((await secondStep(body)).http, JSON.stringify(body)).toBe(400);
  });
});

describe("a recovery code", () => {
  test("signs in once, and its use is recorded", async () => {
    const person = await someone();
    const { recoveryCodes } = await withApp(person);
    expect(new Set(recoveryCodes).size).toBe(10);
    const [code = ""] = recoveryCodes;
    const { continuation } = (await password(person)).data;
    expect((await secondStep({ continuation, recoveryCode: code.toLowerCase().replaceAll("-", " ") })).http).toBe(200);
    const again = (await password(person)).data.continuation;
    expect((await secondStep({ continuation: again, recoveryCode: code })).messageCode).toBe("second.factor.refused");
    expect((await person.client.get("/second-factors")).data.recoveryCodes).toBe(9);
    const { db } = it.deps;
    const events = await db
      .selectFrom("security_events")
      .select(["event_type", "detail"])
      .where("account_id", "=", person.id)
      .orderBy("id")
      .execute();
    expect(events.map(({ event_type, detail }) => `${event_type} ${detail}`)).toEqual([
      "accountCreate operator",
      "secondFactorChange added",
      "signIn secondFactor",
      "signInFailed secondFactor",
    ]);
  });

  test("of another user is refused, and so is one that was replaced", async () => {
    const [person, other] = [await someone(), await someone()];
    const { recoveryCodes } = await withApp(person);
    const theirs = await withApp(other);
    const { continuation } = (await password(person)).data;
    expect((await secondStep({ continuation, recoveryCode: theirs.recoveryCodes[0] })).http).toBe(401);
    const made = await person.client.post("/second-factors/recovery-codes", { password: "right" });
    expect((await secondStep({ continuation, recoveryCode: recoveryCodes[0] })).http).toBe(401);
    expect((await secondStep({ continuation, recoveryCode: made.data.recoveryCodes[3] })).http).toBe(200);
  });

  test("is used by only one of many concurrent sign-ins", async () => {
    const person = await someone();
    const { recoveryCodes } = await withApp(person);
    const continuations = await Promise.all(
      Array.from({ length: 5 }, async () => (await password(person)).data.continuation as string),
    );
    const answers = await Promise.all(
      continuations.map((continuation) => secondStep({ continuation, recoveryCode: recoveryCodes[0] })),
    );
    expect(answers.filter(({ http }) => http === 200)).toHaveLength(1);
  });
});

describe("a sign-in with a passkey", () => {
  /** Opens the second step; `sign` answers its challenge. */
  async function opened(person: Someone) {
    const { continuation, methods, passkey: options } = (await password(person)).data;
    return { continuation: continuation as string, methods, options };
  }

  test("takes the signature of the challenge", async () => {
    const person = await someone();
    const { passkey } = await withPasskey(person);
    const { continuation, methods, options } = await opened(person);
    expect(methods).toEqual(["passkey", "recoveryCode"]);
    expect(options).toMatchObject({
      rpId: "packages.example.org",
      allowCredentials: [{ id: passkey.id, type: "public-key", transports: ["usb"] }],
    });
    const assertion = passkey.sign(options.challenge);
    const done = await secondStep({ continuation, assertion });
    expect(done.http).toBe(200);
    expect(await statusOf(done.data.token)).toBe(200);

    // Neither the sign-in nor the signature can be used again.
    expect((await secondStep({ continuation, assertion })).messageCode).toBe("second.factor.expired");
    const next = await opened(person);
    expect((await secondStep({ continuation: next.continuation, assertion })).messageCode).toBe(
      "second.factor.refused",
    );
  });

  test.for([
    ["of another origin", { origin: "https://packages.example.org.evil.example" }],
    ["of a page without HTTPS", { origin: "http://packages.example.org" }],
    ["of another port", { origin: `${site}:8443` }],
    ["for another relying party", { rpId: "example.org" }],
    ["of a registration", { type: "webauthn.create" }],
    ["without anyone being present", { flags: 0 }],
    ["with a count that went back", { count: 1 }],
    ["with the count of before", { count: 2 }],
    ["with a count of zero", { count: 0 }],
  ] as const)("refuses a signature %s", async ([, forgery]) => {
    const person = await someone();
    const { passkey } = await withPasskey(person);
    const first = await opened(person);
    expect(
      (await secondStep({ continuation: first.continuation, assertion: passkey.sign(first.options.challenge) })).http,
    ).toBe(200);
    const { continuation, options } = await opened(person);
    const forged = await secondStep({ continuation, assertion: passkey.sign(options.challenge, forgery) });
    expect(forged).toMatchObject({ http: 401, messageCode: "second.factor.refused" });
    const honest = await secondStep({ continuation, assertion: passkey.sign(options.challenge, { count: 9 }) });
    expect(honest.http).toBe(200);
  });

  test("refuses the passkey of another user, another key under the same id, and the challenge of another sign-in", async () => {
    const [person, other] = [await someone(), await someone()];
    const { passkey } = await withPasskey(person);
    const theirs = await withPasskey(other);
    const { continuation, options } = await opened(person);
    const otherStep = await opened(other);
    const tries = [
      theirs.passkey.sign(options.challenge),
      { ...theirs.passkey.sign(options.challenge), id: passkey.id, rawId: passkey.id },
      passkey.sign(otherStep.options.challenge),
      passkey.sign("bWFkZSB1cA"),
    ];
    for (const assertion of tries)
      expect((await secondStep({ continuation, assertion })).messageCode).toBe("second.factor.refused");
    expect((await secondStep({ continuation, assertion: passkey.sign(options.challenge) })).http).toBe(200);
  });

  test("never waits for others who guess codes", async () => {
    const person = await someone();
    await withApp(person);
    const { passkey } = await withPasskey(person);
    const guessed = (await password(person)).data.continuation;
    for (let guess = 0; guess < 7; guess++) await secondStep({ continuation: guessed, code: "000000" });
    const { continuation, options } = await opened(person);
    expect((await secondStep({ continuation, code: "000000" })).http).toBe(429);
    expect((await secondStep({ continuation, assertion: passkey.sign(options.challenge) })).http).toBe(200);
  });
});

describe("adding a second factor", () => {
  const start = (person: Someone, method: string, given = "right") =>
    person.client.post("/second-factors/enrollment", { method, password: given });

  test("requires the password again, and wrong ones count", async () => {
    const person = await someone();
    const wrong = await start(person, "totp", "wrong");
    expect(wrong).toMatchObject({ http: 422, data: ["password.wrong"] });
    for (let guess = 0; guess < 9; guess++) await start(person, "totp", "wrong");
    expect((await start(person, "totp")).http).toBe(429);
  });

  test("requires its first use, and nothing is added before", async () => {
    const person = await someone();
    const { continuation, totp } = (await start(person, "totp")).data;
    expect((await password(person)).http).toBe(200);
    const wrong = await person.client.post("/second-factors", { continuation, name: "Phone", code: "000000" });
    expect(wrong).toMatchObject({ http: 422, data: ["second.factor.not.accepted"] });
    const right = { continuation, name: "Phone", code: codeOfApp(totp.secret, now) };
    expect((await person.client.post("/second-factors", right)).http).toBe(201);
    expect((await person.client.post("/second-factors", right)).http).toBe(422);
    expect((await password(person)).messageCode).toBe("second.factor.required");
  });

  test("is not possible for another user, nor with the token of a sign-in", async () => {
    const [person, other] = [await someone(), await someone()];
    const { secret } = await withApp(other);
    const { continuation, totp } = (await start(person, "totp")).data;
    const code = codeOfApp(totp.secret, now);
    expect((await other.client.post("/second-factors", { continuation, name: "x", code })).http).toBe(422);
    const step = (await password(other)).data.continuation;
    const foreign = { continuation: step, name: "x", code: codeOfApp(secret, now) };
    expect((await other.client.post("/second-factors", foreign)).http).toBe(422);
    expect((await secondStep({ continuation, code })).messageCode).toBe("second.factor.expired");
    expect((await post("/second-factor/enrollment", { continuation: step, method: "totp" })).http).toBe(401);
  });

  test("never shows a secret again", async () => {
    const person = await someone();
    const { secret, recoveryCodes } = await withApp(person);
    const shown = JSON.stringify((await person.client.get("/second-factors")).data);
    for (const hidden of [secret, ...recoveryCodes]) expect(shown).not.toContain(hidden);
    const { db } = it.deps;
    const rows = await db.selectFrom("recovery_codes").selectAll().where("user_id", "=", person.id).execute();
    for (const code of recoveryCodes) expect(JSON.stringify(rows)).not.toContain(code.replaceAll("-", ""));
  });

  test.for([
    ["of another origin", { origin: "https://evil.example" }],
    ["for another relying party", { rpId: "evil.example" }],
    ["that is a signature", { type: "webauthn.get" }],
    ["without anyone being present", { flags: 0x40 }],
    ["with an attestation", { format: "android-key" }],
  ] as const)("refuses a passkey %s", async ([, forgery]) => {
    const person = await someone();
    const { continuation, passkey: options } = (await start(person, "passkey")).data;
    const attestation = softwarePasskey(site).create(options.challenge, forgery);
    const answer = await person.client.post("/second-factors", { continuation, name: "Key", attestation });
    expect(answer).toMatchObject({ http: 422, data: ["second.factor.not.accepted"] });
  });

  test("refuses bytes that are no passkey, and goes on", async () => {
    const person = await someone();
    const { continuation, passkey: options } = (await start(person, "passkey")).data;
    const passkey = softwarePasskey(site);
    const good = passkey.create(options.challenge);
    for (const bytes of [Buffer.alloc(1), Buffer.alloc(9000, 0x81), Buffer.from("ffff", "hex")]) {
      const response = { ...good.response, attestationObject: bytes.toString("base64url") };
      const answer = await person.client.post("/second-factors", {
        continuation,
        name: "Key",
        attestation: { ...good, response },
      });
      expect(answer.http).toBe(422);
    }
    expect((await person.client.post("/second-factors", { continuation, name: "Key", attestation: good })).http).toBe(
      201,
    );
  });

  test("does not accept a passkey that any user already has", async () => {
    const [person, other] = [await someone(), await someone()];
    const { passkey } = await withPasskey(person);
    for (const it of [person, other]) {
      const { continuation, passkey: options } = (await start(it, "passkey")).data;
      const attestation = passkey.create(options.challenge);
      const answer = await it.client.post("/second-factors", { continuation, name: "Key", attestation });
      expect(answer).toMatchObject({ http: 422, data: ["second.factor.already.added"] });
    }
    expect((await start(person, "passkey")).data.passkey.excludeCredentials).toMatchObject([{ id: passkey.id }]);
  });

  test("is limited to ten, and names have a limit", async () => {
    const person = await someone();
    await withApp(person);
    const { continuation, totp } = (await start(person, "totp")).data;
    const code = codeOfApp(totp.secret, now);
    for (const name of ["", " ", "n".repeat(101)])
      expect((await person.client.post("/second-factors", { continuation, name, code })).http).toBe(422);
    for (let more = 0; more < 9; more++) await withApp(person);
    expect(await start(person, "totp")).toMatchObject({ http: 422 });
    expect((await person.client.get("/second-factors")).data.factors).toHaveLength(10);
  });

  test("is not available to access tokens, nor to users without a local password", async () => {
    const person = await someone();
    const { id } = await withApp(person);
    const token = await it.as(person);
    const refused = [
      await token.post("/second-factors/enrollment", { method: "totp", password: "right" }),
      await token.post("/second-factors", { continuation: "x", name: "x", code: "x" }),
      await token.post(`/second-factors/${id}/removal`, { password: "right" }),
      await token.post("/second-factors/recovery-codes", { password: "right" }),
      await token.patch(`/second-factors/${id}`, [replace("/name", "x")]),
    ];
    expect(refused.map(({ http }) => http)).toEqual([403, 403, 403, 403, 403]);
    expect((await token.get("/second-factors")).data).toMatchObject({ methods: [], factors: [{ links: [] }] });

    const guest = await someone();
    await it.deps.db.updateTable("users").set({ password_hash: null }).where("id", "=", guest.id).execute();
    expect((await guest.client.get("/second-factors")).data).toMatchObject({ methods: [], required: false });
    expect((await start(guest, "totp", "")).http).toBe(422);
  });
});

describe("a second factor", () => {
  test("is renamed and removed by its owner, with the password", async () => {
    const person = await someone();
    const { id, recoveryCodes } = await withApp(person);
    const renamed = await person.client.patch(`/second-factors/${id}`, [replace("/name", " Old phone ")]);
    expect(renamed.data).toMatchObject({ id, kind: "totp", name: "Old phone" });
    expect((await person.client.patch(`/second-factors/${id}`, [replace("/kind", "passkey")])).http).toBe(422);
    const path = `/second-factors/${id}/removal`;
    expect((await person.client.post(path, { password: "wrong" })).http).toBe(422);
    expect((await password(person)).messageCode).toBe("second.factor.required");
    const { continuation } = (await password(person)).data;
    expect((await person.client.post(path, { password: "right" })).http).toBe(204);
    expect((await person.client.post(path, { password: "right" })).http).toBe(404);
    expect((await password(person)).http).toBe(200);
    // Its recovery codes were removed with it.
    expect((await secondStep({ continuation, recoveryCode: recoveryCodes[0] })).http).toBe(401);
    expect((await person.client.post("/second-factors/recovery-codes", { password: "right" })).http).toBe(422);
  });

  test("that is the last one stays if the role requires one, also when two are removed concurrently", async () => {
    const person = await someone("repositorymaintainer");
    const ids = [(await withApp(person)).id, (await withApp(person)).id];
    const answers = await Promise.all(
      ids.map((id) => person.client.post(`/second-factors/${id}/removal`, { password: "right" })),
    );
    expect(answers.map(({ http }) => http).sort()).toEqual([204, 422]);
    expect((await person.client.get("/second-factors")).data).toMatchObject({
      required: true,
      factors: [{ kind: "totp" }],
    });
  });

  test("is reset by an administrator, which ends sessions and pending sign-ins", async () => {
    const person = await someone();
    const { recoveryCodes } = await withApp(person);
    const admin = await it.bySession(it.admin);
    const { continuation } = (await password(person)).data;
    const links = (await admin.get(`/users/${person.id}`)).data.links as { rel: string; type?: string }[];
    expect(links.filter(({ rel }) => rel === "resetSecondFactors")).toHaveLength(1);
    const path = `/users/${person.id}/reset-second-factors`;
    expect((await (await someone("repositorymaintainer")).client.post(path, {})).http).toBe(403);
    expect((await (await it.as(it.admin)).post(path, {})).http).toBe(403);
    expect((await admin.post(`/users/${it.admin.id}/reset-second-factors`, {})).http).toBe(403);
    expect((await admin.post(path, {})).http).toBe(204);
    expect((await person.client.get("/users/me")).http).toBe(401);
    expect((await secondStep({ continuation, recoveryCode: recoveryCodes[1] })).http).toBe(401);
    expect((await password(person)).http).toBe(200);
    const after = (await admin.get(`/users/${person.id}`)).data.links as { rel: string }[];
    expect(after.some(({ rel }) => rel === "resetSecondFactors")).toBe(false);
  });
});

describe("a new password", () => {
  const choose = (token: string) => post("/password", { token, password: "Seven.Green.Bicycles" });

  test("by a one-time link does not replace the second factor", async () => {
    const person = await someone();
    const { secret } = await withApp(person);
    const admin = await it.bySession(it.admin);
    const { link } = (await admin.post(`/users/${person.id}/password-link`, {})).data;
    const token = new URL(link).hash.replace("#set-password=", "");
    const chosen = await choose(token);
    expect(chosen).toMatchObject({ http: 401, messageCode: "second.factor.required" });
    const { continuation } = chosen.data;
    expect((await secondStep({ continuation, code: "000000" })).http).toBe(401);
    const done = await secondStep({ continuation, code: codeOfApp(secret, now) });
    expect(await statusOf(done.data.token)).toBe(200);
  });

  test("that is demanded comes after the second factor, and is asked for once", async () => {
    const person = await someone();
    const { secret } = await withApp(person);
    const admin = await it.bySession(it.admin);
    const { password: temporary } = (await admin.post(`/users/${person.id}/temporary-password`, {})).data;
    const first = await post("", { login: person.login, password: temporary });
    expect(first).toMatchObject({ http: 401, messageCode: "second.factor.required" });
    const second = await secondStep({ continuation: first.data.continuation, code: codeOfApp(secret, now) });
    expect(second).toMatchObject({ http: 401, messageCode: "password.change.required" });
    const done = await choose(second.data.continuation);
    expect(done.http).toBe(200);
    expect(await statusOf(done.data.token)).toBe(200);
  });

  test("that is demanded comes before a second factor is added", async () => {
    const person = await someone("repositorymaintainer");
    const admin = await it.bySession(it.admin);
    const { password: temporary } = (await admin.post(`/users/${person.id}/temporary-password`, {})).data;
    const first = await post("", { login: person.login, password: temporary });
    expect(first).toMatchObject({ http: 401, messageCode: "password.change.required" });
    const chosen = await choose(first.data.continuation);
    expect(chosen).toMatchObject({ http: 401, messageCode: "second.factor.enrollment.required" });
  });
});

describe("a role that needs a second factor", () => {
  test("leads to adding one before the sign-in is finished", async () => {
    const person = await someone("repositorymaintainer");
    const first = await password(person);
    expect(first).toMatchObject({
      http: 401,
      messageCode: "second.factor.enrollment.required",
      data: { methods: ["passkey", "totp"] },
    });
    const { continuation } = first.data;
    // It cannot be used for anything else.
    expect((await secondStep({ continuation, code: "000000" })).messageCode).toBe("second.factor.expired");
    expect(await statusOf(continuation)).toBe(401);

    const started = await post("/second-factor/enrollment", { continuation, method: "totp" });
    const { totp } = started.data;
    const confirm = "/second-factor/enrollment/confirmation";
    const body = { continuation, name: "Phone", code: codeOfApp(totp.secret, now) };
    expect((await post(confirm, { ...body, code: "000000" })).messageCode).toBe("second.factor.refused");
    expect((await post(confirm, { ...body, name: "" })).http).toBe(422);
    const done = await post(confirm, body);
    expect(done.http).toBe(200);
    expect(done.data.recoveryCodes).toHaveLength(10);
    expect(await statusOf(done.data.token)).toBe(200);
    expect((await post(confirm, body)).messageCode).toBe("second.factor.expired");
    expect((await password(person)).messageCode).toBe("second.factor.required");
  });

  test("does not let someone who knows the password add another factor once the owner has one", async () => {
    const owner = await someone("repositorymaintainer");
    const thief = (await password(owner, "203.0.113.9")).data.continuation;
    const started = (await post("/second-factor/enrollment", { continuation: thief, method: "totp" })).data;
    await withApp(owner);
    const code = codeOfApp(started.totp.secret, now);
    const answer = await post("/second-factor/enrollment/confirmation", { continuation: thief, name: "Mine", code });
    expect([answer.http, answer.messageCode]).toEqual([401, "second.factor.expired"]);
    expect((await owner.client.get("/second-factors")).data.factors).toHaveLength(1);
  });

  test("accepts a passkey, too, and only the one that was requested last", async () => {
    const person = await someone("repositorymaintainer");
    const { continuation } = (await password(person)).data;
    const passkey = softwarePasskey(site);
    const ask = () => post("/second-factor/enrollment", { continuation, method: "passkey" });
    const before = (await ask()).data.passkey.challenge;
    const { challenge } = (await ask()).data.passkey;
    const confirm = (attestation: unknown) =>
      post("/second-factor/enrollment/confirmation", { continuation, name: "Key", attestation });
    expect((await confirm(passkey.create(before))).http).toBe(401);
    expect((await confirm(passkey.create(challenge))).http).toBe(200);
  });
});
