import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { z } from "zod";
import { type OpenDatabase, openDatabase } from "../db/database.ts";
import { openFolderStorage } from "../storage/folder-storage.ts";
import { s3Address } from "../storage/s3-address.ts";
import { openS3Storage } from "../storage/s3-storage.ts";
import type { ObjectStorage } from "../storage/storage.ts";

/** What the run's set-up has started for the tests, and names here. */
export const testGroundVariable = "PACKHOUSE_TEST_GROUND";
const account = { user: z.string(), password: z.string().optional() };
const groundSchema = z.object({
  database: z.object({
    host: z.string(),
    port: z.number().optional(),
    ...account,
    /** Who may do everything on the server, where that is not the product. */
    administrator: z.object(account).optional(),
  }),
  /** Its address; without one package bytes lie in folders. */
  bucket: z.string().optional(),
});
export type TestGround = z.infer<typeof groundSchema>;
type DatabaseServer = TestGround["database"];

export const testGround = (): TestGround => groundSchema.parse(JSON.parse(process.env[testGroundVariable] ?? "null"));

/** How a database of a server is reached. */
export const connectionTo = ({ host, port, user, password }: DatabaseServer, database: string) => ({
  host,
  user,
  database,
  ...(port === undefined ? {} : { port }),
  ...(password === undefined ? {} : { password }),
});

/** The same, by who may do everything on the server. */
export const administratorOf = ({ administrator, ...server }: DatabaseServer): DatabaseServer => ({
  ...server,
  ...administrator,
});

/** The address of a database of the tests' server, for processes of their own. */
export function databaseAddress(database: string): string {
  // A socket's folder and a password stand in the query, where they need not look like parts of an address.
  const place = new URLSearchParams();
  const { administrator: _, ...server } = testGround().database;
  for (const [name, value] of Object.entries(server)) place.set(name, String(value));
  return `postgres:///${database}?${place}`;
}

/** Makes an empty database and gives its name. */
export async function makeDatabase(server: DatabaseServer): Promise<string> {
  const name = `test_${process.pid}_${crypto.randomUUID().slice(0, 8)}`;
  await inMaintenance(server, `create database ${name} owner ${server.user}`);
  return name;
}

export const dropDatabase = (server: DatabaseServer, name: string): Promise<void> =>
  inMaintenance(server, `drop database ${name} with (force)`);

async function inMaintenance(server: DatabaseServer, statement: string): Promise<void> {
  const connection = new pg.Client(connectionTo(administratorOf(server), "postgres"));
  await connection.connect();
  try {
    await connection.query(statement);
  } finally {
    await connection.end();
  }
}

/** In a bucket each has a prefix of its own. */
export function openTestStorage(folder: string, bucket: string | undefined, name: string): Promise<ObjectStorage> {
  if (bucket === undefined) return openFolderStorage(folder);
  const address = { ...s3Address.parse(bucket), prefix: `${name}/` };
  return openS3Storage({ address, stagingFolder: join(folder, "incoming") });
}

/** A database and a storage in which nothing was made yet. */
export interface EmptyPlace extends AsyncDisposable {
  server: DatabaseServer;
  /** Of the database. */
  name: string;
  pool: OpenDatabase["pool"];
  storage: ObjectStorage;
  /** More connections, as another process has them; closed with the place. */
  open(limits?: { max?: number }): OpenDatabase;
}

export async function emptyPlace({ database: server, bucket }: TestGround = testGround()): Promise<EmptyPlace> {
  const name = await makeDatabase(server);
  const folder = await mkdtemp(join(tmpdir(), "packhouse-test-place-"));
  const opened: OpenDatabase[] = [];
  const open = (limits: { max?: number } = {}) => {
    const database = openDatabase({ ...connectionTo(server, name), ...limits });
    opened.push(database);
    return database;
  };
  return {
    server,
    name,
    pool: open().pool,
    storage: await openTestStorage(folder, bucket, name),
    open,
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((database) => database.close()));
      await dropDatabase(server, name);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
