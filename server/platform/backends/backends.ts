import { join } from "node:path";
import type { Logger } from "pino";
import { connectionProblem, type OpenDatabase, openDatabase } from "../db/database.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../db/embedded/embedded-postgres.ts";
import { processesOf } from "../settings/processes-of.ts";
import { type Settings, WrongSettings } from "../settings/settings.ts";
import { openFolderStorage } from "../storage/folder-storage.ts";
import { openS3Storage } from "../storage/s3-storage.ts";
import { type ObjectStorage, StorageUnavailable } from "../storage/storage.ts";

/** Database and storage, opened according to the settings. */
export interface OpenedBackends {
  /** How other processes reach the embedded database. */
  embedded?: EmbeddedPostgres["connection"] | undefined;
  database: OpenDatabase;
  storage: ObjectStorage;
  close(): Promise<void>;
}

/** `embedded` is the database that another process of this server has started. */
export async function openBackends(
  settings: Settings,
  log: Logger,
  embedded?: EmbeddedPostgres["connection"],
): Promise<OpenedBackends> {
  const { storage, close: closeStorage } = await openEitherStorage(settings, log);
  const {
    database,
    connection,
    close: closeDatabase,
  } = await openEitherDatabase(settings, log, embedded).catch((error: unknown) => {
    closeStorage();
    throw error;
  });
  return {
    embedded: connection,
    database,
    storage,
    async close() {
      await closeDatabase();
      closeStorage();
    },
  };
}

/** The folder of the embedded database. */
export const databaseFolderOf = ({ dataDir }: Pick<Settings, "dataDir">): string => join(dataDir, "database");

async function openEitherStorage(
  { storageUrl, dataDir }: Settings,
  log: Logger,
): Promise<{ storage: ObjectStorage; close(): void }> {
  const folder = join(dataDir, "storage");
  if (!storageUrl) return { storage: await openFolderStorage(folder), close() {} };
  const storage = await openS3Storage({ address: storageUrl, stagingFolder: join(folder, "incoming") });
  const problem = await storage.problem().catch((error: unknown) => {
    if (!(error instanceof StorageUnavailable)) throw error;
    log.warn(error, "the bucket cannot be reached right now");
    return undefined;
  });
  if (problem !== undefined) {
    storage.close();
    throw new WrongSettings([`PACKHOUSE_STORAGE_URL (storageUrl): ${problem}`]);
  }
  return { storage, close: () => storage.close() };
}

async function openEitherDatabase(
  { databaseUrl, dataDir, ...settings }: Settings,
  log: Logger,
  embedded: OpenedBackends["embedded"],
): Promise<{ database: OpenDatabase; connection?: OpenedBackends["embedded"]; close(): Promise<void> }> {
  const limits = { max: settings["database.poolSize"], connectionTimeoutMillis: settings["database.waitMs"] };
  if (databaseUrl) {
    const problem = await connectionProblem(databaseUrl);
    if (problem !== undefined) throw new WrongSettings([`PACKHOUSE_DATABASE_URL (databaseUrl): ${problem}`]);
    const database = openDatabase({ connectionString: databaseUrl, ...limits });
    return { database, close: () => database.close() };
  }
  if (embedded) {
    const database = openDatabase({ ...embedded, ...limits });
    return { database, close: () => database.close() };
  }
  const postgres = await startEmbeddedPostgres({
    dataDir: databaseFolderOf({ dataDir }),
    log,
    // Each process has another one on which it listens.
    connections: processesOf(settings) * (settings["database.poolSize"] + 1),
  });
  const database = openDatabase({ ...postgres.connection, ...limits });
  return {
    database,
    connection: postgres.connection,
    async close() {
      await database.close();
      await postgres.stop();
    },
  };
}
