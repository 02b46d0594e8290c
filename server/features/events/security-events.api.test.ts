import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPerson } from "../../identity/accounts/accounts-of-settings.ts";
import { hashPassword } from "../../identity/passwords/password.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallWheel } from "../../testing/small-packages.ts";
import { expectStatements } from "../../testing/statement-count.ts";
import { pruneSecurityEvents } from "./prune-security-events.ts";
import { securityVisibility } from "./visibility-store.ts";

interface Item {
  id: number;
  eventType: string;
  resourceType: string;
  resourceId: number;
  detail: string;
  subject?: string;
  address?: string;
  count: number;
  user: { id: number; login: string };
  description: string;
  changedProperties: { property: string; valueBefore: string; valueAfter: string }[];
}

let packhouse: TestPackhouse;
let admin: Client;
let now = new Date();
beforeAll(async () => {
  packhouse = await startPackhouse({
    clock: () => now,
    settings: { "securityEvents.downloads": true, readRights: [{ repository: "vault", groups: ["team"] }] },
  });
  admin = await packhouse.as(packhouse.admin);
});
afterAll(() => packhouse.close());

const list = async (client: Client, query = ""): Promise<Item[]> => {
  const { http, data } = await client.get(`/events?size=2000&security=true&${query}`);
  expect(http).toBe(200);
  return data.content;
};
const signIn = (login: string, password: string): Promise<Response> =>
  packhouse.anonymous.request("/api/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ login, password }),
  });

async function personWithPassword(login: string): Promise<{ id: number; login: string }> {
  const { db, clock } = packhouse.deps;
  const passwordHash = await hashPassword("right-password");
  return { login, id: await createPerson(db, clock, { login, role: "user", passwordHash, origin: "operator" }) };
}

describe("a security event", () => {
  test("reports a sign-in: who, how, from where", async () => {
    const person = await personWithPassword("visitor");
    expect((await signIn("visitor", "right-password")).status).toBe(200);
    const [event] = await list(admin, "eventType=signIn&userName=visitor");
    expect(event).toEqual({
      id: expect.any(Number),
      technology: expect.stringMatching(/^Packhouse version: /),
      time: expect.any(String),
      lastTime: expect.any(String),
      user: { id: person.id, name: "visitor", login: "visitor", email: "visitor@localhost" },
      eventType: "signIn",
      resourceType: "USER",
      resourceId: person.id,
      changedProperties: [],
      relatedResource: expect.objectContaining({ id: person.id, login: "visitor" }),
      description: "visitor signed in with a password from 127.0.0.1.",
      detail: "password",
      address: "127.0.0.1",
      count: 1,
      links: [
        { rel: "self", href: `${packhouse.address}/api/v2/manager/events/${event?.id}?security=true` },
        { rel: "eventList", href: `${packhouse.address}/api/v2/manager/events?security=true` },
      ],
    });
    expect((await admin.get(`/events/${event?.id}?security=true`)).data).toEqual(event);
  });

  test("of failed sign-ins counts those of one hour, login and address", async () => {
    const person = await personWithPassword("target");
    for (let attempt = 0; attempt < 3; attempt += 1) await signIn("target", "wrong");
    await signIn("who-is-this", "wrong");
    const [known] = await list(admin, "eventType=signInFailed&userName=target");
    expect(known).toMatchObject({ count: 3, resourceId: person.id, user: { login: "target" }, address: "127.0.0.1" });
    expect(known).not.toHaveProperty("subject");
    const [unknown] = await list(admin, "eventType=signInFailed&userName=WHO-is-this");
    expect(unknown).toMatchObject({
      count: 1,
      subject: "who-is-this",
      resourceId: 0,
      user: { id: 0, login: "" },
      description: 'A sign-in as the unknown login "who-is-this" failed from 127.0.0.1.',
    });
    now = new Date(now.getTime() + 3_600_000);
    await signIn("target", "wrong");
    expect((await list(admin, "eventType=signInFailed&userName=target")).map(({ count }) => count)).toEqual([1, 3]);
  });

  test("keeps what fits and is printable of an unknown login", async () => {
    await signIn(`${"long".repeat(500)}`, "wrong");
    await signIn("line\nbreak\u202e", "wrong");
    const subjects = (await list(admin, "eventType=signInFailed")).map(({ subject = "" }) => subject);
    expect(subjects).toContain("long".repeat(25));
    expect(subjects).toContain("line\ufffdbreak\ufffd");
  });

  test("does not exist for clients that do not ask for security events", async () => {
    await personWithPassword("unseen");
    await signIn("unseen", "right-password");
    expect((await admin.get("/events?userName=unseen")).data.page.totalElements).toBe(0);
    for (const query of ["eventType=signIn", "resourceType=server", "security=false&eventType=signIn"])
      expect((await admin.get(`/events?${query}`)).data.page).toMatchObject({ size: 0, totalElements: 0 });
    // Nor do product events appear among security events.
    expect((await admin.get("/events?security=true&eventType=upload")).data.page).toMatchObject({ size: 0 });
    const [event] = await list(admin, "eventType=signIn&userName=unseen");
    const bare = await admin.get(`/events/${event?.id}`);
    expect(bare.data?.eventType).not.toBe("signIn");
  });

  test("reports changes of a user's own settings: which, before and after", async () => {
    const person = await packhouse.given.person("arranger");
    const client = await packhouse.bySession(person);
    await client.patch(`/user-settings/${person.id}`, [replace("/theme", "light"), replace("/pageSize", 25)]);
    await client.patch(`/user-settings/${person.id}`, [replace("/theme", "light")]);
    await admin.patch(`/user-settings/${person.id}`, [replace("/theme", "dark")]);
    const events = await list(client, "eventType=settingsChange&sort=id,asc");
    expect(events).toMatchObject([
      {
        detail: "self",
        address: "127.0.0.1",
        changedProperties: [
          { property: "pageSize", valueBefore: "10", valueAfter: "25" },
          { property: "theme", valueBefore: "dark", valueAfter: "light" },
        ],
      },
      { detail: "administrator", user: { login: "admin" } },
    ]);
    // Users do not learn the addresses of administrators.
    expect(events[1]).not.toHaveProperty("address");
    expect(events[1]?.description).not.toContain("127.0.0.1");
    expect(await list(client, "eventType=settingsChange&address=127.0.0.1")).toHaveLength(1);
    expect(await list(admin, "eventType=settingsChange&userName=arranger&address=127.0.0.1")).toHaveLength(2);
  });

  test("reports how an account was created", async () => {
    const created = await list(admin, "eventType=accountCreate");
    expect(created.find(({ resourceId }) => resourceId === packhouse.admin.id)).toMatchObject({
      detail: "firstStart",
      user: { id: 0 },
      changedProperties: [{ property: "role", valueBefore: "", valueAfter: "admin" }],
    });
    expect(created.some(({ detail }) => detail === "operator")).toBe(true);
  });

  test("reports ended sessions and changed passwords, once each, and by whom", async () => {
    const person = await personWithPassword("wanderer");
    const session = async (): Promise<Record<string, string>> => {
      const { data } = (await (await signIn("wanderer", "right-password")).json()) as { data: { token: string } };
      return { authorization: `Bearer ${data.token}`, "content-type": "application/json" };
    };
    const call = (path: string, init: RequestInit) => packhouse.anonymous.request(`/api/v2/manager${path}`, init);
    const [first, second, third] = [await session(), await session(), await session()];
    expect((await call("/logout", { method: "POST", headers: first, body: "{}" })).status).toBe(204);
    expect((await call("/logout", { method: "POST", headers: first, body: "{}" })).status).toBe(401);
    expect((await call(`/users/${person.id}/sessions`, { method: "DELETE", headers: second })).status).toBe(204);
    const root = await packhouse.bySession(packhouse.admin);
    expect((await root.delete(`/users/${person.id}/sessions`)).http).toBe(204);
    expect((await call("/users/me", { headers: third })).status).toBe(401);
    const fourth = await session();
    const change = { currentPassword: "right-password", newPassword: "quite-another-word-4" };
    const changed = await call("/users/me/password", { method: "POST", headers: fourth, body: JSON.stringify(change) });
    expect(changed.status).toBe(200);
    expect((await root.post(`/users/${person.id}/password-link`, {})).http).toBe(200);
    expect((await root.post(`/users/${person.id}/temporary-password`, {})).http).toBe(200);

    const events = await list(admin, "eventType=signOut,sessionEnd,passwordChange&userName=wanderer&sort=id,asc");
    expect(events.map((it) => `${it.eventType} ${it.detail} ${it.user.login} ${it.address}`)).toEqual([
      "signOut self wanderer 127.0.0.1",
      "sessionEnd self wanderer 127.0.0.1",
      "sessionEnd administrator admin 127.0.0.1",
      "passwordChange self wanderer 127.0.0.1",
      "passwordChange link admin 127.0.0.1",
      "passwordChange administrator admin 127.0.0.1",
    ]);
    expect(JSON.stringify(events)).not.toMatch(/quite-another-word|right-password/);
  });

  test("reports the first use of an access token from an address", async () => {
    const person = await packhouse.given.person("token-user");
    const client = await packhouse.as(person);
    await client.get("/users/me");
    await client.get("/packages");
    const events = await list(client, "eventType=tokenUse");
    expect(events).toMatchObject([{ count: 1, address: "127.0.0.1", resourceType: "ACCESS_TOKEN" }]);
    const log = securityLog(packhouse.deps.db, now);
    const token = { id: events[0]?.resourceId ?? 0 };
    for (const address of ["10.0.0.1", "10.0.0.1", "127.0.0.1"]) await log.tokenUse({ token, user: person, address });
    expect((await list(client, "eventType=tokenUse")).map(({ address }) => address).sort()).toEqual([
      "10.0.0.1",
      "127.0.0.1",
    ]);
    for (let host = 0; host < 80; host += 1) await log.tokenUse({ token, user: person, address: `10.0.1.${host}` });
    const many = await list(client, "eventType=tokenUse");
    expect(many).toHaveLength(51);
    expect(many.find(({ address }) => address === undefined)?.count).toBe(32);
  });

  test("reports downloads from private repositories: one for each user, file and hour", async () => {
    const { given, deps } = packhouse;
    const vault = await given.repository("Python", { name: "vault", published: true, requiresAuthentication: false });
    await given.repository("Python", { name: "shop", published: true, requiresAuthentication: false });
    const uploads = await Promise.all(
      ["vault", "shop"].map(async (repository) =>
        admin.upload("Python", await smallWheel("treasure", "1.0"), { repository }),
      ),
    );
    const member = await given.person("member");
    await deps.db
      .updateTable("users")
      .set({ groups: ["team"] })
      .where("id", "=", member.id)
      .execute();
    const client = await packhouse.as(member);
    const file = "treasure-1.0-py3-none-any.whl";
    const fetched = async (path: string) => (await (await client.request(path)).arrayBuffer()).byteLength;
    for (const repository of ["vault", "vault", "shop"])
      expect(await fetched(`/repo/${repository}/treasure/${file}`)).toBeGreaterThan(100);
    const [inVault] = uploads.map(({ data }) => data.packageBag.id);
    await fetched(`/api/v2/manager/python/packages/${inVault}/download/${file}`);
    await deps.downloads.flush();
    await fetched(`/repo/vault/treasure/${file}`);
    // A download counts when the server is done with it, a moment after the client is.
    const counted = async () => {
      await deps.downloads.flush();
      return (await list(admin, "eventType=download")).map(({ count }) => count);
    };
    await expect.poll(counted).toEqual([4]);
    expect(await list(client, "eventType=download")).toMatchObject([
      { count: 4, resourceType: "PACKAGE", resourceId: inVault, technology: "Python", user: { login: "member" } },
    ]);
    expect(await list(admin, "repositoryName=vault&packageName=treasure")).toHaveLength(1);
    expect(await list(admin, "repositoryName=shop")).toEqual([]);
    // Users who may no longer read the repository do not see these events either.
    await deps.db.updateTable("users").set({ groups: [] }).where("id", "=", member.id).execute();
    expect(await list(client, "eventType=download")).toEqual([]);
    expect(await list(admin, `repositoryName=${vault.name}`)).toHaveLength(1);
  });
});

describe("security events", () => {
  test("are for administrators, and for other users those about their own account", async () => {
    const [one, other] = [await personWithPassword("one"), await personWithPassword("other")];
    await signIn("one", "right-password");
    await signIn("one", "wrong");
    const maintainer = await packhouse.given.person("nosy", "repositorymaintainer");
    const kinds = async (person: { id: number }) =>
      (await list(await packhouse.bySession(person), "userName=one")).map(({ eventType }) => eventType).sort();
    expect(await kinds(one)).toEqual(["accountCreate", "signIn", "signInFailed"]);
    expect(await kinds(other)).toEqual([]);
    expect(await kinds(maintainer)).toEqual([]);
    expect(await kinds(packhouse.admin)).toEqual(["accountCreate", "signIn", "signInFailed"]);
    // By id they are there for the same users.
    const all = await list(admin);
    for (const person of [one, other, maintainer]) {
      const client = await packhouse.bySession(person);
      const shown = new Set((await list(client)).map(({ id }) => id));
      const byId = await Promise.all(
        all.map(async ({ id }) => ({ id, http: (await client.get(`/events/${id}?security=true`)).http })),
      );
      expect(byId.filter(({ id, http }) => http !== (shown.has(id) ? 200 : 404))).toEqual([]);
    }
  });

  test("of an attack with many names and addresses stay few", async () => {
    const { db } = packhouse.deps;
    const at = new Date(now.getTime() + 24 * 3_600_000);
    const log = securityLog(db, at);
    const fail = (login: string, address: string) =>
      log.signInFailed({ login, account: undefined, address, detail: "password" });
    for (let index = 0; index < 60; index += 1) await fail(`name-${index}`, "198.51.100.7");
    for (let index = 0; index < 700; index += 1) await fail(`other-${index}`, `2001:db8::${index.toString(16)}`);
    await fail("name-3", "198.51.100.7");
    const rows = await db
      .selectFrom("security_events")
      .select(["subject", "address", "count"])
      .where("event_type", "=", "signInFailed")
      .where("occurred_on", "=", at)
      .execute();
    expect(rows.length).toBeLessThanOrEqual(501);
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(761);
    expect(rows.find(({ subject }) => subject === "name-3")?.count).toBe(2);
    expect(rows.find((row) => row.subject === null && row.address === "198.51.100.7")?.count).toBe(40);
    expect(rows.find((row) => row.subject === null && row.address === null)?.count).toBe(701 - 480 + 0);
  });

  test("are removed after their retention time, addresses and unknown logins earlier; package events stay", async () => {
    const { deps } = packhouse;
    const { db } = deps;
    const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
    const fail = (login: string, days: number) =>
      securityLog(db, daysAgo(days)).signInFailed({
        login,
        account: undefined,
        address: "192.0.2.1",
        detail: "password",
      });
    await fail("last-year", 366);
    await fail("last-quarter", 91);
    await fail("last-month", 89);
    await sql`
      insert into security_events (occurred_on, last_on, event_type, detail, address, resource_type, resource_id,
        changed_properties)
      select ${daysAgo(400)}, ${daysAgo(400)}, 'signIn', 'password', '192.0.2.1', 'USER', 1, '[]'
      from generate_series(1, 2500)`.execute(db);
    // The oldest ones are removed first, as when the clock runs forward.
    await sql`
      update security_events set occurred_on = ${daysAgo(400)}, last_on = ${daysAgo(400)}
      where id = (select min(id) from security_events)`.execute(db);
    const productEvents = await db.selectFrom("events").select("id").execute();
    const before = (await admin.get("/events?security=true&size=1")).data.page.totalElements;
    expect(await pruneSecurityEvents({ ...deps, clock: () => now })).toEqual({ removed: 2502, anonymized: 1 });
    expect(await list(admin, "address=192.0.2.1")).toMatchObject([{ subject: "last-month" }]);
    expect(await list(admin, "userName=last-quarter")).toEqual([]);
    expect((await admin.get("/events?security=true&size=1")).data.page.totalElements).toBe(before - 2502);
    expect(await db.selectFrom("events").select("id").execute()).toEqual(productEvents);
    expect(await pruneSecurityEvents({ ...deps, clock: () => now })).toEqual({ removed: 0, anonymized: 0 });
  });

  test("of a start name the changed settings, but no values", async () => {
    const { deps } = packhouse;
    const start = async (settings: Partial<typeof deps.settings>) => {
      const replica = await packhouse.replica(settings);
      await replica.close();
    };
    await start({});
    expect(await list(admin, "eventType=configurationChange")).toEqual([]);
    await start({ "auth.session.secret": "a-new-secret-of-32-characters-or-more", undoSeconds: 7 });
    const [event] = await list(admin, "eventType=configurationChange");
    expect(event).toMatchObject({
      resourceType: "SERVER",
      resourceId: 0,
      user: { id: 0 },
      changedProperties: [
        { property: "auth.session.secret", valueBefore: "", valueAfter: "" },
        { property: "undoSeconds", valueBefore: "", valueAfter: "" },
      ],
    });
    expect(
      await list(await packhouse.bySession(await packhouse.given.person("curious")), "resourceType=server"),
    ).toEqual([]);
    const { rows } = await sql<{ text: string }>`
      select string_agg(row::text, ' ') as text from (
        select to_jsonb(it) as row from setting_digests it union all select to_jsonb(it) from security_events it) as all_rows`.execute(
      deps.db,
    );
    expect(rows[0]?.text).not.toContain("a-new-secret");
  });

  test("of a long history are found by indexes, and counted once", async () => {
    const { db } = packhouse.deps;
    const person = await packhouse.given.person("historian");
    await sql`
      insert into security_events (occurred_on, last_on, event_type, detail, user_id, account_id, address, resource_type,
        resource_id, changed_properties)
      select ${now}::timestamptz - i * interval '1 second', ${now}, 'signIn', 'password', 1000000 + i % 500,
        1000000 + i % 500, '10.' || i % 200 || '.0.1', 'USER', 1, '[]'
      from generate_series(1, 20000) as i`.execute(db);
    await sql`analyze security_events`.execute(db);
    const actor = await packhouse.given.again(person);
    const mine = db
      .selectFrom("security_events")
      .where((where) => where.and(securityVisibility(actor).byActor))
      .select(sql<number>`count(*)`.as("count"));
    expect(JSON.stringify(await mine.explain("text", sql`costs off`))).not.toContain("Seq Scan on security_events");
    const newest = db.selectFrom("security_events").select("id").orderBy("occurred_on", "desc").orderBy("id").limit(20);
    expect(JSON.stringify(await newest.explain("text", sql`costs off`))).toContain("security_events_time");
    // Filters by names use three indexes, including that of unknown logins.
    packhouse.takeStatements();
    await list(admin, "userName=historian");
    const [statement] = packhouse.takeStatements().filter(({ sql: text }) => /^select .*count.*lower/s.test(text));
    const { rows } = await packhouse.pool.query(`explain ${statement?.sql}`, [...(statement?.parameters ?? [])]);
    expect(JSON.stringify(rows)).toContain("security_events_subject");
    expect(JSON.stringify(rows)).not.toContain("Seq Scan on security_events");
    await list(admin, "size=10");
    await expectStatements(packhouse, () => admin.get("/events?security=true&size=10"), 6);
  });
});

test("an earlier start without digests does not count as a change of every setting", async () => {
  await packhouse.deps.db.deleteFrom("setting_digests").execute();
  const before = await list(admin, "eventType=configurationChange");
  await (await packhouse.replica({})).close();
  expect(await list(admin, "eventType=configurationChange")).toEqual(before);
});
