import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pino } from "pino";
import { announce, tellAdministrator } from "./announcement.ts";
import { createPackhouse } from "./app.ts";
import { systemClock } from "./clock.ts";
import { openGround } from "./ground.ts";
import { readSettings, WrongSettings } from "./settings.ts";

const consoleFolder = resolve(import.meta.dirname, "../console/dist");

try {
  const settings = readSettings(process.env);
  const log = pino({ level: settings.logLevel });
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const ground = await openGround(settings, log);
  const packhouse = await createPackhouse({ ...ground, settings, clock: systemClock, log, consoleFolder });
  const address = await packhouse.listen();
  await tellAdministrator(packhouse.firstAdministrator, join(settings.dataDir, "admin-password"));
  announce(settings.publicUrl ?? address);

  let closing = false;
  const stop = async () => {
    if (closing) return;
    closing = true;
    await packhouse.close();
    await ground.close();
    process.exit(0);
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
} catch (error) {
  if (!(error instanceof WrongSettings)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
}
