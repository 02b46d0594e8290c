import { join, resolve } from "node:path";
import { openBackends } from "../platform/backends/backends.ts";
import { claimDataFolder, type Purpose } from "../platform/backends/data-folder.ts";
import { beTheOneServer } from "../platform/db/embedded/one-server.ts";
import { createLog } from "../platform/observability/log.ts";
import { readSettings, type Settings } from "../platform/settings/settings.ts";
import { onStopSignal } from "../platform/stop-signals.ts";
import { announce, tellAdministrator } from "./announcement.ts";
import { createPackhouse, type Packhouse } from "./app.ts";

const consoleFolder = resolve(import.meta.dirname, "../../console/dist");

/** The time that the server goes by; the demo moves it to make its history. */
export interface MovableTime {
  /** Undefined: the real time again. */
  set(at: Date | undefined): void;
}

export interface Run {
  purpose: Purpose;
  environment: Record<string, string | undefined>;
  /** Whether the first administrator is made; the demo makes its own. */
  createAdministrator?: boolean;
  /** Before anything is opened. */
  prepare?(settings: Settings): Promise<void>;
  /** Before it listens. */
  fill?(packhouse: Packhouse, time: MovableTime): Promise<void>;
  announce?(address: string): void;
}

/** Starts the product and keeps it running until it is told to stop. A wrong setting ends the start with its name. */
export async function run({
  purpose,
  environment,
  createAdministrator = true,
  prepare,
  fill,
  announce: tell = announce,
}: Run): Promise<void> {
  const settings = readSettings(environment);
  // What was opened so far is closed in order, whether the start fails or is stopped halfway.
  const opened = new AsyncDisposableStack();
  const stopped = new AbortController();
  let started = false;
  const end = async () => {
    await opened.disposeAsync();
    process.exit(0);
  };
  onStopSignal(() => {
    stopped.abort();
    if (started) void end();
  });

  try {
    await claimDataFolder(settings.dataDir, purpose);
    await prepare?.(settings);
    const log = createLog(settings.logLevel);
    let moved: Date | undefined;
    const backends = await openBackends(settings, log);
    opened.defer(() => backends.close());
    stopped.signal.throwIfAborted();
    // A database of their own is where servers may meet: then they share the work.
    if (!settings.databaseUrl) {
      const alone = await beTheOneServer(backends.database.pool.options, resolve(settings.dataDir), log);
      opened.defer(() => alone.release());
    }
    const packhouse = await createPackhouse({
      ...backends,
      settings,
      clock: () => moved ?? new Date(),
      log,
      consoleFolder,
      createAdministrator,
    });
    opened.defer(() => packhouse.close());
    stopped.signal.throwIfAborted();
    const filled = fill?.(packhouse, {
      set(at) {
        moved = at;
      },
    });
    await unlessStopped(filled, stopped.signal);
    const address = await packhouse.listen();
    await tellAdministrator(packhouse.firstAdministrator, join(settings.dataDir, "admin-password"));
    stopped.signal.throwIfAborted();
    tell(settings.publicUrl ?? address);
    started = true;
  } catch (error) {
    if (stopped.signal.aborted) return end();
    // The reason for the failure is the one to show.
    await opened.disposeAsync().catch(() => {});
    throw error;
  }
}

/** Work that takes long is left behind when the start is stopped; it fails when the database is closed. */
async function unlessStopped(work: Promise<void> | undefined, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<never>((_done, fail) => {
    signal.addEventListener("abort", () => fail(signal.reason), { once: true });
  });
  stopped.catch(() => {}); // when the work is done first
  await Promise.race([work, stopped]);
}
