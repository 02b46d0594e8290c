import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { announceDemo } from "../../app/announcement.ts";
import { OperatorError } from "../../platform/errors/operator-error.ts";
import { isLoopback } from "../../platform/settings/settings.ts";
import { command } from "./command.ts";

export const demo = command({
  name: "demo",
  summary: "Starts the server with a demo organization and its history.",
  details:
    "Its data is in ./data-demo unless PACKHOUSE_DATA_DIR names another folder; a second start changes nothing. All users have the password packhouse-demo, or the one in PACKHOUSE_DEMO_PASSWORD.",
  async run({ environment, print }) {
    // Imported here: the other commands need not wait until the whole server is loaded.
    const { run } = await import("../../app/run.ts");
    const { buildOrganization } = await import("../../operate/demo/build-organization.ts");
    const given = environment.PACKHOUSE_DEMO_PASSWORD;
    const password = given ?? "packhouse-demo";
    await run({
      purpose: "demo",
      environment: {
        ...environment,
        PACKHOUSE_DATA_DIR: environment.PACKHOUSE_DATA_DIR ?? "./data-demo",
        PACKHOUSE_ADMIN_LOGIN: "admin",
        PACKHOUSE_ADMIN_PASSWORD: password,
      },
      createAdministrator: false,
      async prepare(settings) {
        if (!isLoopback(settings.host) && given === undefined)
          throw new OperatorError(
            "The password of the demo is public: to listen on anything but loopback, set PACKHOUSE_DEMO_PASSWORD.",
          );
        // A demo that was interrupted while it was built is built again; it holds no data of users.
        if (!existsSync(join(settings.dataDir, "complete"))) {
          for (const part of ["database", "storage"])
            await rm(join(settings.dataDir, part), { recursive: true, force: true });
        }
      },
      async fill(packhouse, time) {
        const { settings } = packhouse.deps;
        const complete = join(settings.dataDir, "complete");
        if (existsSync(complete)) return;
        print("Creating the demo organization…");
        await buildOrganization({
          packhouse,
          password,
          address: settings.publicUrl?.replace(/\/$/, "") ?? `http://localhost:${settings.port}`,
          setTime: time.set,
          print,
        });
        time.set(undefined);
        await writeFile(complete, "");
      },
      announce: (address) => announceDemo(address, password),
    });
  },
});
