import { isLong } from "@packhouse/fixtures/long-form";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startMirroring } from "../../testing/mirroring.ts";
import { replace, startPackhouse, type TestOptions, type TestPackhouse } from "../../testing/packhouse.ts";
import { type MailServer, type ReceivedMail, startMailServer } from "../../testing/servers/mail-server.ts";
import { startUpstream } from "../../testing/servers/upstream-server.ts";
import { smallRPackage } from "../../testing/small-packages.ts";
import { mirrors } from "../mirrors/records/store.ts";
import { mailNotices } from "./store.ts";

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const it of opened.splice(0).reverse()) await it[Symbol.asyncDispose]();
});

interface Office {
  it: TestPackhouse;
  server: MailServer;
  /** The repository `north`. */
  north: { id: number };
  /** Maintains `north`. */
  mara: { id: number };
  /** Uploads. */
  ren: { id: number };
  /** A waiting submission by Ren; its id. */
  submit(name: string, version?: string): Promise<number>;
  decide(by: { id: number }, submission: number, state: string): Promise<void>;
  choose(user: { id: number }, settings: Record<string, string>): Promise<void>;
  notices(): Promise<{ login: string; kind: string; sent: boolean }[]>;
}

async function givenPerson(it: TestPackhouse, login: string, role: Parameters<TestPackhouse["given"]["person"]>[1]) {
  const person = await it.given.person(login, role);
  await giveAddress(it, person);
  return person;
}

const giveAddress = (it: TestPackhouse, { id, login }: { id: number; login: string }) =>
  it.deps.db
    .updateTable("users")
    .set({ email: `${login}@example.org` })
    .where("id", "=", id)
    .execute();

async function office(options: TestOptions = {}): Promise<Office> {
  const server = await startMailServer();
  opened.push(server);
  const it = await startPackhouse({ ...options, settings: { ...server.settings, ...options.settings } });
  opened.push(it);
  const north = await it.given.repository("R", { name: "north" });
  const mara = await givenPerson(it, "mara", "repositorymaintainer");
  const ren = await givenPerson(it, "ren", "user");
  await it.given.repositoryMaintainer(mara, north);
  return {
    it,
    server,
    north,
    mara,
    ren,
    async submit(name, version = "1.0.0") {
      const client = await it.as(ren);
      const answer = await client.upload("R", await smallRPackage(name, version), { repository: "north" });
      expect(answer.http).toBe(201);
      return answer.data.id;
    },
    async decide(by, submission, state) {
      const answer = await (await it.as(by)).patch(`/r/submissions/${submission}`, [replace("/state", state)]);
      expect(answer.http).toBe(200);
    },
    async choose(user, settings) {
      const operations = Object.entries(settings).map(([path, value]) => replace(`/${path}`, value));
      const answer = await (await it.as(user)).patch(`/user-settings/${user.id}`, operations);
      expect(answer.http).toBe(200);
    },
    notices: async () => {
      const rows = await it.deps.db
        .selectFrom("mail_notices")
        .innerJoin("users", "users.id", "user_id")
        .select(["login", "kind", "sent_on"])
        .orderBy("mail_notices.id")
        .execute();
      return rows.map(({ login, kind, sent_on }) => ({ login, kind, sent: sent_on !== null }));
    },
  };
}

const short = ({ to, subject }: ReceivedMail) => `${to}: ${subject}`;
const until = (holds: () => Promise<boolean>) => vi.waitUntil(holds, { timeout: 60_000, interval: 50 });

describe("a waiting submission", () => {
  test("is mailed to the user who is responsible, with a link to it, and to no one else", async () => {
    const { it, server, north, submit } = await office();
    await givenPerson(it, "ada", "repositorymaintainer").then((ada) => it.given.repositoryMaintainer(ada, north));
    await giveAddress(it, it.admin);
    const id = await submit("tidepool");
    const [mail] = await server.received(1);
    expect(mail).toMatchObject({
      to: "mara@example.org",
      subject: "Name of ren submitted tidepool 1.0.0 to north",
      encrypted: true,
    });
    expect(mail?.text).toMatch(/^1 submission is waiting for a decision\r?\n/);
    const address = `${it.deps.settings.publicUrl ?? "http://127.0.0.1:0"}/submissions?state=any&search=tidepool&open=${id}`;
    expect(mail?.text).toContain(address);
    expect(mail?.html).toContain(`<a href="${address.replaceAll("&", "&amp;")}">`);
    expect(mail?.html).toContain('<html lang="en">');
    expect(mail?.headers.get("auto-submitted")).toBe("auto-generated");
    const maintainer = await givenPerson(it, "pat", "packagemaintainer");
    await it.given.packageMaintainer(maintainer, north, "harbor");
    await submit("harbor");
    expect((await server.received(2)).map(short)[1]).toBe(
      "pat@example.org: Name of ren submitted harbor 1.0.0 to north",
    );
  });

  test("is mailed to others who may decide only if they chose so", async () => {
    const { it, north, server, submit, choose, notices } = await office();
    const ada = await givenPerson(it, "ada", "repositorymaintainer");
    await it.given.repositoryMaintainer(ada, north);
    const elsewhere = await givenPerson(it, "eve", "repositorymaintainer");
    for (const one of [ada, elsewhere]) await choose(one, { "mail/otherReviews": "atOnce" });
    await submit("tidepool");
    expect((await server.received(2)).map(({ to }) => to).sort()).toEqual(["ada@example.org", "mara@example.org"]);
    await until(async () => (await notices()).every(({ sent }) => sent));
    expect((await notices()).map(({ login, kind }) => `${login} ${kind}`).sort()).toEqual([
      "ada otherReviews",
      "mara reviews",
    ]);
  });

  test("is in one mail with those that follow it, in the language of the user", async () => {
    const { server, mara, submit, choose } = await office({ settings: { "mail.collectSeconds": 4 } });
    await choose(mara, { language: "pl-PL" });
    const names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];
    await Promise.all(names.map((name) => submit(name)));
    const [mail] = await server.received(1);
    expect(mail?.subject).toBe("6 zgłoszeń czeka na decyzję");
    for (const name of names) expect(mail?.text).toContain(`Nowe zgłoszenie w north: ${name} 1.0.0`);
    expect(mail?.html).toContain('<html lang="pl">');
    expect(server.attempts).toBe(1);
  });

  test.runIf(isLong)(
    "that is canceled is mailed again to those who got mail about it, and otherwise not at all",
    async () => {
      const { server, mara, ren, submit, decide, choose, notices } = await office();
      const first = await submit("tidepool");
      await server.received(1);
      await until(async () => (await notices()).every(({ sent }) => sent));
      await decide(ren, first, "CANCELLED");
      expect((await server.received(2)).map(short)[1]).toBe(
        "mara@example.org: Name of ren canceled the submission of tidepool 1.0.0 to north",
      );
      await choose(mara, { "mail/reviews": "daily" });
      const second = await submit("harbor");
      expect((await notices()).some(({ kind, sent }) => kind === "reviews" && !sent)).toBe(true);
      await decide(ren, second, "CANCELLED");
      expect((await notices()).filter(({ sent }) => !sent)).toEqual([]);
      expect(server.attempts).toBe(2);
    },
  );

  test("is not mailed to users who do not want it, cannot sign in, or have no address", async () => {
    const { it, mara, submit, choose, notices } = await office();
    await choose(mara, { "mail/reviews": "never" });
    await submit("never");
    await choose(mara, { "mail/reviews": "atOnce" });
    await it.deps.db.updateTable("users").set({ email: "mara@localhost" }).where("id", "=", mara.id).execute();
    await submit("without-address".replaceAll("-", "."));
    await giveAddress(it, { ...mara, login: "mara" });
    await it.deps.db.updateTable("users").set({ active: false }).where("id", "=", mara.id).execute();
    await submit("inactive");
    expect(await notices()).toEqual([]);
  });

  test.runIf(isLong)(
    "is not mailed once the user was deactivated, the choice was changed or the decision was made",
    async () => {
      const { it, server, north, mara, submit, decide, choose, notices } = await office({
        settings: { "mail.collectSeconds": 3 },
      });
      const pat = await givenPerson(it, "pat", "packagemaintainer");
      await it.given.packageMaintainer(pat, north, "gone");
      await submit("gone");
      await submit("decided").then((id) => decide(mara, id, "ACCEPTED"));
      await submit("unwanted");
      await choose(mara, { "mail/reviews": "never" });
      const admin = await it.as(it.admin);
      expect((await admin.patch(`/users/${pat.id}`, [replace("/active", false)])).http).toBe(200);
      expect((await server.received(1)).map(short)).toEqual([
        "ren@example.org: Name of mara accepted decided 1.0.0 for north",
      ]);
      await until(async () => (await notices()).length === 0);
      expect(server.attempts).toBe(1);
    },
  );
});

test("what happens while a mail about the same is being sent is in the next one", async () => {
  const { it, ren, submit, notices } = await office({ settings: { "mail.collectSeconds": 3600 } });
  const id = await submit("tidepool");
  const store = mailNotices(it.deps.db);
  const now = new Date();
  const due = { at: now, soon: now, daily: now };
  await store.addChangesAsked(id, due);
  const batch = crypto.randomUUID();
  await store.makeBatch(ren.id, now, batch);
  expect(await store.ofBatch(batch)).toHaveLength(1);
  expect(await store.addChangesAsked(id, due)).toEqual([ren.id]);
  await store.end(batch, now);
  expect(await notices()).toContainEqual({ login: "ren", kind: "decisions", sent: false });
  // Without a mail in between, one notice is enough.
  expect(await store.addChangesAsked(id, due)).toEqual([]);
});

describe("a comment", () => {
  test("is mailed to the submitter and to those who have taken part, but not to its author", async () => {
    const { it, server, mara, ren, submit, choose, notices } = await office();
    for (const user of [mara, it.admin]) await choose(user, { "mail/reviews": "never", "mail/otherReviews": "never" });
    await giveAddress(it, it.admin);
    const id = await submit("tidepool");
    const comment = async (by: { id: number }, text: string): Promise<number> =>
      (await (await it.as(by)).post(`/submissions/${id}/comments`, { text })).data.id;
    await comment(mara, "Why is **x** a list?");
    const [asked] = await server.received(1);
    expect(asked && short(asked)).toBe("ren@example.org: Name of mara commented on tidepool 1.0.0 in north");
    expect(asked?.text).toContain("  > Why is **x** a list?");
    await comment(ren, "For missing values.");
    const [, answered] = await server.received(2);
    expect(answered && short(answered)).toBe("mara@example.org: Name of ren commented on tidepool 1.0.0 in north");

    await choose(ren, { "mail/comments": "never" });
    await comment(it.admin, "Fine.");
    const mails = await server.received(3);
    expect(mails.slice(2).map(short)).toEqual(["mara@example.org: Administrator commented on tidepool 1.0.0 in north"]);
    await until(async () => (await notices()).length === 0);
  });
});

describe("a decision", () => {
  test("is mailed to the submitter, and none where the submitter may accept", async () => {
    const { it, server, mara, ren, submit, decide, choose, notices } = await office();
    await choose(mara, { "mail/reviews": "never" });
    await choose(ren, { language: "pl-PL" });
    await decide(mara, await submit("tidepool"), "ACCEPTED");
    await server.received(1);
    await decide(it.admin, await submit("harbor"), "REJECTED");
    expect((await server.received(2)).map(short)).toEqual([
      "ren@example.org: Zaakceptowane zgłoszenie w north: tidepool 1.0.0 (decyzja: Name of mara)",
      "ren@example.org: Odrzucone zgłoszenie w north: harbor 1.0.0 (decyzja: Administrator)",
    ]);
    const answer = await (await it.as(mara)).upload("R", await smallRPackage("own", "1.0.0"), { repository: "north" });
    expect([answer.http, answer.data.state]).toEqual([201, "ACCEPTED"]);
    await until(async () => (await notices()).length === 0);
  });

  test("is mailed with its reason, and so is a request for changes", async () => {
    const { it, server, mara, ren, submit, choose, notices } = await office();
    await choose(mara, { "mail/reviews": "never" });
    const decideOn = async (id: number, decision: string, reason: string) =>
      (await it.as(mara)).post(`/submissions/${id}/decision`, { decision, reason });
    await decideOn(await submit("tidepool"), "CHANGES", "Please *rename* x.");
    const [asked] = await server.received(1);
    expect(asked && short(asked)).toBe("ren@example.org: Name of mara asked for changes to tidepool 1.0.0 in north");
    expect(asked?.text).toContain("  > Please *rename* x.");
    const file = await smallRPackage("tidepool", "1.0.0", { Title: "Another" });
    const answer = await (await it.as(ren)).upload("R", file, { repository: "north" });
    await decideOn(answer.data.id, "REJECTED", "Still x.");
    const [, rejected] = await server.received(2);
    expect(rejected && short(rejected)).toBe("ren@example.org: Name of mara rejected tidepool 1.0.0 for north");
    expect(rejected?.text).toContain("  > Still x.");
    await until(async () => (await notices()).length === 0);
  });

  test("is not mailed to a submitter who may no longer read the repository", async () => {
    const { it, server, north, mara, ren, submit, decide, notices } = await office({
      settings: { readRights: [{ repository: "north", groups: ["staff"] }] },
    });
    const setGroups = (groups: string[]) =>
      it.deps.db.updateTable("users").set({ groups }).where("id", "=", ren.id).execute();
    await setGroups(["staff"]);
    const id = await submit("tidepool");
    await server.received(1);
    await setGroups([]);
    expect((await (await it.as(ren)).get(`/repositories/${north.id}`)).http).toBe(404);
    await decide(mara, id, "ACCEPTED");
    await until(async () => (await notices()).length === 0);
    expect(server.attempts).toBe(1);
  });

  test("is mailed to the submitter when someone else deletes what waits", async () => {
    const { it, server, mara, submit, notices } = await office();
    await submit("tidepool");
    await server.received(1);
    const { data } = await (await it.as(mara)).get("/packages?search=tidepool&submissionState=WAITING");
    const path = `/r/packages/${data.content[0].id}`;
    expect((await (await it.as(mara)).patch(path, [replace("/deleted", true)])).http).toBe(200);
    expect((await server.received(2)).map(short)[1]).toBe(
      "ren@example.org: Name of mara canceled your submission of tidepool 1.0.0 to north",
    );
    await until(async () => (await notices()).length === 0);
  });

  test("shows names of users as text, in headers and in HTML", async () => {
    const { it, server, mara, submit, decide } = await office();
    await it.deps.db
      .updateTable("users")
      .set({ name: `Mara <img src=x onerror="alert(1)">\r\nBcc: eve@example.org` })
      .where("id", "=", mara.id)
      .execute();
    const id = await submit("tidepool");
    await server.received(1);
    await decide(mara, id, "REJECTED");
    await server.received(2);
    for (const mail of server.mails) {
      expect(mail.headers.has("bcc")).toBe(false);
      expect(mail.html).not.toContain("<img");
    }
    expect(server.mails.map(({ html }) => html).join()).toContain(
      "Mara &lt;img src=x onerror=&quot;alert(1)&quot;&gt;",
    );
  });
});

describe("mail", () => {
  test("once a day comes at its hour, as one mail about all of it", async () => {
    let now = new Date("2026-03-01T12:00:00Z");
    const { it, server, mara, ren, submit, choose, notices } = await office({ clock: () => now });
    // What signs them in here ends after a day.
    await choose(ren, { "mail/tokens": "never" });
    await choose(mara, { "mail/reviews": "daily", "mail/tokens": "never" });
    await submit("tidepool");
    now = new Date("2026-03-01T18:00:00Z");
    await submit("harbor");
    now = new Date("2026-03-02T06:00:00Z");
    opened.push({ [Symbol.asyncDispose]: (await it.replica()).close });
    expect((await server.received(1)).map(short)).toEqual([
      "mara@example.org: 2 submissions are waiting for a decision",
    ]);
    await until(async () => (await notices()).every(({ sent }) => sent));
    expect(server.attempts).toBe(1);
  });

  test("about an access token comes once, in the last quarter of its life", async () => {
    let now = new Date("2026-03-01T12:00:00Z");
    const { it, server, ren, notices } = await office({ clock: () => now });
    const session = await it.bySession(ren);
    for (const [name, lifetime] of Object.entries({ "build server": 30, laptop: 1 }))
      expect((await session.post("/access-tokens", { name, lifetime })).http).toBe(200);
    const replicaAt = async (time: string) => {
      now = new Date(time);
      opened.push({ [Symbol.asyncDispose]: (await it.replica()).close });
    };
    await replicaAt("2026-03-02T05:59:00Z");
    await replicaAt("2026-03-02T06:00:00Z");
    await server.received(1);
    await replicaAt("2026-03-24T12:00:00Z");
    await server.received(2);
    await replicaAt("2026-03-25T12:00:00Z");
    await until(async () => (await notices()).every(({ sent }) => sent));
    expect(server.mails.map(short)).toEqual([
      "ren@example.org: The access token laptop expires on March 2, 2026",
      "ren@example.org: The access token build server expires on March 31, 2026",
    ]);
  });

  test.runIf(isLong)(
    "about a mirror comes when it begins to fail, to its maintainers and to administrators",
    async () => {
      const server = await startMailServer();
      const upstream = await startUpstream();
      opened.push(server);
      const north = await startMirroring(
        "R",
        { mirrors: [{ name: "upstream", uri: upstream.address }] },
        server.settings,
      );
      opened.push(north);
      const { it, id } = north;
      await giveAddress(it, it.admin);
      const mara = await givenPerson(it, "mara", "repositorymaintainer");
      await it.given.repositoryMaintainer(mara, { id });
      await givenPerson(it, "eve", "repositorymaintainer");
      // Neither can be sent before the next run, which begins without errors.
      server.next.push("postpone", "postpone");
      expect((await north.synchronize()).errors).not.toEqual([]);
      await until(async () => server.attempts === 2);
      const { rows } = await it.pool.query("select id from mirrors");
      await mirrors(it.deps.db).begin(rows[0].id, it.deps.clock());
      expect((await server.received(2)).map(short).sort()).toEqual([
        "admin@example.org: The mirror upstream of north is failing",
        "mara@example.org: The mirror upstream of north is failing",
      ]);
      expect(server.mails[0]?.raw).not.toContain(upstream.address);
      expect((await north.synchronize()).errors).not.toEqual([]);
      upstream.putRPackages([await smallRPackage("tidepool", "1.0.0")]);
      expect((await north.synchronize()).errors).toEqual([]);
      await upstream[Symbol.asyncDispose]();
      expect((await north.synchronize()).errors).not.toEqual([]);
      expect((await server.received(4)).map(({ to }) => to).sort()).toEqual([
        ...["admin@example.org", "admin@example.org", "mara@example.org", "mara@example.org"],
      ]);
    },
  );
});

describe("sending", () => {
  test.runIf(isLong)(
    "is tried again when the mail server postpones a mail, or breaks off after it: then as the same mail",
    async () => {
      const { server, submit, notices } = await office();
      server.next.push("postpone", "break");
      await submit("tidepool");
      const mails = await server.received(2);
      await until(async () => (await notices()).every(({ sent }) => sent));
      expect(server.attempts).toBe(3);
      expect(new Set(mails.map(({ headers }) => headers.get("message-id"))).size).toBe(1);
      expect(new Set(mails.map(short)).size).toBe(1);
    },
  );

  test.runIf(isLong)("ends when the mail server has accepted a mail three times without saying so", async () => {
    const { server, submit, notices } = await office();
    server.next.push("break", "break", "break");
    await submit("tidepool");
    await server.received(3);
    await until(async () => (await notices()).every(({ sent }) => sent));
    expect(server.attempts).toBe(3);
  });

  test("ends for a mail that the mail server refuses", async () => {
    const { server, submit, notices } = await office();
    server.next.push("refuse");
    await submit("tidepool");
    await until(async () => server.attempts === 1 && (await notices()).every(({ sent }) => sent));
    await submit("harbor");
    expect((await server.received(1)).map(short)).toEqual([
      "mara@example.org: Name of ren submitted harbor 1.0.0 to north",
    ]);
  });

  test("goes on after a restart, with nothing lost", async () => {
    const { it, server, submit } = await office({ settings: { "mail.port": 1 } });
    await submit("tidepool");
    await it.packhouse.close();
    const restarted = await it.replica(server.settings);
    opened.push({ [Symbol.asyncDispose]: restarted.close });
    expect((await server.received(1)).map(short)).toEqual([
      "mara@example.org: Name of ren submitted tidepool 1.0.0 to north",
    ]);
  });

  test.runIf(isLong)("by several replicas sends each mail once", async () => {
    const { it, server, north, submit, notices } = await office();
    opened.push({ [Symbol.asyncDispose]: (await it.replica()).close });
    const names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"];
    for (const name of names)
      await it.given.packageMaintainer(await givenPerson(it, `of-${name}`, "packagemaintainer"), north, name);
    await Promise.all(names.map((name) => submit(name)));
    await server.received(names.length);
    await until(async () => (await notices()).every(({ sent }) => sent));
    expect(server.mails.map(({ to }) => to).sort()).toEqual(names.map((name) => `of-${name}@example.org`).sort());
  });

  test("leaves out any number of notices at a time", async () => {
    const { it, submit, notices } = await office({ settings: { "mail.port": 1 } });
    await submit("tidepool");
    expect(await notices()).toHaveLength(1);
    await mailNotices(it.deps.db).drop(Array.from({ length: 70_000 }, (_, id) => id));
    expect(await notices()).toEqual([]);
  });

  test("does not happen without a mail server", async () => {
    const { submit, notices } = await office({ settings: { "mail.host": undefined } });
    await submit("tidepool");
    expect(await notices()).toEqual([]);
  });
});
