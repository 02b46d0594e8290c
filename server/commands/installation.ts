import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Logger, pino } from "pino";
import { claimDataFolder } from "../data-folder.ts";
import type { Db } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import { openGround } from "../ground.ts";
import { Mistake } from "../mistake.ts";
import { readSettings, type Settings } from "../settings.ts";
import type { ObjectStorage } from "../storage/storage.ts";

/** What a command works with. */
export interface Installation {
  settings: Settings;
  db: Db;
  storage: ObjectStorage;
  log: Logger;
}

/**
 * Opens the installation that the settings name, with its database up to date unless that is the caller's business, and
 * closes it after the work.
 * A running server may use it at the same time. A folder without an installation is refused unless one may be
 * made there: `./data` below the wrong folder would become one by mistake.
 */
export async function inInstallation<Result>(
  environment: Record<string, string | undefined>,
  work: (installation: Installation) => Promise<Result>,
  { make = false, migrated = true } = {},
): Promise<Result> {
  const settings = readSettings(environment);
  if (make) await claimDataFolder(settings.dataDir, "installation");
  else if (!settings.databaseUrl && !existsSync(join(settings.dataDir, "packhouse-data")))
    throw new Mistake(
      `There is no installation in ${resolve(settings.dataDir)}. PACKHOUSE_DATA_DIR or the folder that this is called from decides where it is.`,
    );
  // Results go to standard output, which belongs to them alone.
  const log = pino({ level: "warn" }, pino.destination({ dest: 2, sync: true }));
  const { database, storage, close } = await openGround(settings, log);
  try {
    if (migrated) await migrate(database.db);
    return await work({ settings, db: database.db, storage, log });
  } finally {
    await close();
  }
}
