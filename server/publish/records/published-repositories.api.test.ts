import type { KyselyPlugin } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createListener, type Listener } from "../../platform/jobs/listener.ts";
import { createLog } from "../../platform/observability/log.ts";
import { startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { createPublishedRepositories, type PublishedRepositories } from "./published-repositories.ts";

let it: TestPackhouse;
let listener: Listener;
let repositories: PublishedRepositories;
/** What the answers of the database wait for. */
let gate: Promise<void> = Promise.resolve();
let reads = 0;
const heard: number[] = [];

const holdingAnswers: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    reads += 1;
    await gate;
    return result;
  },
};

beforeAll(async () => {
  it = await startPackhouse();
  listener = createListener(it.pool.options, createLog("silent"));
  repositories = createPublishedRepositories(it.deps.db.withPlugin(holdingAnswers), listener);
  await repositories.start();
  await listener.listen("repositories", (payload) => heard.push(Number(payload.split(" ")[0])));
});
afterAll(async () => {
  await listener?.close();
  await it.close();
});
beforeEach(() => {
  reads = 0;
});

/** Resolves when the notification has arrived. */
async function change(id: number, columns: { version: number } | { rendered_serial: number }): Promise<void> {
  heard.length = 0;
  await it.deps.db.updateTable("repositories").set(columns).where("id", "=", id).execute();
  await expect.poll(() => heard).toContain(id);
}

/** A repository of which all notifications have arrived. */
async function quietRepository(): Promise<{ id: number; name: string }> {
  const { id, name } = await it.given.repository("R");
  await change(id, { version: 1 });
  return { id, name };
}

const closeGate = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  return resolve;
};

test("clients that ask at once share a read", async () => {
  const { name } = await quietRepository();
  const found = await Promise.all(Array.from({ length: 20 }, () => repositories.byName(name)));
  expect(reads).toBe(1);
  expect(new Set(found).size).toBe(1);
  expect(found[0]).toMatchObject({ name });
  expect(repositories.known(name)).toBe(found[0]);
});

test("what is read while another repository changes is cached", async () => {
  const [{ name }, other] = [await quietRepository(), await quietRepository()];
  const open = closeGate();
  const found = repositories.byName(name);
  await expect.poll(() => reads).toBe(1);
  await change(other.id, { rendered_serial: 5 });
  open();
  const repository = await found;
  expect(repository).toBeDefined();
  expect(repositories.known(name)).toBe(repository);
});

test("who asks after a change does not get what was read before it", async () => {
  const { id, name } = await quietRepository();
  const open = closeGate();
  const before = repositories.byName(name);
  await expect.poll(() => reads).toBe(1);
  await change(id, { rendered_serial: 5 });
  const after = repositories.byName(name);
  open();
  expect((await before)?.serial).not.toBe(5);
  expect((await after)?.serial).toBe(5);
  expect(repositories.known(name)?.serial).toBe(5);
});

test("a repository that changes is served as before until it is read again", async () => {
  const { id, name } = await quietRepository();
  const before = await repositories.byName(name);
  const open = closeGate();
  await change(id, { rendered_serial: 5 });
  expect(await repositories.byName(name)).toBe(before);
  // The first read began before this change, so another one follows, for all who ask in the meantime.
  await change(id, { rendered_serial: 6 });
  const refreshed = Promise.all([repositories.refresh(id), repositories.refresh(id)]);
  open();
  await refreshed;
  expect(repositories.known(name)?.serial).toBe(6);
  expect(reads).toBe(3);
});

test("a repository of which clients see no change stays the same object", async () => {
  const { id, name } = await quietRepository();
  const before = await repositories.byName(name);
  await change(id, { version: 40 });
  await repositories.refresh(id);
  expect(repositories.known(name)).toBe(before);
});

test("a repository that is no longer published is forgotten", async () => {
  const { id, name } = await quietRepository();
  await repositories.byName(name);
  await it.deps.db.updateTable("repositories").set({ published: false }).where("id", "=", id).execute();
  await repositories.refresh(id);
  expect(repositories.known(name)).toBeUndefined();
  expect(await repositories.byName(name)).toBeUndefined();
});
