import { connect } from "node:net";
import { choosePassword } from "@packhouse/contract/operations/passwords";
import * as secondStep from "@packhouse/contract/operations/second-step";
import { signIn, signInAddresses } from "@packhouse/contract/operations/sign-in";
import { isLong } from "@packhouse/fixtures/long-form";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type Client,
  startPackhouse,
  type TestAnswer,
  type TestOptions,
  type TestPackhouse,
} from "../../testing/packhouse.ts";
import { type SmallPackage, smallRPackage, smallSdist } from "../../testing/small-packages.ts";

let open: TestPackhouse | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});
async function start(settings: TestOptions["settings"] & {}): Promise<TestPackhouse> {
  open = await startPackhouse({ settings });
  return open;
}

/** What a client learns from a refusal. */
const refusal = ({ http, messageCode, data, headers }: TestAnswer) => ({
  http,
  messageCode,
  data,
  retryAfter: headers.get("retry-after"),
  policy: headers.get("ratelimit-policy"),
  left: headers.get("ratelimit"),
});
const countOf = (answers: readonly TestAnswer[], code: string) =>
  answers.filter(({ messageCode }) => messageCode === code).length;
const metric = async (it: TestPackhouse, name: string) => {
  const text = await (await (await it.bySession(it.admin)).request("/actuator/prometheus")).text();
  return Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${name} `))
      ?.split(" ")
      .at(-1),
  );
};

describe("waiting submissions", () => {
  test("are limited per user, also for concurrent uploads to several repositories", async () => {
    const it = await start({ "limits.waiting.perUser": 5 });
    const homes = [await it.given.repository("R"), await it.given.repository("R")];
    const user = await it.as(await it.given.person("uploader"));
    const files = await Promise.all(Array.from({ length: 40 }, (_, n) => smallRPackage(`harbor${n}`, "1.0")));
    const answers = await Promise.all(
      files.map((file, n) => user.upload("R", file, { repository: homes[n % 2]?.name ?? "" })),
    );
    expect(countOf(answers, "success.resource.created")).toBe(5);
    expect(countOf(answers, "too.many.waiting.submissions")).toBe(35);
    expect(answers.map(refusal)).toContainEqual({
      http: 429,
      messageCode: "too.many.waiting.submissions",
      data: { limit: "limits.waiting.perUser", allowed: 5, retryAfterSeconds: 300 },
      retryAfter: "300",
      policy: '"waiting-submissions";q=5',
      left: '"waiting-submissions";r=0;t=300',
    });
    expect(await metric(it, 'packhouse_limit_refusals_total{limit="too.many.waiting.submissions"}')).toBe(35);
    expect(await metric(it, "packhouse_submissions_waiting")).toBe(5);
    expect(await metric(it, "packhouse_submissions_waiting_most_per_user")).toBe(5);
    const { rows } = await it.pool.query("select count(*) as count from packages");
    expect(rows[0].count).toBe(5);

    // Other users are not affected, and uploads that are accepted immediately never wait.
    const other = await it.as(await it.given.person("other"));
    const [first, second] = [await smallRPackage("cove", "1.0"), await smallRPackage("bay", "1.0")];
    expect((await other.upload("R", first, { repository: homes[0]?.name ?? "" })).http).toBe(201);
    const admin = await it.as(it.admin);
    expect((await admin.upload("R", second, { repository: homes[0]?.name ?? "" })).http).toBe(201);

    // A decision makes room for one more, and replacing a waiting one needs no room.
    const [waiting] = (await user.get("/submissions?state=WAITING&size=1")).data.content;
    const patch = [{ op: "replace", path: "/state", value: "CANCELLED" }];
    expect((await user.patch(`/r/submissions/${waiting.id}`, patch)).http).toBe(200);
    const third = await smallRPackage("shoal", "1.0");
    const repository = homes[0]?.name ?? "";
    expect((await user.upload("R", third, { repository })).http).toBe(201);
    expect((await user.upload("R", third, { repository, replace: "true" })).http).toBe(201);
    expect((await user.upload("R", await smallRPackage("ria", "1.0"), { repository })).http).toBe(429);
  }, 60_000);

  test.runIf(isLong)(
    "are limited per repository, for all users together",
    async () => {
      const it = await start({ "limits.waiting.perRepository": 3 });
      const [home, other] = [await it.given.repository("R"), await it.given.repository("R")];
      const users = await Promise.all(["ada", "bea", "cem"].map(async (login) => it.as(await it.given.person(login))));
      const files = await Promise.all(Array.from({ length: 12 }, (_, n) => smallRPackage(`harbor${n}`, "1.0")));
      const answers = await Promise.all(
        files.map((file, n) => (users[n % 3] as Client).upload("R", file, { repository: home.name })),
      );
      expect(countOf(answers, "success.resource.created")).toBe(3);
      expect(countOf(answers, "too.many.waiting.submissions.in.repository")).toBe(9);
      const elsewhere = await users[0]?.upload("R", await smallRPackage("cove", "1.0"), { repository: other.name });
      expect(elsewhere?.http).toBe(201);
    },
    60_000,
  );

  test("have a limited total size per user", async () => {
    const file = await smallRPackage("harbor", "1.0");
    const it = await start({ "limits.waiting.bytesPerUser": file.bytes.length });
    const { name: repository } = await it.given.repository("R");
    const user = await it.as(await it.given.person("uploader"));
    expect((await user.upload("R", file, { repository })).http).toBe(201);
    const refused = await user.upload("R", await smallRPackage("cove", "1.0"), { repository });
    expect(refusal(refused)).toMatchObject({
      http: 429,
      messageCode: "too.many.waiting.bytes",
      data: { limit: "limits.waiting.bytesPerUser", allowed: file.bytes.length },
      policy: `"waiting-bytes";q=${file.bytes.length};qu="content-bytes"`,
    });
  });

  test("count what reviewers compare a replaced file with", async () => {
    const [first, second, third] = [
      await smallRPackage("harbor", "1.0", { Title: "First" }),
      await smallRPackage("harbor", "1.0", { Title: "Second" }),
      await smallRPackage("cove", "1.0"),
    ];
    const allowed = second.bytes.length + third.bytes.length;
    const it = await start({ "limits.waiting.bytesPerUser": allowed });
    const { name: repository } = await it.given.repository("R");
    const user = await it.as(await it.given.person("uploader"));
    const upload = (file: SmallPackage) => user.upload("R", file, { repository, replace: "true" });
    for (const file of [first, second]) expect((await upload(file)).http).toBe(201);
    const refused = await upload(third);
    expect(refusal(refused)).toMatchObject({ http: 429, messageCode: "too.many.waiting.bytes" });
    // A file that takes the place of another one is not refused because of that one.
    expect((await upload(first)).http).toBe(201);
  });

  test.runIf(isLong)("by the upload API of twine are refused with the same status", async () => {
    const it = await start({ "limits.waiting.perUser": 1 });
    const { name } = await it.given.repository("Python");
    const user = await it.as(await it.given.person("uploader"));
    const upload = async (n: number) => {
      const file = await smallSdist(`harbor${n}`, "1.0");
      const form = new FormData();
      form.append(":action", "file_upload");
      form.append("content", new Blob([new Uint8Array(file.bytes)]), file.fileName);
      return user.request(`/repo/${name}/legacy/`, { method: "POST", body: form });
    };
    expect((await upload(1)).status).toBe(200);
    const refused = await upload(2);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "300"]);
    expect(refused.statusText).toContain("waiting for a decision");
  });
});

describe("calls of the API", () => {
  test("are limited per minute and user", async () => {
    const it = await start({ "limits.calls.perUser": 20 });
    const [ada, bea] = [await it.as(await it.given.person("ada")), await it.as(await it.given.person("bea"))];
    const first = await ada.get("/version");
    expect(first.headers.get("ratelimit-policy")).toBe('"calls";q=20;w=60');
    expect(first.headers.get("ratelimit")).toMatch(/^"calls";r=19;t=\d+$/);
    const answers = await Promise.all(Array.from({ length: 40 }, () => ada.get("/version")));
    const refused = answers.filter(({ http }) => http === 429);
    expect(refused.length).toBeGreaterThan(15);
    expect(refused.map(refusal)[0]).toEqual({
      http: 429,
      messageCode: "too.many.calls",
      data: { limit: "limits.calls.perUser", allowed: 20, retryAfterSeconds: expect.any(Number) },
      retryAfter: expect.stringMatching(/^[1-9]$/),
      policy: '"calls";q=20;w=60',
      left: expect.stringMatching(/^"calls";r=0;t=[1-9]$/),
    });
    expect((await bea.get("/version")).http).toBe(200);
    // It fills again.
    await vi.waitUntil(async () => (await ada.get("/version")).http === 200, { timeout: 15_000, interval: 500 });
  }, 60_000);

  test.runIf(isLong)("by several tokens of one user count together", async () => {
    const it = await start({ "limits.calls.perUser": 20 });
    const ada = await it.given.person("ada");
    const clients = [await it.as(ada), await it.as(ada), await it.bySession(ada)];
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => (clients[n % 3] as Client).get("/version")));
    expect(answers.filter(({ http }) => http === 200).length).toBeLessThan(30);
  });

  test("are limited per address, with ten times the cost for unauthenticated requests", async () => {
    // One unit comes back every six seconds.
    const it = await start({ "limits.calls.perAddress": 10 });
    const wrong = () =>
      it.anonymous.request("/api/v2/manager/packages", { headers: { authorization: "Bearer wrong" } });
    // One after the other: what failed is only known at its end, so requests at the same time may all be tried.
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length < 40) statuses.push((await wrong()).status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    const known = await it.as(it.admin);
    expect((await known.get("/version")).messageCode).toBe("too.many.calls.from.address");
    for (const step of [signIn, ...Object.values(secondStep), choosePassword])
      for (const address of signInAddresses(step))
        expect([address, (await it.anonymous.request(address, { method: "POST" })).status]).toEqual([address, 429]);
  });

  test("do not limit package installation", async () => {
    const it = await start({ "limits.calls.perUser": 1, "limits.calls.perAddress": 10 });
    const { name } = await it.given.repository("R", { requiresAuthentication: true });
    const user = await it.as(await it.given.person("reader"));
    for (let n = 0; n < 50; n += 1) expect((await user.request(`/repo/${name}/src/contrib/PACKAGES`)).status).toBe(200);
    expect((await user.request("/actuator/health")).status).toBe(200);
  });

  test("trust a forwarded address from trusted proxies only", async () => {
    const spread = async (it: TestPackhouse) => {
      const user = await it.as(it.admin);
      const answers = Array.from({ length: 30 }, (_, n) =>
        user.request("/api/v2/manager/version", { headers: { "x-forwarded-for": `198.51.100.${n}` } }),
      );
      return (await Promise.all(answers)).filter(({ status }) => status === 429).length;
    };
    expect(await spread(await start({ "limits.calls.perAddress": 10 }))).toBeGreaterThan(10);
    await open?.close();
    const behind = await start({ "limits.calls.perAddress": 10, trustedProxies: ["127.0.0.1"] });
    expect(await spread(behind)).toBe(0);
  });
});

describe("uploads", () => {
  test("are limited per minute and user", async () => {
    const it = await start({ "limits.uploads.perUser": 3 });
    const { name: repository } = await it.given.repository("R");
    const admin = await it.as(it.admin);
    const files = await Promise.all(Array.from({ length: 8 }, (_, n) => smallRPackage(`harbor${n}`, "1.0")));
    const answers = await Promise.all(files.map((file) => admin.upload("R", file, { repository })));
    expect(countOf(answers, "success.resource.created")).toBe(3);
    expect(countOf(answers, "too.many.uploads")).toBe(5);
  });

  test("wait for a slot, of which one user gets at most half", async () => {
    const it = await start({ "upload.parallel": 2, "upload.queue": 1 });
    const { name: repository } = await it.given.repository("R");
    const [ada, bea] = [await it.as(await it.given.person("ada")), await it.as(await it.given.person("bea"))];
    /** An upload that has started and stalls. */
    const stalled = (client: Client) => {
      const { hostname, port } = new URL(it.address);
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {});
      socket.write(
        `POST /api/v2/manager/r/submissions HTTP/1.1\r\nhost: localhost\r\nauthorization: ${client.authorization}\r\n` +
          "content-type: multipart/form-data; boundary=line\r\ncontent-length: 100000\r\n\r\n--line\r\n",
      );
      return socket;
    };
    const { uploads } = it.deps.limits;
    const first = stalled(ada);
    await vi.waitUntil(() => uploads.running === 1, { timeout: 30_000 });
    const second = stalled(ada);
    await vi.waitUntil(() => uploads.waiting === 1, { timeout: 30_000 });
    expect(uploads.running).toBe(1);
    expect(await metric(it, "packhouse_uploads_queued")).toBe(1);
    // Her queue is full, and another user has a slot.
    const full = await ada.upload("R", await smallRPackage("harbor", "1.0"), { repository });
    expect([full.http, full.headers.get("retry-after")]).toEqual([503, "5"]);
    const byTwine = await ada.request(`/repo/${repository}/legacy/`, { method: "POST", body: new FormData() });
    expect([byTwine.status, byTwine.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await metric(it, 'packhouse_unavailable_total{reason="uploads"}')).toBe(2);
    expect((await bea.upload("R", await smallRPackage("harbor", "1.0"), { repository })).http).toBe(201);
    second.destroy();
    await vi.waitUntil(() => uploads.waiting === 0, { timeout: 30_000 });
    first.destroy();
    await vi.waitUntil(() => uploads.running === 0, { timeout: 30_000 });
    expect((await ada.upload("R", await smallRPackage("cove", "1.0"), { repository })).http).toBe(201);
  });
});

describe("access tokens", () => {
  test("are limited per user, also when created concurrently", async () => {
    const it = await start({ "limits.accessTokens.perUser": 5 });
    const user = await it.bySession(await it.given.person("ada"));
    const create = (name: string, lifetime = 30) => user.post("/access-tokens", { name, lifetime });
    await create("short", 1);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => create(`token ${n}`)));
    expect(countOf(answers, "success.request.processed")).toBe(4);
    const refused = answers.find(({ http }) => http === 429);
    expect(refused?.messageCode).toBe("too.many.access.tokens");
    // The first of them expires in a day.
    expect(refused?.data.retryAfterSeconds).toBeGreaterThan(86_000);
    expect(refused?.data.retryAfterSeconds).toBeLessThanOrEqual(86_400);
    const [one] = (await user.get("/access-tokens?size=1")).data.content;
    expect((await user.delete(`/access-tokens/${one.id}`)).http).toBe(204);
    expect((await create("again")).http).toBe(200);
  });

  test("cannot pile up by being deactivated", async () => {
    const it = await start({ "limits.accessTokens.perUser": 1 });
    const user = await it.bySession(await it.given.person("ada"));
    for (let n = 0; n < 10; n += 1) {
      const { data } = await user.post("/access-tokens", { name: `token ${n}` });
      expect(
        (await user.patch(`/access-tokens/${data.id}`, [{ op: "replace", path: "/active", value: false }])).http,
      ).toBe(200);
    }
    expect((await user.post("/access-tokens", { name: "one more" })).messageCode).toBe("too.many.access.tokens");
  });
});
