import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { isLong } from "@packhouse/fixtures/long-form";
import { freePort } from "@packhouse/server/testing/product";
import {
  isAlive,
  type Part,
  type StartedByNpm,
  socketFolderOf,
  startByNpm,
} from "@packhouse/server/testing/programs/started-by-npm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

/**
 * `npm start` is a chain: npm, the launchers, the server, its database. Whichever of them gets a signal, nothing of it
 * stays behind. Everything here is started in one folder and on one port, so each start also shows that the one
 * before left neither taken.
 */
const project = resolve(import.meta.dirname, "../..");
const expectedLines = [
  /^$/,
  /^> /, // npm's own
  /^npm warn Unknown (env|user) config /,
  /^(Building the (console|server)|Starting)…$/,
  /^The (console|server) is built \([\d.]+ s\)\.$/,
  /^Packhouse is ready at http:\/\/localhost:\d+$/,
  /^Press Ctrl-C to stop it\.$/,
];
const signals = ["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const;

let dataDir: string;
let port: number;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "packhouse-npm-start-"));
  port = await freePort();
});
afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

async function started(
  more: Record<string, string | undefined> = {},
  isUp: (product: StartedByNpm) => Promise<boolean> | boolean = serves,
): Promise<StartedByNpm> {
  const product = startByNpm({
    PACKHOUSE_PORT: String(port),
    PACKHOUSE_DATA_DIR: dataDir,
    PACKHOUSE_ADMIN_PASSWORD: "administrator's password",
    PACKHOUSE_TEST_ON: undefined,
    ...more,
  });
  const gone = product.ended.then(() => "gone" as const);
  const outcome = await Promise.race([
    vi.waitUntil(() => isUp(product), { timeout: 120_000, interval: 50 }).catch(() => false),
    gone,
  ]);
  if (outcome === true) return product;
  product.npm.kill("SIGTERM");
  throw new Error(`npm start does not serve:\n${product.output()}`);
}

/** With the database behind it. */
const serves = (): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/actuator/health`).then(
    ({ ok }) => ok,
    () => false,
  );

const isTaken = (): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/actuator/health`).then(
    () => true,
    () => false,
  );

async function expectNothingLeft(pids: readonly number[], socketFolder: string): Promise<void> {
  const left = async () => [
    ...pids.filter(isAlive).map((pid) => `process ${pid}`),
    ...[join(dataDir, "database/postmaster.pid"), socketFolder].filter((path) => existsSync(path)),
    ...((await isTaken()) ? [`port ${port}`] : []),
  ];
  await vi.waitUntil(async () => (await left()).length === 0, { timeout: 30_000, interval: 50 }).catch(() => {});
  expect(await left()).toEqual([]);
}

async function startAndKill(part: Part, signal: NodeJS.Signals, environment = {}): Promise<void> {
  const product = await started(environment);
  const parts = product.parts();
  const pid = parts[part];
  if (pid === undefined || parts.server === undefined || parts.database === undefined) {
    product.npm.kill("SIGTERM");
    throw new Error(`there is no ${part} among ${JSON.stringify(parts)}`);
  }
  const socketFolder = await socketFolderOf(dataDir);
  process.kill(pid, signal);
  await product.ended;
  await expectNothingLeft(Object.values(parts), socketFolder);
}

describe.runIf(process.platform === "linux")("npm start", () => {
  test("prints what concerns people, and leaves no shell in between that would swallow a signal", async () => {
    // As at the first start of a fresh clone; in `npm test`, browser tests use the console at the same time.
    if (isLong) await rm(join(project, "console/dist/.built-from"), { force: true });
    const programs = await mkdtemp(join(tmpdir(), "packhouse-npm-start-programs-"));
    await writeFile(join(programs, "bwrap"), "#!/bin/sh\nexit 1\n", { mode: 0o755 }); // most machines have no sandbox
    const product = await started(
      { PATH: `${programs}${delimiter}${process.env.PATH}` },
      // Not by calls, which a busy server might report as late.
      (it) => it.output().includes("Press Ctrl-C"),
    );
    const parts = product.parts();
    const socketFolder = await socketFolderOf(dataDir);
    product.npm.kill("SIGTERM");
    await product.ended;
    await expectNothingLeft(Object.values(parts), socketFolder);
    await rm(programs, { recursive: true });
    expect(parts.shell).toBeUndefined();
    const words = product.output().split("\n");
    expect(words.filter((line) => !expectedLines.some((pattern) => pattern.test(line)))).toEqual([]);
  }, 180_000);

  // On Node 24 the launcher goes on as the start itself.
  const cases = isLong
    ? (["npm", "launcher", "server"] as const).flatMap((part) => signals.map((signal) => [part, signal] as const))
    : ([["server", "SIGKILL"]] as const);
  test.each(cases)("whose %s gets %s leaves nothing behind", startAndKill, 60_000);

  test("ends once for Ctrl-C, which all of its processes get", async () => {
    const product = await started();
    const parts = product.parts();
    const socketFolder = await socketFolderOf(dataDir);
    process.kill(-(product.npm.pid ?? 0), "SIGINT");
    await product.ended;
    await expectNothingLeft(Object.values(parts), socketFolder);
    expect(product.output()).not.toMatch(/error:|^\s+at /im);
  }, 60_000);

  test.runIf(isLong)(
    "survives the end of what reads its output, and stops on SIGTERM",
    async () => {
      const product = await started({ PACKHOUSE_LOG_LEVEL: "debug" });
      const parts = product.parts();
      const socketFolder = await socketFolderOf(dataDir);
      product.npm.stdout?.destroy();
      product.npm.stderr?.destroy();
      for (let count = 0; count < 20; count += 1) expect(await serves()).toBe(true);
      process.kill(parts.server ?? 0, "SIGTERM");
      await product.ended;
      await expectNothingLeft(Object.values(parts), socketFolder);
    },
    60_000,
  );

  test.runIf(isLong).each(signals)(
    "serves again after its database got %s, and leaves nothing behind",
    async (signal) => {
      const product = await started();
      const before = product.parts();
      process.kill(before.database ?? 0, signal);
      if (signal !== "SIGHUP")
        await vi.waitUntil(() => product.parts().database !== before.database && product.parts().database, {
          timeout: 30_000,
        });
      await vi.waitUntil(serves, { timeout: 30_000 });
      const parts = product.parts();
      const socketFolder = await socketFolderOf(dataDir);
      expect(parts.server).toBe(before.server);
      product.npm.kill("SIGTERM");
      await product.ended;
      await expectNothingLeft([...Object.values(before), ...Object.values(parts)], socketFolder);
    },
    90_000,
  );

  test.runIf(isLong).each(["SIGTERM", "SIGINT"] as const)(
    "that gets %s while it starts leaves nothing behind",
    async (signal) => {
      const product = startByNpm({ PACKHOUSE_PORT: String(port), PACKHOUSE_DATA_DIR: dataDir });
      const parts = await vi.waitUntil(() => product.parts().database && product.parts(), {
        timeout: 60_000,
        interval: 5,
      });
      product.npm.kill(signal);
      await product.ended;
      await expectNothingLeft(Object.values(parts), join(dataDir, "no-socket"));
    },
    90_000,
  );
});

/** The launcher is a process of its own only on a Node that is too old for the server. */
const older = (process.env.PATH ?? "").split(delimiter).find((folder) => {
  const node = join(folder, "node");
  if (!existsSync(node) || !existsSync(join(folder, "npm"))) return false;
  return Number(/^v(\d+)/.exec(spawnSync(node, ["--version"]).stdout.toString())?.[1]) < 24;
});
const hasNode24 = existsSync(join(project, ".cache"));
if (isLong && (!older || !hasNode24))
  process.stdout.write("npm start on an older Node is left out: there is none here.\n");

describe.runIf(isLong && process.platform === "linux" && older && hasNode24)("npm start on an older Node", () => {
  const environment = { PATH: `${older}${delimiter}${process.env.PATH}` };
  const cases = (["npm", "launcher", "start", "server"] as const).flatMap((part) =>
    (["SIGTERM", "SIGKILL"] as const).map((signal) => [part, signal] as const),
  );
  test.each(cases)(
    "whose %s gets %s leaves nothing behind",
    async (part, signal) => {
      await startAndKill(part, signal, environment);
    },
    60_000,
  );
});
