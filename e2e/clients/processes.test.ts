import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiUser, signIn } from "@packhouse/server/testing/product";
import { isAlive } from "@packhouse/server/testing/programs/started-by-npm";
import { type Processes, startProcesses } from "@packhouse/server/testing/several-processes/processes";
import { smallWheel } from "@packhouse/server/testing/small-packages";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { pip } from "./programs.ts";
import { untilItSucceeds } from "./replica-work.ts";

const password = "administrator's password";
const atOnce = { timeout: 60_000, interval: 50 };

let product: Processes;
let administrator: ApiUser;
let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "packhouse-processes-"));
  product = await startProcesses(3, { PACKHOUSE_ADMIN_PASSWORD: password, PACKHOUSE_GENERATE_MANUALS: "false" });
  administrator = await signIn(product, "admin", password);
  await administrator.createRepository("Python", "shared");
}, 180_000);
afterAll(async () => {
  await product?.stop();
  await rm(scratch, { recursive: true, force: true });
});

/** Each request on a connection of its own, so that all processes get some. */
const page = async (project: string) => {
  const answer = await fetch(`${product.address}/repo/shared/simple/${project}/`, { headers: { connection: "close" } });
  return { status: answer.status, text: await answer.text() };
};
const uploaded = async (name: string) => {
  const file = await smallWheel(name, "1.0");
  // A kept connection may have led to the process that was killed.
  await untilItSucceeds(() => administrator.upload("Python", "shared", file));
};
/** `ps` no longer shows the arguments of a process that still holds its connections. */
const ended = (pid: number) => vi.waitUntil(() => !isAlive(pid), atOnce);
const servedByAll = (name: string) =>
  vi.waitUntil(async () => {
    const answers = await Promise.all(Array.from({ length: 9 }, () => page(name)));
    return answers.every(({ status, text }) => status === 200 && text.includes(`${name}-1.0`));
  }, atOnce);

test("several processes on one port start as one server, with one database", () => {
  expect(product.processes()).toHaveLength(3);
  expect(product.output().match(/Packhouse is ready at/g)).toHaveLength(1);
  const databases = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(`-D ${product.dataDir}/database`));
  expect(databases).toHaveLength(1);
});

test("a release that one of them stores is served by all, and pip installs it", async () => {
  await uploaded("harbor");
  await servedByAll("harbor");
  const index = `${product.address}/repo/shared/simple/`;
  await pip("install", "--quiet", "--no-deps", "--index-url", index, "--target", join(scratch, "target"), "harbor");
  expect(existsSync(join(scratch, "target/harbor-1.0.dist-info"))).toBe(true);
});

test("a process that is killed is replaced, while the others serve", async () => {
  await uploaded("buoy");
  await servedByAll("buoy");
  const [, killed = 0] = product.processes();
  process.kill(killed, "SIGKILL");
  await ended(killed);
  expect((await page("buoy")).status).toBe(200);
  await product.whenComplete();
  expect(product.processes()).not.toContain(killed);
  await servedByAll("buoy");
});

test("when the one that leads is killed, another one runs its jobs", async () => {
  // It started before the others.
  const [leader = 0] = product.processes();
  process.kill(leader, "SIGKILL");
  await ended(leader);
  await uploaded("lantern");
  await servedByAll("lantern");
  await product.whenComplete();
  // The one that leads now is not the one that takes the place of the first.
  await uploaded("mooring");
  await servedByAll("mooring");
});

test("a signal ends all of them and the database, after what they were sending", async () => {
  await product.whenComplete();
  const processes = product.processes();
  const postmaster = Number.parseInt(readFileSync(join(product.dataDir, "database/postmaster.pid"), "utf8"), 10);
  const reading = Promise.all(Array.from({ length: 30 }, () => page("harbor").catch(() => undefined)));
  expect(await product.end("SIGTERM")).toBe(0);
  for (const answer of await reading) if (answer) expect(answer.text).toContain("harbor-1.0");
  // An ended one is listed until the system has taken note of it.
  for (const pid of [...processes, postmaster]) await ended(pid);
});
