import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isLong } from "@packhouse/fixtures/long-form";
import { type Kysely, sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { createPackhouse, type Packhouse } from "../../app/app.ts";
import { productProgram } from "../../testing/programs/product-program.ts";
import { databaseAddress, type EmptyPlace, emptyPlace } from "../../testing/servers/test-backends.ts";
import { systemClock } from "../clock.ts";
import { createLog } from "../observability/log.ts";
import { readSettings } from "../settings/settings.ts";
import { openFolderStorage } from "../storage/folder-storage.ts";
import type { OpenDatabase } from "./database.ts";
import { migrate, migrations } from "./migrate.ts";
import { type Migration, runMigrations } from "./run-migrations.ts";

const version = "1.4.0";

/** A replica that starts now on this database. */
async function startReplica(database: EmptyPlace, folder: string): Promise<Packhouse> {
  return createPackhouse({
    settings: readSettings({ PACKHOUSE_PORT: "0", PACKHOUSE_ADMIN_PASSWORD: "admin-password" }),
    // Five of them, in parallel with other tests: the server has a hundred connections.
    database: database.open({ max: 4 }),
    storage: await openFolderStorage(folder),
    clock: systemClock,
    log: createLog("silent"),
    consoleFolder: `${folder}/no-console`,
  });
}

async function namesIn({ db }: OpenDatabase): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

const tablesIn = async ({ db }: OpenDatabase) => (await db.introspection.getTables()).map(({ name }) => name);

/** Counts how often it runs, and takes long enough to overlap with others. */
function counted(): { migration: Migration; runs: () => number } {
  let runs = 0;
  return {
    runs: () => runs,
    migration: {
      async up(db) {
        runs += 1;
        await sql`create table once (n integer)`.execute(db);
        // fixed wait: long enough that the others arrive while it runs
        await sleep(300);
      },
    },
  };
}

const statement =
  (text: string): Migration["up"] =>
  async (db: Kysely<unknown>) => {
    await sql.raw(text).execute(db);
  };

describe("replicas that start at the same time", () => {
  test.for([
    { on: "an empty database", before: 0 },
    { on: "a database of an earlier version", before: 5 },
  ])("migrate $on once, and all come up", async ({ before }) => {
    await using database = await emptyPlace();
    const folder = await mkdtemp(join(tmpdir(), "packhouse-replicas-"));
    const earlier = Object.fromEntries(Object.entries(migrations).slice(0, before));
    await runMigrations({ db: database.open().db, migrations: earlier, version });
    const replicas = await Promise.all(Array.from({ length: 5 }, () => startReplica(database, folder)));
    try {
      const watched = database.open();
      expect(await namesIn(watched)).toEqual(Object.keys(migrations).sort());
      expect(await watched.db.selectFrom("users").select("login").where("rank", "=", 3).execute()).toHaveLength(1);
      expect(replicas.filter(({ firstAdministrator }) => firstAdministrator)).toHaveLength(1);
    } finally {
      await Promise.all(replicas.map((replica) => replica.close()));
      await rm(folder, { recursive: true });
    }
  });

  test("wait for the one that migrates", async () => {
    await using database = await emptyPlace();
    const { migration, runs } = counted();
    const replicas = Array.from({ length: 5 }, () => database.open());
    await Promise.all(
      replicas.map(({ db }) => runMigrations({ db, migrations: { "2030-01-01-once": migration }, version })),
    );
    expect(runs()).toBe(1);
  });

  test("do not block a concurrent index build", async () => {
    await using database = await emptyPlace();
    await runMigrations({
      db: database.open().db,
      migrations: { "2030-01-01-table": { up: statement("create table large (n integer)") } },
      version,
    });
    const index: Migration = {
      transaction: false,
      async up(db) {
        // fixed wait: long enough that the others arrive while it runs
        await sleep(300);
        await sql`create index concurrently if not exists large_n on large (n)`.execute(db);
      },
    };
    const replicas = Array.from({ length: 3 }, () => database.open());
    await Promise.all(
      replicas.map(({ db }) => runMigrations({ db, migrations: { "2030-01-02-index": index }, version })),
    );
    expect(await namesIn(database.open())).toEqual(["2030-01-01-table", "2030-01-02-index"]);
  });
});

describe("a database of a later version", () => {
  test("is usable unless that version says otherwise", async () => {
    await using database = await emptyPlace();
    const { db } = database.open();
    await migrate(db);
    const later: Migration = { up: statement("alter table users add column nickname text") };
    await runMigrations({ db, migrations: { ...migrations, "2030-01-01-nicknames": later }, version: "9.0.0" });
    const folder = await mkdtemp(join(tmpdir(), "packhouse-earlier-"));
    const replica = await startReplica(database, folder);
    await replica.close();
    await rm(folder, { recursive: true });
  });

  test("is refused in one sentence if incompatible with this one", async () => {
    await using database = await emptyPlace();
    const { db } = database.open();
    const later: Migration = { up: statement("create table other (n integer)"), oldestVersion: "1.10.0" };
    const all = { "2030-01-01-other": later };
    await runMigrations({ db, migrations: all, version: "1.10.0" });
    await runMigrations({ db, migrations: all, version: "1.11.0" });
    await expect(runMigrations({ db, migrations: {}, version: "1.9.2" })).rejects.toThrow(
      "This is Packhouse 1.9.2, and since 2030-01-01-other the database needs 1.10.0 or later: start one of these versions, or restore a backup from before the upgrade.",
    );
  });

  test.runIf(isLong)("ends the start with that sentence and exit code 2", async () => {
    await using database = await emptyPlace();
    const { db } = database.open();
    const later: Migration = { up: statement("create table other (n integer)"), oldestVersion: "99.0.0" };
    await runMigrations({ db, migrations: { "2030-01-01-other": later }, version: "99.0.0" });
    const dataDir = await mkdtemp(join(tmpdir(), "packhouse-beyond-"));
    const child = spawn(process.execPath, [productProgram(), "start"], {
      env: {
        PATH: process.env.PATH,
        PACKHOUSE_DATABASE_URL: databaseAddress(database.name),
        PACKHOUSE_DATA_DIR: dataDir,
        PACKHOUSE_PORT: "0",
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    const code = await new Promise((ended) => child.once("exit", ended));
    await rm(dataDir, { recursive: true });
    expect(said).toMatch(
      /^This is Packhouse \S+, and since 2030-01-01-other the database needs 99\.0\.0 or later: .*\n$/,
    );
    expect(code).toBe(2);
  });
});

describe("a migration", () => {
  test("that fails is reported with its reason, and leaves the database as it was", async () => {
    await using database = await emptyPlace();
    const opened = database.open();
    const all: Record<string, Migration> = {
      "2030-01-01-good": { up: statement("create table good (n integer)") },
      "2030-01-02-bad": { up: statement("create table bad (n integer); select 1 / 0") },
      "2030-01-03-never": { up: statement("create table never (n integer)") },
    };
    await expect(runMigrations({ db: opened.db, migrations: all, version })).rejects.toThrow(
      "The migration 2030-01-02-bad failed, it was rolled back: division by zero",
    );
    expect(await namesIn(opened)).toEqual(["2030-01-01-good"]);
    const tables = await tablesIn(opened);
    expect(tables).toContain("good");
    expect(tables).not.toContain("bad");
    expect(tables).not.toContain("never");
    const mended = { ...all, "2030-01-02-bad": { up: statement("create table bad (n integer)") } };
    await runMigrations({ db: opened.db, migrations: mended, version });
    expect(await namesIn(opened)).toEqual(Object.keys(all));
  });

  test("outside of a transaction continues after an interruption", async () => {
    await using database = await emptyPlace();
    const opened = database.open();
    await sql`create table rows (n integer, filled boolean)`.execute(opened.db);
    await sql`insert into rows select n from generate_series(1, 100) n`.execute(opened.db);
    let batches = 0;
    const fill = (most: number): Migration => ({
      transaction: false,
      async up(db) {
        for (;;) {
          if (batches === most) throw new Error("interrupted");
          const { numAffectedRows } = await sql`
            update rows set filled = true where n in (select n from rows where filled is null limit 30)`.execute(db);
          if (!numAffectedRows) return;
          batches += 1;
        }
      },
    });
    const name = "2030-01-01-fill";
    await expect(runMigrations({ db: opened.db, migrations: { [name]: fill(2) }, version })).rejects.toThrow(
      `The migration ${name} failed, the next start continues it: interrupted`,
    );
    await runMigrations({ db: opened.db, migrations: { [name]: fill(99) }, version });
    expect(batches).toBe(4);
    const { rows } = await sql`select n from rows where filled is null`.execute(opened.db);
    expect(rows).toEqual([]);
  });

  test.runIf(isLong)("that waits for a table lets others pass, and eventually runs", async () => {
    await using database = await emptyPlace();
    const [holder, migrating, client] = [database.open(), database.open(), database.open()];
    await migrate(holder.db);
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    // Such as a database dump: it reads for a long time, and prevents changes to the table.
    const dump = holder.db.transaction().execute(async (tx) => {
      await sql`lock table packages in access share mode`.execute(tx);
      await held;
    });
    const later: Migration = { up: statement("alter table packages add column note text") };
    const migrated = runMigrations({
      db: migrating.db,
      migrations: { ...migrations, "2030-01-01-notes": later },
      version,
    });
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await vi.waitUntil(async () => (await waiting.execute(client.db)).rows.length === 1, { timeout: 60_000 });
      // If the migration did not give up each second, this would wait until the table is released, which is never.
      await client.db.selectFrom("packages").select("id").execute();
    }
    release();
    await dump;
    await migrated;
    expect(await namesIn(client)).toContain("2030-01-01-notes");
  });

  test.runIf(isLong)("that never gets its lock fails in the end", async () => {
    await using database = await emptyPlace();
    const [holder, migrating] = [database.open(), database.open()];
    await migrate(holder.db);
    await holder.db.transaction().execute(async (tx) => {
      await sql`lock table packages in access share mode`.execute(tx);
      const later: Migration = { up: statement("alter table packages add column note text") };
      const run = runMigrations({
        db: migrating.db,
        migrations: { ...migrations, "2030-01-01-notes": later },
        version,
        patienceMs: 0,
      });
      await expect(run).rejects.toThrow("lock timeout");
    });
  });
});
