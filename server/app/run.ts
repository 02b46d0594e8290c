import { join, resolve } from "node:path";
import { openBackends } from "../platform/backends/backends.ts";
import { claimDataFolder, type Purpose } from "../platform/backends/data-folder.ts";
import type { Mailer } from "../platform/mail/mailer.ts";
import { createLog } from "../platform/observability/log.ts";
import { readSettings, type Settings } from "../platform/settings/settings.ts";
import { onStopSignal } from "../platform/stop-signals.ts";
import { announce, tellAdministrator } from "./announcement.ts";
import { createPackhouse, type Packhouse } from "./app.ts";
import { openAlone } from "./open-alone.ts";
import { type PartOfServer, reportReady, whenItLeads } from "./parts.ts";

const consoleFolder = resolve(import.meta.dirname, "../../console/dist");

/** The server's clock; the demo moves it to build its history. */
export interface MovableTime {
  /** Undefined: back to real time. */
  set(at: Date | undefined): void;
}

export interface Run {
  purpose: Purpose;
  environment: Record<string, string | undefined>;
  /** Whether the first administrator is created; the demo creates its own. */
  createAdministrator?: boolean;
  /** Runs before anything is opened. */
  prepare?(settings: Settings): Promise<void>;
  /** Runs before the server listens. */
  fill?(packhouse: Packhouse, time: MovableTime): Promise<void>;
  /** Called once the server listens. */
  announce?(address: string, packhouse: Packhouse): void;
  /** If it is one of several processes, which share a database that is open already. */
  part?: PartOfServer | undefined;
  /** What sends mail, if not the mail server of the settings. */
  mailer?: Mailer | undefined;
}

/** Starts the product and runs it until it gets a stop signal. A wrong setting ends the start with its name. */
export async function run({
  purpose,
  environment,
  createAdministrator = true,
  prepare,
  fill,
  announce: show = announce,
  part,
  mailer,
}: Run): Promise<void> {
  const settings = readSettings(environment);
  // Whether the start fails or is stopped halfway, what was opened so far is closed in order.
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
    if (!part) await claimDataFolder(settings.dataDir, purpose);
    await prepare?.(settings);
    const log = createLog(settings.logLevel);
    let moved: Date | undefined;
    const backends = part ? await openBackends(settings, log, part.embedded) : await openAlone(settings, log, opened);
    if (part) opened.defer(() => backends.close());
    stopped.signal.throwIfAborted();
    const packhouse = await createPackhouse({
      ...backends,
      settings,
      clock: () => moved ?? new Date(),
      log,
      consoleFolder,
      createAdministrator,
      part,
      mailer,
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
    if (part) {
      whenItLeads(() => packhouse.lead(), log);
      reportReady(address);
    } else show(settings.publicUrl ?? address, packhouse);
    started = true;
  } catch (error) {
    if (stopped.signal.aborted) return end();
    // The reason for the failure is the one to show.
    await opened.disposeAsync().catch(() => {});
    throw error;
  }
}

/** When the start is stopped, long work is abandoned; it fails when the database is closed. */
async function unlessStopped(work: Promise<void> | undefined, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<never>((_done, fail) => {
    signal.addEventListener("abort", () => fail(signal.reason), { once: true });
  });
  stopped.catch(() => {}); // if the work finishes first
  await Promise.race([work, stopped]);
}
