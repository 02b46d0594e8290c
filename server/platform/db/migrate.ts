import { type Kysely, sql, type Transaction } from "kysely";
import { productVersion } from "../product-version.ts";
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
import * as downloads from "./migrations/2026-11-24-downloads.ts";
import * as waitingChanges from "./migrations/2026-11-24-waiting-changes.ts";
import * as securityEvents from "./migrations/2026-11-25-audit-security-events.ts";
import * as secondFactors from "./migrations/2026-11-25-factors-second-factors.ts";
import * as logins from "./migrations/2026-11-25-identity-logins.ts";
import * as sessions from "./migrations/2026-11-25-identity-sessions.ts";
import * as uniqueLogins from "./migrations/2026-11-25-identity-unique-logins.ts";
import * as packagesColumns from "./migrations/2026-11-25-packages-columns.ts";
import * as packagesNameLooks from "./migrations/2026-11-25-packages-name-looks.ts";
import * as packagesOrigin from "./migrations/2026-11-25-packages-origin.ts";
import * as packagesOriginIndex from "./migrations/2026-11-25-packages-origin-index.ts";
import * as packagesTakeDown from "./migrations/2026-11-25-packages-take-down.ts";
import * as packageFacts from "./migrations/2026-11-25-workers-package-facts.ts";
import * as mail from "./migrations/2026-11-26-mail.ts";
import * as naturalOrder from "./migrations/2026-11-26-natural-order.ts";
import * as reviewInspections from "./migrations/2026-11-27-review-inspections.ts";
import * as reviews from "./migrations/2026-11-27-reviews.ts";
import * as mirrorCounts from "./migrations/2026-11-28-mirror-counts.ts";
import * as similarNames from "./migrations/2026-11-28-similar-names.ts";
import * as uncompressedBlocks from "./migrations/2026-11-28-uncompressed-blocks.ts";
import * as textOrders from "./migrations/2026-11-29-text-orders.ts";
import * as listOrders from "./migrations/2026-11-30-list-orders.ts";
import * as packagesOfName from "./migrations/2026-11-30-packages-of-name.ts";
import * as mirrorFailing from "./migrations/2026-12-01-mirror-failing.ts";
import * as previousUploads from "./migrations/2026-12-01-previous-uploads.ts";
import * as packagesOfUser from "./migrations/2026-12-02-packages-of-user.ts";
import * as narrowLists from "./migrations/2026-12-03-narrow-lists.ts";
import * as missingLooks from "./migrations/2026-12-04-missing-looks.ts";
import * as packageCounts from "./migrations/2026-12-05-package-counts.ts";
import * as packageCountsFilled from "./migrations/2026-12-06-package-counts-filled.ts";
import * as quickLists from "./migrations/2026-12-07-quick-lists.ts";
import { type Migration, pendingMigrations, runMigrations, runMigrationsWithin } from "./run-migrations.ts";
import type { Database } from "./schema.ts";

/** All migrations by name; names sort in the order in which they run. A released one is never changed. */
export const migrations: Record<string, Migration> = {
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
  "2026-11-24-downloads": downloads,
  "2026-11-24-waiting-changes": waitingChanges,
  "2026-11-25-factors-second-factors": secondFactors,
  "2026-11-25-workers-package-facts": packageFacts,
  "2026-11-25-audit-security-events": securityEvents,
  "2026-11-25-identity-logins": logins,
  "2026-11-25-identity-sessions": sessions,
  "2026-11-25-identity-unique-logins": uniqueLogins,
  "2026-11-25-packages-columns": packagesColumns,
  "2026-11-25-packages-name-looks": packagesNameLooks,
  "2026-11-25-packages-origin": packagesOrigin,
  "2026-11-25-packages-origin-index": packagesOriginIndex,
  "2026-11-25-packages-take-down": packagesTakeDown,
  "2026-11-26-mail": mail,
  "2026-11-26-natural-order": naturalOrder,
  "2026-11-27-review-inspections": reviewInspections,
  "2026-11-27-reviews": reviews,
  "2026-11-28-mirror-counts": mirrorCounts,
  "2026-11-28-similar-names": similarNames,
  "2026-11-28-uncompressed-blocks": uncompressedBlocks,
  "2026-11-29-text-orders": textOrders,
  "2026-11-30-list-orders": listOrders,
  "2026-11-30-packages-of-name": packagesOfName,
  "2026-12-01-mirror-failing": mirrorFailing,
  "2026-12-01-previous-uploads": previousUploads,
  "2026-12-02-packages-of-user": packagesOfUser,
  "2026-12-03-narrow-lists": narrowLists,
  "2026-12-04-missing-looks": missingLooks,
  "2026-12-05-package-counts": packageCounts,
  "2026-12-06-package-counts-filled": packageCountsFilled,
  "2026-12-07-quick-lists": quickLists,
};

/** The tables that record which of them have run; the second one belongs to databases of early versions. */
export const migrationTables: readonly string[] = ["kysely_migration", "kysely_migration_lock"];

/** The schema that this version of the product works with: the name of the last migration. */
export const latestSchema = Object.keys(migrations).sort().at(-1) ?? "";

export const isKnownSchema = (name: string): boolean => name in migrations;

/** Brings the database up to date; safe while other replicas start. */
export async function migrate(db: Kysely<Database>): Promise<void> {
  await runMigrations({ db, migrations, version: productVersion });
}

/**
 * The same within a transaction, on a database that is not in use yet, up to a schema if one is named. What PostgreSQL
 * only does outside of transactions is left to `migrate`.
 */
export async function migrateWithin(tx: Transaction<Database>, last?: string): Promise<void> {
  await runMigrationsWithin(tx, migrations, productVersion, last);
}

/** The last migration that has run. */
export async function schemaOf(db: Kysely<Database>): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name desc limit 1`.execute(
    db,
  );
  return rows[0]?.name;
}

/** Names of the migrations that the database has not seen yet, in their order. */
export const waitingMigrations = (db: Kysely<Database>): Promise<string[]> =>
  pendingMigrations(db, migrations, productVersion);
