import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLong } from "@packhouse/fixtures/long-form";
import pg from "pg";
import { pino } from "pino";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";

const log = pino({ level: "silent" });
const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function emptyFolder(): Promise<string> {
  // mkdtemp creates it with mode 0700, so that as root this also covers folders that no other account can search.
  const folder = await mkdtemp(join(tmpdir(), "packhouse-postgres-"));
  folders.push(folder);
  return folder;
}

async function query(connection: pg.ClientConfig, statement: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

describe("the embedded PostgreSQL", () => {
  test("keeps its rows from one start to the next", async () => {
    const dataDir = join(await emptyFolder(), "database");
    const first = await startEmbeddedPostgres({ dataDir, log });
    await query(first.connection, "create table kept as select 1 as one");
    await first.stop();

    const second = await startEmbeddedPostgres({ dataDir, log });
    expect(await query(second.connection, "select * from kept")).toEqual([{ one: 1 }]);
    await second.stop();
  }, 60_000);

  test("explains how to proceed when another major version wrote the data", async () => {
    const dataDir = join(await emptyFolder(), "database");
    await (await startEmbeddedPostgres({ dataDir, log })).stop();
    await writeFile(join(dataDir, "PG_VERSION"), "12\n");
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(
      /by PostgreSQL 12; .*packhouse export FOLDER/,
    );
  }, 60_000);

  test("is adopted when its process was killed", async () => {
    const dataDir = join(await emptyFolder(), "database");
    const code = `
      import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, "embedded-postgres.ts"))};
      import { pino } from "pino";
      const { connection } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: pino({ level: "silent" }) });
      process.stdout.write("up");
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
      cwd: import.meta.dirname,
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((up) => child.stdout.once("data", up));
    child.kill("SIGKILL");

    const adopted = await startEmbeddedPostgres({ dataDir, log });
    expect(await query(adopted.connection, "select 1 as one")).toEqual([{ one: 1 }]);
    await adopted.stop();
    await expect(query(adopted.connection, "select 1")).rejects.toThrow();
  }, 60_000);

  test("is initialized by the next start when its process was killed while it initialized", async () => {
    const parent = await emptyFolder();
    const dataDir = join(parent, "database");
    const code = `
      import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, "embedded-postgres.ts"))};
      import { pino } from "pino";
      await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: pino({ level: "silent" }) });`;
    const killed = spawn(process.execPath, ["--input-type=module", "-e", code], {
      cwd: import.meta.dirname,
      stdio: ["ignore", "ignore", "inherit"],
    });
    const unfinished = async () => (await readdir(parent)).filter((name) => name.includes("unfinished"));
    const hasBegun = async () => {
      const [name = ""] = await unfinished();
      return name !== "" && existsSync(join(parent, name, "global"));
    };
    await vi.waitUntil(hasBegun, { timeout: 30_000, interval: 1 });
    killed.kill("SIGKILL");

    const next = await startEmbeddedPostgres({ dataDir, log });
    expect(await query(next.connection, "select 1 as one")).toEqual([{ one: 1 }]);
    await next.stop();
    // Of the killed process's `initdb`, which may still be writing: the start after its end removes the rest.
    const isRemoved = async () => {
      await (await startEmbeddedPostgres({ dataDir, log })).stop();
      return (await unfinished()).length === 0;
    };
    await vi.waitUntil(isRemoved, { timeout: 60_000 });
  }, 120_000);

  test("is started again when it ends unexpectedly", async () => {
    const dataDir = join(await emptyFolder(), "database");
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    await query(postgres.connection, "create table kept as select pg_read_file('postmaster.pid') as file");
    const [kept] = await query(postgres.connection, "select * from kept");
    const { file } = z.object({ file: z.string() }).parse(kept);
    process.kill(Number.parseInt(file, 10), "SIGKILL");
    await expect(query(postgres.connection, "select 1")).rejects.toThrow();

    const rows = () => query(postgres.connection, "select * from kept").catch(() => undefined);
    expect(await vi.waitUntil(rows, { timeout: 30_000 })).toEqual([kept]);
    await postgres.stop();
    await expect(query(postgres.connection, "select 1")).rejects.toThrow();
  }, 60_000);

  test("is started again when another process stops it and removes its socket's folder", async () => {
    const dataDir = join(await emptyFolder(), "database");
    const server = await startEmbeddedPostgres({ dataDir, log });
    const started = () => query(server.connection, "select pg_postmaster_start_time()::text").catch(() => undefined);
    const before = await started();
    // At this moment, the server has no session.
    const command = await startEmbeddedPostgres({ dataDir, log });
    await command.stop();
    expect(await vi.waitUntil(started, { timeout: 30_000 })).not.toEqual(before);
    await server.stop();
  }, 60_000);

  test("keeps running while another process uses it", async () => {
    const dataDir = join(await emptyFolder(), "database");
    const owner = await startEmbeddedPostgres({ dataDir, log });
    const working = new pg.Client(owner.connection);
    await working.connect();

    const visitor = await startEmbeddedPostgres({ dataDir, log });
    await visitor.stop();
    expect((await working.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    await working.end();
    await owner.stop();
  }, 60_000);

  /** A crash of a session, with changes that take a moment to recover; returns once it recovers. */
  async function crash(dataDir: string, connection: pg.ClientConfig): Promise<{ postmaster: number }> {
    const client = new pg.Client(connection);
    client.on("error", () => {}); // its connection ends
    await client.connect();
    await client.query("create table kept as select generate_series(1, 500000) as number");
    const { rows } = await client.query("select pg_backend_pid() as pid");
    process.kill(z.tuple([z.object({ pid: z.number() })]).parse(rows)[0].pid, "SIGKILL");
    const recovers = async () => (await readFile(`${dataDir}.log`, "utf8")).includes("database system was interrupted");
    await vi.waitUntil(recovers, { timeout: 30_000, interval: 1 });
    return { postmaster: Number.parseInt(await readFile(join(dataDir, "postmaster.pid"), "utf8"), 10) };
  }

  const countKept = (connection: pg.ClientConfig) => () =>
    query(connection, "select count(*)::int as kept from kept").catch(() => undefined);

  test.runIf(isLong)(
    "keeps running when a command ends while it recovers",
    async () => {
      const dataDir = join(await emptyFolder(), "database");
      const server = await startEmbeddedPostgres({ dataDir, log });
      const command = await startEmbeddedPostgres({ dataDir, log });
      const { postmaster } = await crash(dataDir, server.connection);
      const ended = command.stop();
      await vi.waitUntil(countKept(server.connection), { timeout: 30_000 });
      const next = new pg.Client(server.connection);
      await next.connect();
      await ended;

      expect((await next.query("select count(*)::int as kept from kept")).rows).toEqual([{ kept: 500_000 }]);
      expect(Number.parseInt(await readFile(join(dataDir, "postmaster.pid"), "utf8"), 10)).toBe(postmaster);
      await next.end();
      await server.stop();
      await expect(query(server.connection, "select 1")).rejects.toThrow();
    },
    120_000,
  );

  // PostgreSQL is given 30 seconds to end by itself.
  describe.runIf(isLong)("asked to stop while it recovers, which makes it hang,", () => {
    test("is started again", async () => {
      const dataDir = join(await emptyFolder(), "database");
      const postgres = await startEmbeddedPostgres({ dataDir, log });
      const { postmaster } = await crash(dataDir, postgres.connection);
      process.kill(postmaster, "SIGINT");
      const kept = await vi.waitUntil(countKept(postgres.connection), { timeout: 60_000, interval: 200 });
      expect(kept).toEqual([{ kept: 500_000 }]);
      await postgres.stop();
    }, 120_000);

    test("does not keep the next start from starting", async () => {
      const dataDir = join(await emptyFolder(), "database");
      const killed = await startEmbeddedPostgres({ dataDir, log });
      const { postmaster } = await crash(dataDir, killed.connection);
      process.kill(postmaster, "SIGINT");
      const next = await startEmbeddedPostgres({ dataDir, log });
      expect(await countKept(next.connection)()).toEqual([{ kept: 500_000 }]);
      await next.stop();
      await killed.stop();
    }, 120_000);
  });
});
