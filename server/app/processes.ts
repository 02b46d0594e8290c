import cluster, { type Worker } from "node:cluster";
import { createServer } from "node:net";
import { claimDataFolder } from "../platform/backends/data-folder.ts";
import { createLog } from "../platform/observability/log.ts";
import { processesOf } from "../platform/settings/processes-of.ts";
import { readSettings, type Settings } from "../platform/settings/settings.ts";
import { onStopSignal } from "../platform/stop-signals.ts";
import { announce } from "./announcement.ts";
import { listening } from "./listening.ts";
import { openAlone } from "./open-alone.ts";
import { environmentOf, ownPart, readyAt, toLead } from "./parts.ts";
import type { Run } from "./run.ts";

const longestPauseMs = 15_000;

/** Starts the product as one process or as several, as the settings say, and runs it until it gets a stop signal. */
export async function runProcesses(it: Pick<Run, "purpose" | "environment">): Promise<void> {
  const settings = readSettings(it.environment);
  const count = processesOf(settings);
  if (cluster.isPrimary && count > 1) return supervise(it, settings, count);
  const { run } = await import("./run.ts");
  await run({ ...it, part: cluster.isWorker ? ownPart(it.environment) : undefined });
}

interface Running {
  worker: Worker;
  isReady: boolean;
}

/**
 * Keeps processes running that share the port. They are equal, as replicas are, except that one of them leads: it starts
 * first, migrates, and runs the jobs; when it ends, another one does. This process only holds the embedded database, and so
 * hardly ever fails.
 */
async function supervise({ purpose }: Pick<Run, "purpose">, settings: Settings, count: number): Promise<void> {
  const log = createLog(settings.logLevel);
  const opened = new AsyncDisposableStack();
  const running = new Map<number, Running>();
  const failures = new Map<number, number>();
  let leader: number | undefined = 0;
  let isServing = false;
  let isStopping = false;
  const allEnded = Promise.withResolvers<void>();

  const stop = () => {
    isStopping = true;
    for (const { worker } of running.values()) worker.process.kill("SIGTERM");
    if (running.size === 0) allEnded.resolve();
  };
  onStopSignal(stop);
  await claimDataFolder(settings.dataDir, purpose);
  const port = await freePort(settings);
  const { embedded } = await openAlone(settings, log, opened).catch(async (error: unknown) => {
    await opened.disposeAsync().catch(() => {}); // the reason for the failure is the one to show
    throw error;
  });

  const begin = (number: number) => {
    leader ??= number;
    const worker = cluster.fork(environmentOf({ number, of: count, leads: leader === number, port, embedded }));
    const it: Running = { worker, isReady: false };
    running.set(number, it);
    worker.on("error", () => {}); // a message did not reach it, because it has ended
    worker.on("message", (message: unknown) => {
      const address = readyAt(message);
      if (address === undefined || isStopping) return;
      it.isReady = true;
      failures.delete(number);
      if (isServing) return;
      isServing = true;
      announce(settings.publicUrl ?? address);
      // The first one has migrated the database.
      for (let other = 1; other < count; other += 1) begin(other);
    });
    worker.once("exit", (code, signal) => {
      running.delete(number);
      if (isServing && !isStopping) return replace(number, { code, signal });
      if (!isStopping) process.exitCode = code || 1;
      isStopping = true;
      if (running.size === 0) allEnded.resolve();
    });
  };

  const replace = (number: number, how: { code: number; signal: string }) => {
    log.error({ process: number, ...how }, "a process of the server has ended; another one takes its place");
    if (leader === number) {
      const next = [...running].find(([, { isReady }]) => isReady);
      leader = next?.[0];
      next?.[1].worker.send(toLead);
    }
    const failed = failures.get(number) ?? 0;
    failures.set(number, failed + 1);
    const pauseMs = failed === 0 ? 0 : Math.min(longestPauseMs, 500 * 2 ** failed);
    setTimeout(() => {
      if (!isStopping) begin(number);
    }, pauseMs);
  };

  if (isStopping) allEnded.resolve();
  else begin(0);
  await allEnded.promise;
  await opened.disposeAsync();
  process.exit();
}

/** Processes that share a port would also share it with another server that does. */
async function freePort({ host, port }: Pick<Settings, "host" | "port">): Promise<number> {
  const server = createServer();
  const listen = () =>
    new Promise<void>((done, fail) => {
      server.once("error", fail);
      server.listen({ host, port, exclusive: true }, done);
    });
  await listening({ host, port, setting: "port" }, listen);
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === "object" && address ? address.port : port;
}
