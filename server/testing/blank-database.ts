import pg from "pg";
import { createPackhouse, type Packhouse } from "../app.ts";
import { systemClock } from "../clock.ts";
import { type OpenDatabase, openDatabase } from "../db/database.ts";
import { readSettings } from "../settings.ts";
import { openFolderStorage } from "../storage/folder-storage.ts";
import { createLog } from "../watching/log.ts";
import { testDatabaseServer } from "./packhouse.ts";

/** A database without any table, for what happens before the product runs. */
export interface BlankDatabase extends AsyncDisposable {
  /** As `PACKHOUSE_DATABASE_URL` names it. */
  url: string;
  /** Connections of its own, as another process has them; closed with the database. */
  open(): OpenDatabase;
}

export async function blankDatabase(): Promise<BlankDatabase> {
  const server = testDatabaseServer();
  const name = `blank_${process.pid}_${crypto.randomUUID().slice(0, 8)}`;
  const inMaintenance = async (statement: string) => {
    const connection = new pg.Client({ ...server, database: "postgres" });
    await connection.connect();
    await connection.query(statement).finally(() => connection.end());
  };
  await inMaintenance(`create database ${name}`);
  const opened: OpenDatabase[] = [];
  return {
    url: databaseAddress(name),
    open() {
      const database = openDatabase({ ...server, database: name });
      opened.push(database);
      return database;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((database) => database.close()));
      await inMaintenance(`drop database ${name} with (force)`);
    },
  };
}

/** A database of the tests' server, for processes of their own. */
export function databaseAddress(database: string): string {
  const { port, ...others } = testDatabaseServer();
  // A socket's folder and a password stand in the query, where they need not look like parts of an address.
  const query = new URLSearchParams({ ...others, ...(port === undefined ? {} : { port: String(port) }) });
  return `postgres:///${database}?${query}`;
}

/** A replica that starts on it now. */
export async function startReplica(database: BlankDatabase, folder: string): Promise<Packhouse> {
  return createPackhouse({
    settings: readSettings({ PACKHOUSE_PORT: "0", PACKHOUSE_ADMIN_PASSWORD: "admin-password" }),
    database: database.open(),
    storage: await openFolderStorage(folder),
    clock: systemClock,
    log: createLog("silent"),
    consoleFolder: `${folder}/no-console`,
  });
}
