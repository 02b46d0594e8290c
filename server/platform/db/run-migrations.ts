import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { MigratorProps } from "kysely/migration";
import pg from "pg";
import { OperatorError } from "../errors/operator-error.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/** With the tables that a migration finds. */
type Tables = MigratorProps["db"];

/** A step of the schema. Its content is restricted by rules, because earlier versions still run. */
export interface Migration {
  up(db: Tables): Promise<void>;
  /** The oldest version of the product that can use the database afterward; if absent, all earlier ones can. */
  readonly oldestVersion?: string;
  /**
   * False for statements that PostgreSQL only runs outside of transactions, such as building an index `concurrently`,
   * and for migrations that commit in batches. After an interruption it runs again, so it starts by checking what
   * exists.
   */
  readonly transaction?: boolean;
}

/** The database cannot be brought to, or is beyond, what this version works with. */
export class WrongDatabase extends OperatorError {}

interface Run {
  db: Tables;
  /** By name; names sort in the order in which they run. */
  migrations: Readonly<Record<string, Migration>>;
  /** The version of the running product. */
  version: string;
  /** How long a migration tries to get its locks. */
  patienceMs?: number;
}

/**
 * Runs pending migrations, each in its own transaction. Replicas that start at the same time run them once: one holds
 * the lock, the others check again when it is free. Migrations of later versions are ignored.
 */
export async function runMigrations({ db, migrations, version, patienceMs = 10 * 60_000 }: Run): Promise<void> {
  if ((await pendingMigrations(db, migrations, version)).length === 0) return;
  await oneAtATime(db, "migration", async (connection) => {
    await makeTable(connection);
    const names = await pendingMigrations(connection, migrations, version);
    for (const name of names) {
      const migration = migrations[name];
      if (migration) await runMigration(connection, name, migration, Date.now() + patienceMs);
    }
    // New columns and indexes on expressions have no statistics yet; without them queries are badly planned.
    if (names.length > 0) await sql`analyze`.execute(connection);
  });
}

/**
 * Runs them, up to a named one if given, within a transaction on a database that is not in use yet. Migrations that
 * cannot run in a transaction stay pending.
 */
export async function runMigrationsWithin(
  tx: Tables,
  migrations: Run["migrations"],
  version: string,
  last?: string,
): Promise<void> {
  await makeTable(tx);
  for (const name of await pendingMigrations(tx, migrations, version)) {
    const migration = migrations[name];
    if (!migration || (last !== undefined && name > last)) return;
    await sql`savepoint before_migration`.execute(tx);
    try {
      await migration.up(tx);
      await record(tx, name, migration);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && error.code === "25001")) throw failure(name, error, true);
      await sql`rollback to savepoint before_migration`.execute(tx);
    }
  }
}

async function makeTable(db: Tables): Promise<void> {
  await sql`
    create table if not exists kysely_migration (
      name varchar(255) primary key,
      timestamp varchar(255) not null
    )`.execute(db);
  await sql`alter table kysely_migration add column if not exists oldest_version text`.execute(db);
}

async function record(
  db: Tables,
  name: string,
  { oldestVersion = null }: { oldestVersion?: string | null },
): Promise<void> {
  await sql`
    insert into kysely_migration (name, timestamp, oldest_version)
    values (${name}, ${new Date().toISOString()}, ${oldestVersion})`.execute(db);
}

/** Names of pending migrations; refuses a database that this version cannot use. */
export async function pendingMigrations(db: Tables, migrations: Run["migrations"], version: string): Promise<string[]> {
  const table = await sql<{ found: boolean }>`select to_regclass('kysely_migration') is not null as found`.execute(db);
  if (!table.rows[0]?.found) return Object.keys(migrations).sort();
  // Databases of early versions lack the column.
  const { rows } = await sql<{ name: string; oldest: string | null }>`
    select name, to_jsonb(m) ->> 'oldest_version' as oldest from kysely_migration m`.execute(db);
  for (const { name, oldest } of rows)
    if (oldest !== null && isLater(oldest, version))
      throw new WrongDatabase(
        `This is Packhouse ${version}, and since ${name} the database needs ${oldest} or later: start one of these versions, or restore a backup from before the upgrade.`,
      );
  const done = new Set(rows.map(({ name }) => name));
  return Object.keys(migrations)
    .filter((name) => !done.has(name))
    .sort();
}

const isLater = (one: string, other: string): boolean => one.localeCompare(other, "en", { numeric: true }) > 0;

async function runMigration(connection: Tables, name: string, migration: Migration, deadline: number) {
  const { transaction = true } = migration;
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (!transaction) {
        await migration.up(connection);
        await record(connection, name, migration);
        return;
      }
      await connection.transaction().execute(async (tx) => {
        // Waiting for a table lock blocks all later users of the table. So it gives up and tries again.
        await sql`set local lock_timeout = '1s'`.execute(tx);
        await migration.up(tx);
        await record(tx, name, migration);
      });
      return;
    } catch (error) {
      if (!isContended(error) || Date.now() > deadline) throw failure(name, error, transaction);
      await sleep(Math.min(250 * attempt, 5_000));
    }
  }
}

/** A lock timeout or a deadlock. */
const isContended = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === "55P03" || error.code === "40P01");

function failure(name: string, error: unknown, transaction: boolean): WrongDatabase {
  const reason = error instanceof Error ? error.message : String(error);
  const state = transaction ? "it was rolled back" : "the next start continues it";
  return new WrongDatabase(`The migration ${name} failed, ${state}: ${reason}`, { cause: error });
}
