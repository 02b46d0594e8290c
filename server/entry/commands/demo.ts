import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { announceDemo } from "../../app/announcement.ts";
import { OperatorError } from "../../platform/errors/operator-error.ts";
import { isLoopback, type Settings } from "../../platform/settings/settings.ts";
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
    const { declarationsIn, declareMirror, fillMirror, openMirror } = await import("../../operate/demo/mirror.ts");
    const { mailFolder } = await import("../../operate/demo/mail-folder.ts");
    const given = environment.PACKHOUSE_DEMO_PASSWORD;
    const password = given ?? "packhouse-demo";
    const dataDir = environment.PACKHOUSE_DATA_DIR ?? "./data-demo";
    const mailTo = environment.PACKHOUSE_MAIL_HOST === undefined ? join(dataDir, "mail") : undefined;
    const isMirroring = environment.PACKHOUSE_DECLARATIVE_PATHS === undefined;
    let isNew = false;
    await run({
      purpose: "demo",
      environment: {
        // What its mirror leaves out on purpose is on its page, not for the terminal.
        PACKHOUSE_LOG_LEVEL: "error",
        ...(mailTo === undefined ? {} : mailSettings),
        ...(isMirroring ? mirrorSettings(declarationsIn(dataDir)) : {}),
        ...environment,
        PACKHOUSE_DATA_DIR: dataDir,
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
        if (isMirroring) await declareMirror(settings.dataDir, addressOf(settings));
      },
      async fill(packhouse, time) {
        const { settings } = packhouse.deps;
        const complete = join(settings.dataDir, "complete");
        if (existsSync(complete)) return;
        print("Creating the demo organization…");
        await buildOrganization({
          packhouse,
          password,
          address: addressOf(settings),
          setTime: time.set,
          print,
        });
        time.set(undefined);
        if (isMirroring) await openMirror(packhouse);
        isNew = true;
        await writeFile(complete, "");
      },
      announce(address, packhouse) {
        announceDemo(address, password, mailTo && resolve(mailTo));
        if (isNew && isMirroring)
          fillMirror(packhouse).catch((error: unknown) =>
            packhouse.deps.log.error({ err: error }, "the mirror of the demo is empty"),
          );
      },
      mailer: mailTo === undefined ? undefined : mailFolder(mailTo),
    });
  },
});

const addressOf = ({ publicUrl, port }: Settings): string =>
  publicUrl?.replace(/\/$/, "") ?? `http://localhost:${port}`;

/** Never connected to: the demo keeps its mail in a folder. */
const mailSettings = {
  PACKHOUSE_MAIL_HOST: "mail.invalid",
  PACKHOUSE_MAIL_FROM_ADDRESS: "packhouse@larkmere.example",
  PACKHOUSE_MAIL_COLLECT_SECONDS: "20",
};

/** It mirrors one of its own repositories. */
const mirrorSettings = (declarations: string) => ({
  PACKHOUSE_DECLARATIVE_PATHS: declarations,
  PACKHOUSE_MIRRORS_ALLOW_PRIVATE_ADDRESSES: "true",
});
