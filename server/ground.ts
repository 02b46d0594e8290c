import { join } from "node:path";
import type { Logger } from "pino";
import { type OpenDatabase, openDatabase } from "./db/database.ts";
import { startEmbeddedPostgres } from "./db/embedded-postgres.ts";
import type { Settings } from "./settings.ts";
import { openFolderStorage } from "./storage/folder-storage.ts";
import type { ObjectStorage } from "./storage/storage.ts";

/** Database and storage, opened as the settings say. */
export interface OpenedGround {
  database: OpenDatabase;
  storage: ObjectStorage;
  close(): Promise<void>;
}

export async function openGround(settings: Settings, log: Logger): Promise<OpenedGround> {
  const storage = await openFolderStorage(join(settings.dataDir, "storage"));
  const limits = { max: settings["database.poolSize"], connectionTimeoutMillis: settings["database.waitMs"] };
  if (settings.databaseUrl) {
    const database = openDatabase({ connectionString: settings.databaseUrl, ...limits });
    return { database, storage, close: () => database.close() };
  }
  const postgres = await startEmbeddedPostgres({ dataDir: join(settings.dataDir, "database"), log });
  const database = openDatabase({ ...postgres.connection, ...limits });
  return {
    database,
    storage,
    async close() {
      await database.close();
      await postgres.stop();
    },
  };
}
