import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenDatabase, openDatabase } from "../../platform/db/database.ts";
import { freePort, type Product, startProduct } from "../product.ts";
import type { Nginx } from "../servers/nginx.ts";
import { startObjectStore } from "../servers/object-store.ts";
import { startPostgresServer } from "../servers/postgres-server.ts";
import { startBalancer } from "./balancer.ts";

/** Several processes of the product on one PostgreSQL server and one bucket, behind a balancer. */
export interface Replicas extends AsyncDisposable {
  /** Address of the load balancer. */
  address: string;
  /** The running replicas; a restarted one takes the place of its predecessor. */
  running: Product[];
  /** The environment of the processes, for commands of the product on the same database. */
  environment: Record<string, string>;
  /** Their database, to look into. */
  database: OpenDatabase;
  /** Processes of the database at the moment. */
  databaseProcesses(): Promise<number[]>;
  /** Kills a replica in the middle of its work. */
  kill(index: number): Promise<void>;
  /** Restarts it in its place; resolves when it is ready. */
  restart(index: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startReplicas(count: number, more: Record<string, string> = {}): Promise<Replicas> {
  const folder = await mkdtemp(join(tmpdir(), "packhouse-replicas-"));
  const [postgres, bucket] = await Promise.all([startPostgresServer(), startObjectStore()]);
  const databaseUrl = await postgres.makeDatabase();
  const port = await freePort();
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const environment = {
    PACKHOUSE_DATABASE_URL: databaseUrl,
    PACKHOUSE_STORAGE_URL: await bucket.makeBucket(),
    ...bucket.credentials,
    PACKHOUSE_PUBLIC_URL: `http://localhost:${port}`,
    PACKHOUSE_TRUSTED_PROXIES: "127.0.0.1",
    ...more,
  };
  // Each has its own folder for staged uploads, which no other replica needs.
  const start = (at: number) =>
    startProduct({ dataDir: join(folder, `replica-${at}`), port: ports[at] ?? 0, environment });

  let running: Product[] = [];
  let balancer: Nginx | undefined;
  const records = openDatabase({ connectionString: databaseUrl });
  const stop = async () => {
    await balancer?.stop();
    await Promise.all(running.map((replica) => replica.kill("SIGTERM")));
    await records.close();
    await Promise.all([postgres.stop(), bucket.stop()]);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    // All at the same time, as in a cluster: they agree on who migrates.
    const started = await Promise.allSettled(ports.map((_port, at) => start(at)));
    running = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const failure = started.find((one) => one.status === "rejected");
    if (failure) throw failure.reason;
    balancer = await startBalancer(port, ports);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    address: balancer.address,
    running,
    environment,
    database: records,
    databaseProcesses: () => postgres.processes(),
    async kill(index) {
      await running[index]?.kill("SIGKILL");
    },
    async restart(index) {
      running[index] = await start(index);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
