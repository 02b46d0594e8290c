import { type Kysely, sql, type Transaction } from "kysely";
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from "kysely/migration";
import * as firstSchema from "./migrations/2026-11-21-first-schema.ts";
import * as publication from "./migrations/2026-11-21-publication.ts";
import * as lists from "./migrations/2026-11-21-record-lists.ts";
import * as dependencies from "./migrations/2026-11-21-required-packages.ts";
import * as providerSignIn from "./migrations/2026-11-21-sign-in-by-provider.ts";
import * as userGroups from "./migrations/2026-11-21-user-groups.ts";
import * as whenRendered from "./migrations/2026-11-21-when-rendered.ts";
import * as pdfManuals from "./migrations/2026-11-22-pdf-manuals.ts";
import * as rBinaries from "./migrations/2026-11-22-r-binaries.ts";
import * as mirrors from "./migrations/2026-11-23-mirrors.ts";
import * as pushedFiles from "./migrations/2026-11-23-pushed-files.ts";
import type { Database } from "./schema.ts";

/** All migrations by name; names sort in the order in which they run. A released one is never changed. */
const migrations: Record<string, Migration> = {
  "2026-11-21-first-schema": firstSchema,
  "2026-11-21-publication": publication,
  "2026-11-21-record-lists": lists,
  "2026-11-21-required-packages": dependencies,
  "2026-11-21-sign-in-by-provider": providerSignIn,
  "2026-11-21-user-groups": userGroups,
  "2026-11-21-when-rendered": whenRendered,
  "2026-11-22-pdf-manuals": pdfManuals,
  "2026-11-22-r-binaries": rBinaries,
  "2026-11-23-mirrors": mirrors,
  "2026-11-23-pushed-files": pushedFiles,
};

/** Where the migrator keeps which of them have run. */
export const migrationTables: readonly string[] = [DEFAULT_MIGRATION_TABLE, DEFAULT_MIGRATION_LOCK_TABLE];

/** The schema that this version of the product works with: the name of the last migration. */
export const latestSchema = Object.keys(migrations).at(-1) ?? "";

export const isKnownSchema = (name: string): boolean => name in migrations;

/**
 * Brings the database up to date. Two replicas starting at once migrate once: the migrator locks,
 * and a name that is there already is skipped.
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  const { error } = await migratorOf(db).migrateToLatest();
  if (error) throw error;
  await sql`analyze`.execute(db);
}

/** Gives an empty database an earlier schema, within the transaction. */
export async function migrateEmptyTo(tx: Transaction<Database>, schema: string): Promise<void> {
  const { error } = await migratorOf(tx).migrateTo(schema);
  if (error) throw error;
}

/** The same as `migrate`, within the transaction. */
export async function migrateWithin(tx: Transaction<Database>): Promise<void> {
  const { error } = await migratorOf(tx).migrateToLatest();
  if (error) throw error;
}

/** The last migration that has run. */
export async function schemaOf(db: Kysely<Database>): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name desc limit 1`.execute(db);
  return rows[0]?.name;
}

/** Names of the migrations that the database has not seen yet, in their order. */
export async function waitingMigrations(db: Kysely<Database>): Promise<string[]> {
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass('kysely_migration') is not null as there`.execute(db);
  const { rows } = tables[0]?.there
    ? await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    : { rows: [] };
  const done = new Set(rows.map(({ name }) => name));
  return Object.keys(migrations).filter((name) => !done.has(name));
}

const migratorOf = (db: Kysely<Database>) => new Migrator({ db, provider: { getMigrations: async () => migrations } });
