import { roles } from "@packhouse/contract/roles";
import { type ApiUser, type Product, signIn } from "@packhouse/server/testing/product";
import { packhouseCommand } from "@packhouse/server/testing/programs/command-line";
import { type Replicas, startReplicas } from "@packhouse/server/testing/several-processes/replicas";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";

const password = "administrator's password";
/** The manual says a second; a machine of tests that does much else may be slower. */
const atOnce = { timeout: 15_000, interval: 10 };

let replicas: Replicas;
let first: Product;
let others: Product[];
let administrator: ApiUser;

beforeAll(async () => {
  replicas = await startReplicas(3, {
    PACKHOUSE_ADMIN_PASSWORD: password,
    PACKHOUSE_PEOPLE: JSON.stringify(
      ["promoted", "leaver", "owner", "settled", "attacked", "rotated"].map((login) => ({ login, password })),
    ),
    PACKHOUSE_GENERATE_MANUALS: "false",
  });
  const [one, ...rest] = replicas.running;
  if (!one) throw new Error("no replica runs");
  first = one;
  others = rest;
  administrator = await signIn(first, "admin", password);
}, 180_000);
afterAll(async () => {
  await replicas?.stop();
});

/** The same person, with the same token, at another replica. */
const statusAt = (replica: Product, path: string, authorization: string) =>
  fetch(replica.address + path, { headers: { authorization } }).then(({ status }) => status);
const api = (path: string) => `/api/v2/manager${path}`;
const basic = (login: string, value: string) => `Basic ${Buffer.from(`${login}:${value}`).toString("base64")}`;

/** Waits until all other replicas give this answer, measured from the end of the call that caused it; prints how long it took. */
async function soonEverywhere(what: string, path: string, authorization: string, status: number): Promise<void> {
  const started = performance.now();
  await Promise.all(
    others.map((replica) =>
      vi.waitUntil(async () => (await statusAt(replica, path, authorization)) === status, atOnce),
    ),
  );
  process.stdout.write(`${what} held on all replicas after ${Math.round(performance.now() - started)} ms\n`);
}

async function personId(login: string): Promise<number> {
  const { data } = await administrator.call("GET", `/users?search=${login}`);
  const { content } = z.object({ content: z.array(z.object({ id: z.number(), login: z.string() })) }).parse(data);
  const found = content.find((person) => person.login === login);
  if (!found) throw new Error(`no person ${login}`);
  return found.id;
}
const replaced = (path: string, value: unknown) => [{ op: "replace", path, value }];

describe("what one of three replicas does", () => {
  test("an index that one renders is served by all within a second", async () => {
    await administrator.createRepository("R", "swift");
    const slowest: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      const name = `swift${count}`;
      const file = await smallRPackage(name, "1.0.0");
      await administrator.upload("R", "swift", file);
      const started = performance.now();
      await Promise.all(
        replicas.running.map(({ address }) =>
          vi.waitUntil(async () => {
            const index = await fetch(`${address}/repo/swift/src/contrib/PACKAGES`);
            return (await index.text()).includes(`Package: ${name}\n`);
          }, atOnce),
        ),
      );
      slowest.push(performance.now() - started);
    }
    slowest.sort((a, b) => a - b);
    process.stdout.write(
      `after the answer an index was served by all three within ${Math.round(slowest[10] ?? 0)} ms (median of 20), ${Math.round(slowest.at(-1) ?? 0)} ms (longest)\n`,
    );
  });

  test("a new role counts on all immediately", async () => {
    const promoted = await signIn(first, "promoted", password);
    for (const replica of others) expect(await statusAt(replica, api("/users"), `Bearer ${promoted.token}`)).toBe(403);
    const admin = roles.find(({ name }) => name === "admin");
    await administrator.call("PATCH", `/users/${await personId("promoted")}`, replaced("/roleId", admin?.id));
    for (const replica of others) expect(await statusAt(replica, api("/users"), `Bearer ${promoted.token}`)).toBe(200);
  });

  test("a deactivated user is refused by all immediately", async () => {
    const leaver = await signIn(first, "leaver", password);
    for (const replica of others) expect(await statusAt(replica, api("/users/me"), `Bearer ${leaver.token}`)).toBe(200);
    await administrator.call("PATCH", `/users/${await personId("leaver")}`, replaced("/active", false));
    for (const replica of others) expect(await statusAt(replica, api("/users/me"), `Bearer ${leaver.token}`)).toBe(401);
  });

  test("a repository becomes private, and a token is revoked, on all", async () => {
    const id = await administrator.createRepository("R", "closing");
    const index = "/repo/closing/src/contrib/PACKAGES";
    // Each has it in its memory.
    for (const replica of replicas.running) expect((await fetch(replica.address + index)).status).toBe(200);
    await administrator.call("PATCH", `/r/repositories/${id}`, replaced("/requiresAuthentication", true));
    await soonEverywhere("a repository that became private", index, "", 401);

    const owner = await signIn(first, "owner", password);
    const { data } = await owner.call("POST", "/access-tokens", { name: "reading", lifetime: "30" });
    const token = z.object({ id: z.number(), value: z.string() }).parse(data);
    for (const replica of others) expect(await statusAt(replica, index, basic("owner", token.value))).toBe(200);
    await owner.call("PATCH", `/access-tokens/${token.id}`, replaced("/active", false));
    for (const replica of others) expect(await statusAt(replica, index, basic("owner", token.value))).toBe(401);
  });

  test("settings of a user are the same on all immediately", async () => {
    const settled = await signIn(first, "settled", password);
    const id = await personId("settled");
    await settled.call("PATCH", `/user-settings/${id}`, replaced("/pageSize", 37));
    for (const replica of others) {
      const answer = await fetch(replica.address + api(`/user-settings/${id}`), {
        headers: { authorization: `Bearer ${settled.token}` },
      });
      const { data } = z.object({ data: z.object({ pageSize: z.number() }) }).parse(await answer.json());
      expect(data.pageSize).toBe(37);
    }
  });

  test("failed sign-ins at different ones count together", async () => {
    const attempt = async (replica: Product) => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ login: "attacked", password: "guessed" });
      return (await fetch(`${replica.address}/login`, { method: "POST", headers, body })).status;
    };
    const answers: number[] = [];
    for (let count = 0; count < 10; count += 1) {
      const replica = replicas.running[count % 3];
      if (replica) answers.push(await attempt(replica));
      if (answers.at(-1) === 429) break;
    }
    expect(answers.filter((status) => status === 401).length).toBe(5);
    for (const replica of replicas.running) expect(await attempt(replica)).toBe(429);
  });

  test("a new key of sessions holds on all", async () => {
    const rotated = await signIn(first, "rotated", password);
    const me = api("/users/me");
    for (const replica of replicas.running) expect(await statusAt(replica, me, `Bearer ${rotated.token}`)).toBe(200);
    const ended = await packhouseCommand(["sessions", "end-all"], { environment: replicas.environment });
    expect(ended).toMatchObject({ code: 0 });
    await soonEverywhere("a new key of sessions", me, `Bearer ${rotated.token}`, 401);
    // What one issues now, the others accept.
    const again = await signIn(first, "rotated", password);
    for (const replica of others) expect(await statusAt(replica, me, `Bearer ${again.token}`)).toBe(200);
  });
});
