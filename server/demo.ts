import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { announceDemo } from "./announcement.ts";
import { buildOrganisation } from "./demo/build-organisation.ts";
import { run } from "./run.ts";
import { isLoopback } from "./settings.ts";

/** `npm run demo`: the product with an organisation in it that has a history. A second start changes nothing. */
const given = process.env.PACKHOUSE_DEMO_PASSWORD;
const password = given ?? "packhouse-demo";

await run({
  purpose: "demo",
  environment: {
    ...process.env,
    PACKHOUSE_DATA_DIR: process.env.PACKHOUSE_DATA_DIR ?? "./data-demo",
    PACKHOUSE_ADMIN_LOGIN: "admin",
    PACKHOUSE_ADMIN_PASSWORD: password,
  },
  createAdministrator: false,
  async prepare(settings) {
    if (!isLoopback(settings.host) && given === undefined)
      throw new Error(
        "The demo has a password that everybody knows: to listen on more than loopback, set PACKHOUSE_DEMO_PASSWORD.",
      );
    // A demo that was interrupted while it was being made is made anew; nothing of anybody's is in it.
    if (!existsSync(join(settings.dataDir, "complete"))) {
      for (const part of ["database", "storage"])
        await rm(join(settings.dataDir, part), { recursive: true, force: true });
    }
  },
  async fill(packhouse, time) {
    const { settings } = packhouse.deps;
    const complete = join(settings.dataDir, "complete");
    if (existsSync(complete)) return;
    process.stdout.write("Making the demo organisation …\n");
    await buildOrganisation({
      packhouse,
      password,
      address: settings.publicUrl?.replace(/\/$/, "") ?? `http://localhost:${settings.port}`,
      setTime: time.set,
      say: (text) => process.stdout.write(`${text}\n`),
    });
    time.set(undefined);
    await writeFile(complete, "");
  },
  announce: (address) => announceDemo(address, password),
});
