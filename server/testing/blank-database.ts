import pg from "pg";
import { pino } from "pino";
import { z } from "zod";
import { createPackhouse, type Packhouse } from "../app.ts";
import { systemClock } from "../clock.ts";
import { type OpenDatabase, openDatabase } from "../db/database.ts";
import { readSettings } from "../settings.ts";
import { openFolderStorage } from "../storage/folder-storage.ts";
import { testDatabaseVariable } from "./packhouse.ts";

/** A database without any table, for what happens before the product runs. */
export interface BlankDatabase extends AsyncDisposable {
  /** As `PACKHOUSE_DATABASE_URL` names it. */
  url: string;
  /** Connections of its own, as another process has them; closed with the database. */
  open(): OpenDatabase;
}

const serverSchema = z.object({ host: z.string(), user: z.string() });

export async function blankDatabase(): Promise<BlankDatabase> {
  const server = serverSchema.parse(JSON.parse(process.env[testDatabaseVariable] ?? "null"));
  const name = `blank_${process.pid}_${crypto.randomUUID().slice(0, 8)}`;
  const inMaintenance = async (statement: string) => {
    const connection = new pg.Client({ ...server, database: "postgres" });
    await connection.connect();
    await connection.query(statement).finally(() => connection.end());
  };
  await inMaintenance(`create database ${name}`);
  const opened: OpenDatabase[] = [];
  return {
    url: `postgres://${server.user}@/${name}?host=${encodeURIComponent(server.host)}`,
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

/** A replica that starts on it now. */
export async function startReplica(database: BlankDatabase, folder: string): Promise<Packhouse> {
  return createPackhouse({
    settings: readSettings({ PACKHOUSE_PORT: "0", PACKHOUSE_ADMIN_PASSWORD: "admin-password" }),
    database: database.open(),
    storage: await openFolderStorage(folder),
    clock: systemClock,
    log: pino({ level: "silent" }),
    consoleFolder: `${folder}/no-console`,
  });
}
