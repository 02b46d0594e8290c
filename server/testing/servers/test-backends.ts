import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import pg from "pg";
import { z } from "zod";
import { type OpenDatabase, openDatabase } from "../../platform/db/database.ts";
import { s3Address } from "../../platform/settings/s3-address.ts";
import { openFolderStorage } from "../../platform/storage/folder-storage.ts";
import { openS3Storage } from "../../platform/storage/s3-storage.ts";
import type { ObjectStorage } from "../../platform/storage/storage.ts";

/** The backends that the global setup has started for the tests. */
export const testBackendsVariable = "PACKHOUSE_TEST_BACKENDS";
const account = { user: z.string(), password: z.string().optional() };
const backendsSchema = z.object({
  database: z.object({
    host: z.string(),
    port: z.number().optional(),
    ...account,
    /** The superuser of the server, if that is not the product's own role. */
    administrator: z.object(account).optional(),
    /** A database with the product's empty tables, to be copied. */
    template: z.string().optional(),
  }),
  /** Its address; without one package bytes are stored in folders. */
  bucket: z.string().optional(),
});
export type TestBackends = z.infer<typeof backendsSchema>;
export type DatabaseServer = TestBackends["database"];

export const testBackends = (): TestBackends =>
  backendsSchema.parse(JSON.parse(process.env[testBackendsVariable] ?? "null"));

/** Connection options for a database of a server. */
export const connectionTo = ({ host, port, user, password }: DatabaseServer, database: string) => ({
  host,
  user,
  database,
  ...(port === undefined ? {} : { port }),
  ...(password === undefined ? {} : { password }),
});

/** The same, as superuser of the server. */
export const administratorOf = ({ administrator, ...server }: DatabaseServer): DatabaseServer => ({
  ...server,
  ...administrator,
});

/** The address of a database of the test server, for separate processes. */
export function databaseAddress(
  database: string,
  { administrator: _administrator, template: _template, ...server } = testBackends().database,
): string {
  // A socket folder and a password go into the query, where they need not look like parts of an address.
  const place = new URLSearchParams();
  for (const [name, value] of Object.entries(server)) place.set(name, String(value));
  return `postgres:///${database}?${place}`;
}

/** Creates a database, empty or as a copy of another one, and returns its name. */
export async function makeDatabase(server: DatabaseServer, template = "template1"): Promise<string> {
  const name = `test_${process.pid}_${crypto.randomUUID().slice(0, 8)}`;
  // By default, PostgreSQL writes the whole template to its log, which takes several times as long.
  await inMaintenance(server, `create database ${name} template ${template} strategy file_copy owner ${server.user}`);
  return name;
}

export const dropDatabase = (server: DatabaseServer, name: string): Promise<void> =>
  inMaintenance(server, `drop database ${name} with (force)`);

/** Runs statements outside of any transaction and any test database. */
export async function inMaintenance(server: DatabaseServer, ...statements: string[]): Promise<void> {
  const connection = new pg.Client(connectionTo(administratorOf(server), "postgres"));
  await connection.connect();
  try {
    for (const statement of statements) await connection.query(statement);
  } finally {
    await connection.end();
  }
}

/** In a bucket each has its own prefix. */
const storageAddress = (bucket: string, name: string): string => bucket.replace("?", `/${name}?`);

/** For separate processes, which have the credentials of this one. */
export const bucketEnvironment = (bucket: string, name: string): Record<string, string> => ({
  PACKHOUSE_STORAGE_URL: storageAddress(bucket, name),
  ...z.object({ AWS_ACCESS_KEY_ID: z.string(), AWS_SECRET_ACCESS_KEY: z.string() }).parse(process.env),
});

/** Where a test stores package bytes: in the bucket, or in the folder without one. */
interface StoragePlace {
  folder: string;
  bucket: string | undefined;
  /** Of the test, in the bucket. */
  name: string;
}

export function openTestStorage({ folder, bucket, name }: StoragePlace): Promise<ObjectStorage> {
  if (bucket === undefined) return openFolderStorage(folder);
  const address = s3Address.parse(storageAddress(bucket, name));
  return openS3Storage({ address, stagingFolder: join(folder, "incoming") });
}

/** Writes an object as the product never does: overwrites existing ones, and ignores the digest in the name. */
export async function writeObject(
  { folder, bucket, name }: StoragePlace,
  digest: string,
  bytes: Uint8Array,
): Promise<void> {
  if (bucket === undefined) {
    const path = join(folder, "objects", digest.slice(0, 2), digest.slice(2));
    await mkdir(dirname(path), { recursive: true });
    return writeFile(path, bytes);
  }
  const { bucket: Bucket, prefix, pathStyle, endpoint, region } = s3Address.parse(storageAddress(bucket, name));
  const client = new S3Client({ forcePathStyle: pathStyle, ...(endpoint && { endpoint }), ...(region && { region }) });
  await client.send(new PutObjectCommand({ Bucket, Key: prefix + digest, Body: bytes }));
  client.destroy();
}

/** An empty database and an empty storage. */
export interface EmptyPlace extends AsyncDisposable {
  server: DatabaseServer;
  /** Address of the database. */
  name: string;
  pool: OpenDatabase["pool"];
  storage: ObjectStorage;
  /** More connections, as of another process; closed with the place. */
  open(limits?: { max?: number }): OpenDatabase;
}

export async function emptyPlace({ database: server, bucket }: TestBackends = testBackends()): Promise<EmptyPlace> {
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
    storage: await openTestStorage({ folder, bucket, name }),
    open,
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((database) => database.close()));
      await dropDatabase(server, name);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
