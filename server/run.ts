import { join, resolve } from "node:path";
import { announce, tellAdministrator } from "./announcement.ts";
import { createPackhouse, type Packhouse } from "./app.ts";
import { claimDataFolder, type Purpose } from "./data-folder.ts";
import { openGround } from "./ground.ts";
import { readSettings, type Settings } from "./settings.ts";
import { createLog } from "./watching/log.ts";

const consoleFolder = resolve(import.meta.dirname, "../console/dist");

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

/** A signal to a whole group of processes reaches the server directly and through those that pass it on. */
const sameSignalMs = 1000;

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
  await claimDataFolder(settings.dataDir, purpose);
  await prepare?.(settings);
  const log = createLog(settings.logLevel);
  let moved: Date | undefined;
  const ground = await openGround(settings, log);
  const packhouse = await createPackhouse({
    ...ground,
    settings,
    clock: () => moved ?? new Date(),
    log,
    consoleFolder,
    createAdministrator,
  }).catch(async (error: unknown) => {
    await ground.close();
    throw error;
  });
  await fill?.(packhouse, {
    set(at) {
      moved = at;
    },
  });
  const address = await packhouse.listen();
  await tellAdministrator(packhouse.firstAdministrator, join(settings.dataDir, "admin-password"));
  tell(settings.publicUrl ?? address);

  let toldAt: number | undefined;
  const stop = async () => {
    if (toldAt !== undefined) {
      // Whoever says it again does not want to wait. At once it is the same word, sent to us and to our parent.
      if (performance.now() - toldAt > sameSignalMs) process.exit(1);
      return;
    }
    toldAt = performance.now();
    await packhouse.close();
    await ground.close();
    process.exit(0);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}
