import "../low-guessing-cost.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { createFirstAdministrator } from "../../identity/accounts/accounts-of-settings.ts";
import { systemClock } from "../../platform/clock.ts";
import { openDatabase } from "../../platform/db/database.ts";
import { startEmbeddedPostgres } from "../../platform/db/embedded/embedded-postgres.ts";
import { migrate } from "../../platform/db/migrate.ts";
import { createJobs } from "../../platform/jobs/jobs.ts";
import { createListener } from "../../platform/jobs/listener.ts";
import { startObjectStore } from "./object-store.ts";
import { startPostgresServer } from "./postgres-server.ts";
import {
  connectionTo,
  type DatabaseServer,
  inMaintenance,
  makeDatabase,
  type TestBackends,
  testBackendsVariable,
} from "./test-backends.ts";

/**
 * The backends of the API tests, by `PACKHOUSE_TEST_ON`: `embedded+folder` by default, or `server` (PostgreSQL by TCP)
 * for the first part, `bucket` (an S3-compatible server) for the second.
 */
const testOn = /^(embedded|server)\+(folder|bucket)$/;

/**
 * One PostgreSQL, and one bucket if requested, for the whole run of the API tests; each file creates what it needs in
 * them.
 */
export async function setup(): Promise<() => Promise<void>> {
  const asked = process.env.PACKHOUSE_TEST_ON ?? "embedded+folder";
  const [, database, storage] = testOn.exec(asked) ?? [];
  if (database === undefined) throw new Error(`PACKHOUSE_TEST_ON is ${asked}, which is not of the form ${testOn}`);
  const started: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const one of started.toReversed()) await one();
  };
  try {
    const server = database === "server" ? await postgresServer(started) : await embeddedPostgres(started);
    const backends: TestBackends = {
      database: { ...server, template: await makeTemplate(server) },
      ...(storage === "bucket" ? { bucket: await bucket(started) } : {}),
    };
    process.env[testBackendsVariable] = JSON.stringify(backends);
    process.stdout.write(`The API tests run on ${asked}.\n`);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

const silent = pino({ level: "silent" });

/**
 * Creates the tables and the administrator, whose password takes time to hash, once for all tests, which copy the
 * database. Creating them in an empty one is covered by the tests of migrations, and by every test that starts the
 * product as a process.
 */
async function makeTemplate(server: DatabaseServer): Promise<string> {
  const name = await makeDatabase(server);
  const database = openDatabase(connectionTo(server, name));
  const listener = createListener(database.pool.options, silent);
  const jobs = createJobs(database, listener, silent);
  try {
    await migrate(database.db);
    await jobs.start();
    await createFirstAdministrator(
      { db: database.db, clock: systemClock, log: silent },
      { "admin.login": "admin", "admin.password": "admin-password" },
    );
  } finally {
    await jobs.stop(0);
    await listener.close();
    await database.close();
  }
  return name;
}

async function embeddedPostgres(started: (() => Promise<void>)[]): Promise<DatabaseServer> {
  const folder = await mkdtemp(join(tmpdir(), "packhouse-test-database-"));
  started.push(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, "database"), log: silent });
  started.push(() => postgres.stop());
  const { host, user } = postgres.connection;
  // Thrown away after the tests: nothing has to survive a power failure.
  const settings = ["fsync", "full_page_writes", "synchronous_commit"];
  await inMaintenance(
    { host, user },
    ...settings.map((setting) => `alter system set ${setting} = off`),
    "select pg_reload_conf()",
  );
  return { host, user };
}

async function postgresServer(started: (() => Promise<void>)[]): Promise<DatabaseServer> {
  const server = await startPostgresServer();
  started.push(() => server.stop());
  return { ...server.connection, administrator: server.administrator };
}

/** Its address; the credentials are where the product expects them. */
async function bucket(started: (() => Promise<void>)[]): Promise<string> {
  const store = await startObjectStore();
  started.push(() => store.stop());
  Object.assign(process.env, store.credentials);
  return store.makeBucket();
}
