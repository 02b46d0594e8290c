import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { isLong } from "@packhouse/fixtures/long-form";
import { freePort, type Product, startProduct } from "@packhouse/server/testing/product";
import { keepCompiled } from "@packhouse/server/testing/programs/compiled";
import { productProgram } from "@packhouse/server/testing/programs/product-program";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

/** What stands in the way of a start is one sentence with what to do, never a stack. */
const asRoot = process.getuid?.() === 0;
const stranger = 54_321;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "packhouse-obstacles-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

interface Outcome {
  code: number;
  message: string;
}

async function start(
  environment: Record<string, string>,
  { parameters = ["start"], uid }: { parameters?: string[]; uid?: number } = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [productProgram(), ...parameters], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...keepCompiled, PACKHOUSE_PORT: String(await freePort()), ...environment },
    stdio: ["ignore", "ignore", "pipe"],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const timeout = setTimeout(() => child.kill("SIGTERM"), 90_000);
  const [message, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  clearTimeout(timeout);
  return { code: Number(code), message: message.trim() };
}

function expectSentence({ message }: Outcome, ...parts: RegExp[]): void {
  for (const part of parts) expect(message).toMatch(part);
  expect(message).not.toMatch(/^\s+at /m);
}

describe("a start", () => {
  test("says that its port is taken, and leaves no database behind", async () => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
    const address = other.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const dataDir = join(folder, "data");
    try {
      const outcome = await start({ PACKHOUSE_DATA_DIR: dataDir, PACKHOUSE_PORT: String(port) });
      expect(outcome).toEqual({
        code: 3,
        message: `Port ${port} of 127.0.0.1 is used by another program. Stop that program, or set PACKHOUSE_PORT to another port.`,
      });
      await expect(stat(join(dataDir, "database/postmaster.pid"))).rejects.toThrow(/ENOENT/);
    } finally {
      other.close();
    }
  }, 120_000);

  test.runIf(isLong)("says that the port of the metrics is taken", { timeout: 120_000 }, async () => {
    const taken = createServer();
    await new Promise<void>((listening) => taken.listen(0, "127.0.0.1", listening));
    const address = taken.address();
    try {
      const outcome = await start({
        PACKHOUSE_DATA_DIR: join(folder, "data"),
        PACKHOUSE_METRICS_PORT: String(typeof address === "object" && address ? address.port : 0),
      });
      expectSentence(outcome, /is used by another program.*PACKHOUSE_METRICS_PORT/);
    } finally {
      taken.close();
    }
  });

  test.runIf(isLong)(
    "says that the machine does not have its address",
    async () => {
      const outcome = await start({
        PACKHOUSE_DATA_DIR: join(folder, "data"),
        PACKHOUSE_HOST: "192.0.2.1",
        PACKHOUSE_PUBLIC_URL: "http://localhost",
      });
      expect(outcome.code).toBe(3);
      expectSentence(outcome, /does not have the address 192\.0\.2\.1\. Correct PACKHOUSE_HOST\./);
    },
    60_000,
  );

  test.runIf(isLong).each(["a file", "below a file"])("says that its data folder is %s", async (kind) => {
    const file = join(folder, "file");
    await writeFile(file, "kept");
    const outcome = await start({ PACKHOUSE_DATA_DIR: kind === "a file" ? file : join(file, "data") });
    expect(outcome.code).toBe(3);
    expectSentence(outcome, /there is a file with this name\. Name another folder in PACKHOUSE_DATA_DIR\.$/);
    expect(await readFile(file, "utf8")).toBe("kept");
  });

  test.runIf(isLong && existsSync("/proc/self"))("ends where the file system accepts no new folders", async () => {
    const outcome = await start({ PACKHOUSE_DATA_DIR: "/proc/self/data" });
    expect(outcome.code).toBe(3);
    expectSentence(outcome, /\/proc\/self\/data cannot be created: its file system accepts no new folders.*\.$/);
  });

  test.runIf(isLong && asRoot)("says that its account cannot write the data folder", async () => {
    await chmod(folder, 0o755);
    const dataDir = join(folder, "data");
    await mkdir(dataDir, { mode: 0o755 });
    const outcome = await start({ PACKHOUSE_DATA_DIR: dataDir }, { uid: stranger });
    expect(outcome.code).toBe(3);
    expectSentence(
      outcome,
      /cannot be written by the account that runs Packhouse \(uid 54321\) \(EACCES\)\. Make that account its owner/,
    );
  });

  test.runIf(isLong)(
    "says that the folder of the database contains something else, and leaves it as it is",
    async () => {
      const database = join(folder, "data/database");
      await mkdir(database, { recursive: true });
      await chmod(database, 0o755);
      await writeFile(join(database, "letter"), "kept");
      const outcome = await start({ PACKHOUSE_DATA_DIR: join(folder, "data") });
      expect(outcome.code).toBe(3);
      expectSentence(outcome, /contains something else \(letter\)\. Empty it, or name another data folder/);
      expect((await stat(database)).mode & 0o777).toBe(0o755);
    },
  );

  test.runIf(isLong && asRoot)("refuses a link that another account has put in the data folder", async () => {
    const target = join(folder, "target");
    await mkdir(target, { mode: 0o755 });
    await chmod(target, 0o755);
    await mkdir(join(folder, "data"));
    await symlink(target, join(folder, "data/database"));
    const { lchown } = await import("node:fs/promises");
    await lchown(join(folder, "data/database"), stranger, stranger);
    const outcome = await start({ PACKHOUSE_DATA_DIR: join(folder, "data") });
    expect(outcome.code).toBe(3);
    expectSentence(outcome, /symbolic link that another account \(uid 54321\) created\. Remove it/);
    expect([(await stat(target)).mode & 0o777, (await stat(target)).uid]).toEqual([0o755, 0]);
  });

  test.runIf(isLong && asRoot)("refuses a database that belongs to another account", async () => {
    const database = join(folder, "data/database");
    await mkdir(database, { recursive: true, mode: 0o700 });
    await chown(database, stranger, stranger);
    const outcome = await start({ PACKHOUSE_DATA_DIR: join(folder, "data") });
    expect(outcome.code).toBe(3);
    expectSentence(outcome, /belongs to another account \(uid 54321\)\. Make/);
  });

  test.runIf(isLong)(
    "writes a generated password into a new file of its own, never through a link",
    async () => {
      const dataDir = join(folder, "data");
      await mkdir(dataDir);
      const elsewhere = join(folder, "elsewhere");
      await writeFile(elsewhere, "kept", { mode: 0o644 });
      await symlink(elsewhere, join(dataDir, "admin-password"));
      await using _product = await startProduct({ dataDir });
      expect(await readFile(elsewhere, "utf8")).toBe("kept");
      expect((await stat(join(dataDir, "admin-password"))).mode & 0o777).toBe(0o600);
    },
    60_000,
  );
});

describe("what was written wrongly", () => {
  const wrongSettings: [Record<string, string>, RegExp][] = [
    [{ PACKHOUSE_PROT: "1" }, /PACKHOUSE_PROT: unknown setting/],
    [{ PACKHOUSE_CONFIG: "nowhere.yaml" }, /PACKHOUSE_CONFIG: there is no file nowhere\.yaml/],
    [{ PACKHOUSE_CONFIG: "." }, /PACKHOUSE_CONFIG: a folder is not a settings file: \./],
    [{ PACKHOUSE_PORT: "many" }, /PACKHOUSE_PORT \(port\)/],
  ];
  test.each(isLong ? wrongSettings : wrongSettings.slice(0, 1))("is named: %j", async (environment, sentence) => {
    const outcome = await start({ PACKHOUSE_DATA_DIR: join(folder, "data"), ...environment });
    expect(outcome.code).toBe(2);
    expectSentence(outcome, sentence);
  });

  test.runIf(isLong)("is an option that does not exist", async () => {
    const outcome = await start({}, { parameters: ["start", "--prot", "80"] });
    expect(outcome.code).toBe(2);
    expectSentence(outcome, /^Unknown option '--prot'\. `packhouse start --help` shows its arguments\.$/);
  });
});

describe("a data folder in which a server works", () => {
  let product: Product;
  beforeAll(async () => {
    product = await startProduct();
  });
  afterAll(async () => {
    await product.stop();
  });

  test("is refused to a second one, which names the first", async () => {
    const outcome = await start({ PACKHOUSE_DATA_DIR: product.dataDir });
    expect(outcome).toEqual({
      code: 3,
      message: `Another Packhouse (server, process ${product.process.pid}) uses the data folder ${product.dataDir}. Stop it, or name another folder in PACKHOUSE_DATA_DIR.`,
    });
    expect((await fetch(`${product.address}/actuator/health`)).status).toBe(200);
  }, 60_000);

  test.runIf(isLong)(
    "is free immediately after the first was killed",
    async () => {
      await product.kill("SIGKILL");
      product = await startProduct({ dataDir: product.dataDir });
      expect((await fetch(`${product.address}/actuator/health`)).status).toBe(200);
    },
    60_000,
  );
});
