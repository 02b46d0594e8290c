import { resolve } from "node:path";
import { z } from "zod";
import { backupsIn } from "../../../operate/transfer/backup-folder.ts";
import { makeBackup } from "../../../operate/transfer/make-backup.ts";
import { systemClock } from "../../../platform/clock.ts";
import { OperatorError } from "../../../platform/errors/operator-error.ts";
import { argument, command } from "../command.ts";
import { inInstallation } from "../installation.ts";

export const exportEverything = command({
  name: "export",
  summary: "Exports everything to an empty folder while the servers run.",
  details:
    "The folder contains one backup, which `packhouse import` of this or a later version can read with any version of PostgreSQL. It contains digests of passwords and access tokens, and the key that signs sessions.",
  arguments: { folder: argument(z.string(), "An empty folder; created if it is missing.") },
  async run({ environment, arguments: { folder }, print }) {
    if ((await backupsIn(resolve(folder))).length > 0)
      throw new OperatorError(`The folder ${folder} already contains an export or backups.`);
    await inInstallation(
      environment,
      async ({ pool, storage }) => {
        const { rows, objects } = await makeBackup({ pool, storage }, resolve(folder), { clock: systemClock });
        print(`Exported ${rows} rows and ${objects} objects.`);
      },
      { migrated: false },
    );
  },
});
