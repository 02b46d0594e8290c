import { apiPrefix } from "@packhouse/contract/operation";
import { type Logger, pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Settings } from "../../platform/settings/settings.ts";
import { replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { startProvider, type TestProvider } from "../../testing/servers/identity-provider.ts";
import { expectStatements } from "../../testing/statement-count.ts";
import { createPerson } from "../accounts/accounts-of-settings.ts";

const minute = 60_000;
let now: Date;
let provider: TestProvider;
let packhouse: TestPackhouse;

async function start(settings: Partial<Settings> = {}, log?: Logger): Promise<void> {
  packhouse = await startPackhouse({
    ...(log ? { log } : {}),
    clock: () => now,
    settings: {
      "auth.oidc.enabled": true,
      "auth.oidc.issuer": provider.issuer,
      "auth.oidc.clientId": "packhouse-console",
      ...settings,
    },
  });
}
const me = async (token: string) => {
  const answer = await fetch(`${packhouse.address}${apiPrefix}/users/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { messageCode, data } = (await answer.json()) as { messageCode: string; data: Record<string, unknown> };
  return { http: answer.status, messageCode, data };
};
const statusOf = async (token: string) => (await me(token)).http;

beforeEach(async () => {
  now = new Date("2026-11-21T12:00:00Z");
  provider = await startProvider(() => now);
});
afterEach(async () => {
  await packhouse.close();
  await provider[Symbol.asyncDispose]();
});

describe("a token of the provider", () => {
  test("signs in its subject, and creates the account on first sign-in", async () => {
    await start();
    const answer = await me(await provider.token({ name: "Ines Harrow", email: "ines@example.org" }));
    expect(answer.http).toBe(200);
    expect(answer.data).toMatchObject({ login: "ines", name: "Ines Harrow", email: "ines@example.org", role: "user" });
    const without = await me(await provider.token({ sub: "subject-2", preferred_username: "noor" }));
    expect(without.data).toMatchObject({ login: "noor", name: "noor", email: "noor@localhost" });
  });

  test("tolerates five minutes of clock skew", async () => {
    await start();
    const seconds = now.getTime() / 1000;
    expect(await statusOf(await provider.token({ exp: seconds - 240 }))).toBe(200);
    expect(await statusOf(await provider.token({ nbf: seconds + 240, iat: seconds + 240 }))).toBe(200);
  });

  test("is ignored when provider sign-in is off", async () => {
    await start({ "auth.oidc.enabled": false });
    expect(await statusOf(await provider.token())).toBe(401);
  });
});

describe("claims that are required", () => {
  test("keep everyone else out", async () => {
    await start({
      "auth.oidc.requiredClaims": [
        { claim: "hd", value: "example.org" },
        { claim: "realm_access.roles", value: "packhouse" },
      ],
    });
    const realm = { realm_access: { roles: ["other", "packhouse"] } };
    expect(await statusOf(await provider.token({ hd: "example.org", ...realm }))).toBe(200);
    expect(await statusOf(await provider.token({ hd: "example.com", ...realm }))).toBe(401);
    expect(await statusOf(await provider.token({ hd: "example.org", realm_access: { roles: ["other"] } }))).toBe(401);
    expect(await statusOf(await provider.token(realm))).toBe(401);
  });
});

describe("the provider's keys", () => {
  test("may be rotated; a new one is fetched when it is first seen", async () => {
    await start();
    expect(await statusOf(await provider.token())).toBe(200);
    const before = await provider.token();
    await provider.rotate();
    now = new Date(now.getTime() + 2 * minute);
    expect(await statusOf(await provider.token())).toBe(200);
    expect(await statusOf(before)).toBe(200);
    expect(provider.asked).toBe(2);
  });

  test("that are revoked stop working at the next refresh", async () => {
    await start();
    const seconds = Math.floor(now.getTime() / 1000);
    const old = await provider.token({ exp: seconds + 86_400 });
    expect(await statusOf(old)).toBe(200);
    await provider.rotate();
    provider.revoke();
    now = new Date(now.getTime() + 11 * minute);
    // Old keys are refreshed in the background.
    await expect.poll(() => statusOf(old)).toBe(401);
  });

  test("are fetched once a minute, however many unknown tokens arrive", async () => {
    await start();
    expect(await statusOf(await provider.token())).toBe(200);
    for (let strange = 0; strange < 20; strange++)
      expect(await statusOf(await provider.token({}, { kid: `strange-${strange}` }))).toBe(401);
    expect(provider.asked).toBeLessThanOrEqual(2);
  });

  test("stay valid for an hour while the provider is unreachable", async () => {
    await start();
    const seconds = Math.floor(now.getTime() / 1000);
    const token = await provider.token({ exp: seconds + 86_400 });
    expect(await statusOf(token)).toBe(200);
    provider.setDown(true);
    now = new Date(now.getTime() + 30 * minute);
    expect(await statusOf(token)).toBe(200);
    now = new Date(now.getTime() + 40 * minute);
    expect(await statusOf(token)).toBe(401);
    provider.setDown(false);
    now = new Date(now.getTime() + 2 * minute);
    expect(await statusOf(token)).toBe(200);
  });

  test("are not accepted from a discovery document that names another issuer", async () => {
    const almost = `${provider.issuer}/`;
    await start({ "auth.oidc.issuer": almost });
    expect(await statusOf(await provider.token({ iss: almost }))).toBe(401);
    expect(provider.asked).toBe(0);
  });

  test("are found when the provider starts after the server", async () => {
    await start();
    provider.setDown(true);
    expect(await statusOf(await provider.token())).toBe(401);
    provider.setDown(false);
    now = new Date(now.getTime() + minute);
    expect(await statusOf(await provider.token())).toBe(200);
  });
});

describe("an account from the provider", () => {
  test("follows its claims, and stays the same when the login changes", async () => {
    await start();
    const first = await me(await provider.token({ name: "Ines Harrow" }));
    const second = await me(await provider.token({ name: "Ines Vale", preferred_username: "ines.vale" }));
    expect(second.data).toMatchObject({ id: first.data.id, login: "ines.vale", name: "Ines Vale" });
    // Claims that a token does not carry stay as they are.
    expect((await me(await provider.token({ preferred_username: "ines.vale" }))).data).toMatchObject({
      name: "Ines Vale",
    });
  });

  test("is not created when another account has the login, nor merged with that account", async () => {
    await start();
    await packhouse.given.person("ines", "repositorymaintainer");
    expect(await statusOf(await provider.token())).toBe(401);
    const other = await me(await provider.token({ preferred_username: "harrow" }));
    expect(other.data).toMatchObject({ login: "harrow", role: "user" });
    // Later the provider sends a login that is taken: the account stays the same.
    expect((await me(await provider.token())).data).toMatchObject({ id: other.data.id, login: "harrow" });
  });

  test.each([
    ["none", "a verified address", false, { email: "ines@example.org", email_verified: true }],
    ["verified-email", "a verified address", true, { email: "Ines@Example.org", email_verified: true }],
    ["verified-email", "an unverified address", false, { email: "ines@example.org" }],
    ["verified-email", "a text that says verified", false, { email: "ines@example.org", email_verified: "true" }],
    ["login", "a login alone", true, {}],
  ] as const)("with the setting %s, is linked by %s: %s", async (link, _by, linked, claims) => {
    await start({ "auth.oidc.link": link });
    const { deps } = packhouse;
    const id = await createPerson(deps.db, deps.clock, {
      origin: "operator",
      login: link === "login" ? "ines" : "harrow",
      email: "ines@example.org",
      role: "packagemaintainer",
      passwordHash: "-",
    });
    const answer = await me(await provider.token(claims));
    if (linked) expect(answer.data).toMatchObject({ id, role: "packagemaintainer" });
    else expect(answer.data.id).not.toBe(id);
    // No one else takes over an account that has an owner.
    const another = await me(await provider.token({ ...claims, sub: "subject-2", preferred_username: "another" }));
    expect(another.data.id).not.toBe(answer.data.id);
  });

  test("that is deactivated or deleted loses access immediately", async () => {
    await start();
    const token = await provider.token();
    const { data } = await me(token);
    const admin = await packhouse.as(packhouse.admin);
    await admin.patch(`/users/${data.id}`, [replace("/active", false)]);
    expect(await statusOf(token)).toBe(401);
    await admin.patch(`/users/${data.id}`, [replace("/active", true)]);
    expect(await statusOf(token)).toBe(200);
    await admin.patch(`/users/${data.id}`, [replace("/deleted", true)]);
    expect(await statusOf(await provider.token({ auth_time: null, sid: "new" }))).toBe(401);
  });

  test("records a sign-in once per provider sign-in, not per token", async () => {
    await start();
    const seconds = Math.floor(now.getTime() / 1000);
    expect((await me(await provider.token({ auth_time: seconds }))).data.lastLoggedInOn).toBe("");
    now = new Date(now.getTime() + 5 * minute);
    expect((await me(await provider.token({ auth_time: seconds }))).data.lastLoggedInOn).toBe("");
    const later = await provider.token({ auth_time: seconds + 300 });
    expect((await me(later)).data.lastLoggedInOn).toContain("12:00:00");
    // An older token that is still valid is not a new sign-in.
    await me(await provider.token({ auth_time: seconds }));
    expect((await me(later)).data.lastLoggedInOn).toContain("12:00:00");
  });

  test("costs one statement more than a session once it is known", async () => {
    await start();
    const token = await provider.token();
    await me(token);
    await expectStatements(packhouse, () => me(token), 3);
  });
});

describe("the login of a new account", () => {
  const logged: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(line) });
  beforeEach(() => logged.splice(0));

  test("must not be easily confused with another one, and the log says why", async () => {
    await start({}, log);
    const refused = {
      taken: ["Admin", "admin ", "ａｄｍｉｎ", "admın"],
      lookalike: ["аdmin", "ADMΙN", "adm1n", "adrnin"],
      unusable: ["ad\u200bmin", "nimda\u202e"],
    };
    for (const [why, logins] of Object.entries(refused))
      for (const login of logins) {
        logged.splice(0);
        expect([login, await statusOf(await provider.token({ preferred_username: login }))]).toEqual([login, 401]);
        expect(logged.join("")).toContain(`"reason":"${why}"`);
        if (why !== "unusable") expect(logged.join("")).toContain('"existing":"admin"');
      }
    const users = packhouse.deps.db.selectFrom("users").select("login").where("id", "<>", packhouse.admin.id);
    expect(await users.execute()).toEqual([]);
  });

  test("may look like another one if the settings allow it, but not be the same", async () => {
    await start({ "auth.lookalikeLogins": true });
    expect(await statusOf(await provider.token({ preferred_username: "adm1n" }))).toBe(200);
    expect(await statusOf(await provider.token({ sub: "subject-2", preferred_username: "ADMIN" }))).toBe(401);
  });

  test("goes to one of two users who claim it concurrently in two spellings", async () => {
    await start();
    const tokens = await Promise.all([
      provider.token({ sub: "subject-1", preferred_username: "Noor" }),
      provider.token({ sub: "subject-2", preferred_username: "noor" }),
    ]);
    expect((await Promise.all(tokens.map(statusOf))).sort()).toEqual([200, 401]);
  });

  test("cannot become that of an administrator later, nor one that looks like it", async () => {
    await start({}, log);
    const { data } = await me(await provider.token());
    let signedIn = now.getTime() / 1000;
    for (const login of ["admin", "Admin", "аdmin", "ad\u200bmin"]) {
      signedIn += 1;
      const answer = await me(await provider.token({ preferred_username: login, auth_time: signedIn }));
      expect(answer.data).toMatchObject({ id: data.id, login: "ines", role: "user" });
      expect(logged.splice(0).join("")).toContain("keeps the current login");
    }
    expect((await me(await provider.token({ preferred_username: "Ines" }))).data.login).toBe("Ines");
  });
});

describe("administrators from the provider", () => {
  const roleOf = async (claims: Record<string, unknown>) => (await me(await provider.token(claims))).data?.role;

  test("are not those who change their name to a listed login", async () => {
    await start({ "auth.oidc.admins": ["boss"] });
    expect(await roleOf({ sub: "1", preferred_username: "mallory" })).toBe("user");
    // No account has the login yet, so there is no conflict.
    expect(await roleOf({ sub: "1", preferred_username: "boss" })).toBe("user");
    expect(await roleOf({ sub: "1", preferred_username: "Boss" })).toBe("user");
    expect(await roleOf({ sub: "2", preferred_username: "boss" })).toBe("admin");
    expect(await roleOf({ sub: "1", preferred_username: "boss" })).toBe("user");
    expect(await roleOf({ sub: "boss", preferred_username: "trudy" })).toBe("user");
  });

  test("are not those who come after a listed account was deleted", async () => {
    await start({ "auth.oidc.admins": ["boss"] });
    const { data } = await me(await provider.token({ sub: "2", preferred_username: "boss" }));
    await packhouse.deps.db
      .updateTable("users")
      .set({ deleted: true, active: false })
      .where("id", "=", Number(data.id))
      .execute();
    expect(await roleOf({ sub: "3", preferred_username: "boss" })).toBe("user");
  });

  test("are those with a listed subject, whatever their name", async () => {
    await start({ "auth.oidc.admins": [`${provider.issuer}#anna`, "#bert", "https://elsewhere.example#carl"] });
    expect(await roleOf({ sub: "anna", preferred_username: "one" })).toBe("admin");
    expect(await roleOf({ sub: "bert", preferred_username: "two" })).toBe("admin");
    expect(await roleOf({ sub: "carl", preferred_username: "three" })).toBe("user");
    expect(await roleOf({ sub: "4", preferred_username: "#bert" })).toBe("user");
    expect(await roleOf({ sub: "5", preferred_username: `${provider.issuer}#anna` })).toBe("user");
  });

  test("are not those who choose a listed subject as their login, or a listed login as their subject", async () => {
    await start({ "auth.oidc.admins": ["00u1a2b3", "user7"] });
    expect(await roleOf({ sub: "00u1a2b3", preferred_username: "anna" })).toBe("admin");
    expect(await roleOf({ sub: "9", preferred_username: "00u1a2b3" })).toBe("user");
    expect(await roleOf({ sub: "10", preferred_username: "user7" })).toBe("admin");
    expect(await roleOf({ sub: "user7", preferred_username: "trudy" })).toBe("user");
  });

  test("do not come from an account of the provider that has the login of the first administrator", async () => {
    await start({ "auth.oidc.link": "none" });
    const { db } = packhouse.deps;
    await db.updateTable("users").set({ deleted: true, active: false }).where("login", "=", "admin").execute();
    expect(await roleOf({ preferred_username: "admin" })).toBe("user");
    const again = await packhouse.replica();
    expect(again.firstAdministrator?.login).toBe("admin-2");
    await again.close();
    expect(await roleOf({ preferred_username: "admin" })).toBe("user");
  });
});

describe("roles", () => {
  test("make listed users administrators", async () => {
    await start({ "auth.oidc.admins": ["ines", "subject-2"] });
    expect((await me(await provider.token())).data.role).toBe("admin");
    expect((await me(await provider.token({ sub: "subject-2", preferred_username: "x" }))).data.role).toBe("admin");
    expect((await me(await provider.token({ sub: "subject-3", preferred_username: "y" }))).data.role).toBe("user");
  });

  test("open repositories to their members, and close them again", async () => {
    await start({ "auth.oidc.groupsClaim": "groups", readRights: [{ repository: "vault", groups: ["team"] }] });
    const { id } = await packhouse.given.repository("R", { name: "vault" });
    const see = async (groups?: string[]) => {
      const authorization = `Bearer ${await provider.token(groups ? { groups } : {})}`;
      return (await fetch(`${packhouse.address}${apiPrefix}/repositories/${id}`, { headers: { authorization } }))
        .status;
    };
    expect([await see(), await see(["other"]), await see(["other", "team"]), await see()]).toEqual([
      404, 404, 200, 404,
    ]);
  });

  test("follow the groups, with an event, and end with them", async () => {
    await start({
      "auth.oidc.groupsClaim": "realm_access.roles",
      "auth.oidc.groupRoles": [
        { group: "approvers", role: "repositorymaintainer" },
        { group: "packhouse admins", role: "admin" },
      ],
    });
    const withGroups = (...roles: string[]) => provider.token({ realm_access: { roles } });
    expect((await me(await withGroups("approvers"))).data.role).toBe("repositorymaintainer");
    expect((await me(await withGroups("approvers", "packhouse admins"))).data.role).toBe("admin");
    const { data } = await me(await provider.token());
    expect(data.role).toBe("user");
    const admin = await packhouse.as(packhouse.admin);
    const events = await admin.get("/events?resourceType=user&eventType=update&sort=id,asc");
    expect(events.data.content.map((event: { changedProperties: unknown }) => event.changedProperties)).toEqual([
      [{ property: "role", valueBefore: "repositorymaintainer", valueAfter: "admin" }],
      [{ property: "role", valueBefore: "admin", valueAfter: "user" }],
    ]);
  });

  test("stay as they are in a dry run", async () => {
    await start({
      "auth.oidc.groupsClaim": "groups",
      "auth.oidc.groupRoles": [{ group: "approvers", role: "repositorymaintainer" }],
      "auth.oidc.groupRolesDryRun": true,
    });
    expect((await me(await provider.token({ groups: ["approvers"] }))).data.role).toBe("user");
  });

  test("count where the claim holds others that are no groups", async () => {
    await start({
      "auth.oidc.groupsClaim": "groups",
      "auth.oidc.groupRoles": [{ group: "approvers", role: "repositorymaintainer" }],
    });
    const roleWith = async (groups: unknown) => {
      const answer = await me(await provider.token({ groups }));
      return [answer.http, answer.data.role];
    };
    expect(await roleWith(["a\0b", 7, null, ["approvers"], "approvers"])).toEqual([200, "repositorymaintainer"]);
    for (const odd of [["a\0b"], "approvers", { approvers: true }, 1, null])
      expect(await roleWith(odd)).toEqual([200, "user"]);
  });

  test("leave the last administrator in place", async () => {
    await start({
      "auth.oidc.groupsClaim": "groups",
      "auth.oidc.groupRoles": [{ group: "admins", role: "admin" }],
    });
    expect((await me(await provider.token({ groups: ["admins"] }))).data.role).toBe("admin");
    await packhouse.deps.db.updateTable("users").set({ active: false }).where("id", "=", packhouse.admin.id).execute();
    expect((await me(await provider.token({ groups: [] }))).data.role).toBe("admin");
  });
});

describe("password sign-in in addition to the provider", () => {
  test("can be turned off, which also ends its sessions", async () => {
    await start({ "auth.simple": false });
    const session = await packhouse.bySession(packhouse.admin);
    expect((await session.get("/users/me")).http).toBe(401);
    expect(await statusOf(await provider.token())).toBe(200);
  });

  test("works in the mixed mode", async () => {
    await start();
    const session = await packhouse.bySession(packhouse.admin);
    expect((await session.get("/users/me")).http).toBe(200);
    expect(await statusOf(await provider.token())).toBe(200);
  });
});
