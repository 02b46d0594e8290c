import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { startEmbeddedPostgres } from "../db/embedded-postgres.ts";
import { testDatabaseVariable } from "./packhouse.ts";

/** One PostgreSQL for the whole run of the API tests; each file makes databases of its own in it. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "packhouse-test-database-"));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, "database"), log: pino({ level: "silent" }) });
  const { host, user } = postgres.connection;
  process.env[testDatabaseVariable] = JSON.stringify({ host, user });
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
