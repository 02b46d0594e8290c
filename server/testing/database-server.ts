import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { startEmbeddedPostgres } from "../platform/db/embedded/embedded-postgres.ts";
import { startObjectStore } from "./object-store.ts";
import { startPostgresServer } from "./postgres-server.ts";
import { type TestGround, testGroundVariable } from "./test-ground.ts";

/**
 * What the API tests run on, by `PACKHOUSE_TEST_ON`: `embedded+folder` unless it says `server` (PostgreSQL by TCP) instead
 * of the first, `bucket` (an S3-compatible server) instead of the second.
 */
const testOn = /^(embedded|server)\+(folder|bucket)$/;

/** One PostgreSQL, and one bucket if asked for, for the whole run of the API tests; each file makes what it needs in them. */
export async function setup(): Promise<() => Promise<void>> {
  const asked = process.env.PACKHOUSE_TEST_ON ?? "embedded+folder";
  const [, database, storage] = testOn.exec(asked) ?? [];
  if (database === undefined) throw new Error(`PACKHOUSE_TEST_ON is ${asked}, which is not of the form ${testOn}`);
  const started: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const one of started.toReversed()) await one();
  };
  try {
    const ground: TestGround = {
      database: database === "server" ? await postgresServer(started) : await embeddedPostgres(started),
      ...(storage === "bucket" ? { bucket: await bucket(started) } : {}),
    };
    process.env[testGroundVariable] = JSON.stringify(ground);
    process.stdout.write(`The API tests run on ${asked}.\n`);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function embeddedPostgres(started: (() => Promise<void>)[]): Promise<TestGround["database"]> {
  const folder = await mkdtemp(join(tmpdir(), "packhouse-test-database-"));
  started.push(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, "database"), log: pino({ level: "silent" }) });
  started.push(() => postgres.stop());
  const { host, user } = postgres.connection;
  return { host, user };
}

async function postgresServer(started: (() => Promise<void>)[]): Promise<TestGround["database"]> {
  const server = await startPostgresServer();
  started.push(() => server.stop());
  return { ...server.connection, administrator: server.administrator };
}

/** Its address; the credentials are where the product looks for them. */
async function bucket(started: (() => Promise<void>)[]): Promise<string> {
  const store = await startObjectStore();
  started.push(() => store.stop());
  Object.assign(process.env, store.credentials);
  return store.makeBucket();
}
