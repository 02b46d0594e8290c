import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Pool } from "pg";
import { type Logger, pino } from "pino";
import { openBackends } from "../../platform/backends/backends.ts";
import { claimDataFolder } from "../../platform/backends/data-folder.ts";
import type { Db } from "../../platform/db/database.ts";
import { migrate } from "../../platform/db/migrate.ts";
import { OperatorError } from "../../platform/errors/operator-error.ts";
import { readSettings, type Settings } from "../../platform/settings/settings.ts";
import type { ObjectStorage } from "../../platform/storage/storage.ts";

/** What a command works with. */
export interface Installation {
  settings: Settings;
  db: Db;
  /** For what needs a connection of its own: the job queue, full copies. */
  pool: Pool;
  storage: ObjectStorage;
  log: Logger;
}

/**
 * Opens the installation that the settings name, with its database up to date unless the caller takes care of that, and
 * closes it after the work.
 * A running server may use it at the same time. A folder without an installation is refused unless the command may
 * create one: `./data` below the wrong folder would become one by accident.
 */
export async function inInstallation<Result>(
  environment: Record<string, string | undefined>,
  work: (installation: Installation) => Promise<Result>,
  { make = false, migrated = true } = {},
): Promise<Result> {
  const settings = readSettings(environment);
  if (make) await claimDataFolder(settings.dataDir, "installation");
  else if (!settings.databaseUrl && !existsSync(join(settings.dataDir, "packhouse-data")))
    throw new OperatorError(
      `There is no installation in ${resolve(settings.dataDir)}. Set PACKHOUSE_DATA_DIR, or run the command from the folder that contains ./data.`,
    );
  // Standard output is reserved for results.
  const log = pino({ level: "warn" }, pino.destination({ dest: 2, sync: true }));
  const { database, storage, close } = await openBackends(settings, log);
  try {
    if (migrated) await migrate(database.db);
    return await work({ settings, db: database.db, pool: database.pool, storage, log });
  } finally {
    await close();
  }
}
