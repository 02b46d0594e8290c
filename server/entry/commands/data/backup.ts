import { resolve } from "node:path";
import { z } from "zod";
import { chooseBackup } from "../../../operate/transfer/backup-folder.ts";
import { openSoundBackup } from "../../../operate/transfer/check-backup.ts";
import { Damaged } from "../../../operate/transfer/content.ts";
import { makeBackup } from "../../../operate/transfer/make-backup.ts";
import { systemClock } from "../../../platform/clock.ts";
import { OperatorError } from "../../../platform/errors/operator-error.ts";
import { argument, command, flag, option, somethingFound } from "../command.ts";
import { inInstallation } from "../installation.ts";

export const backup = command({
  name: "backup",
  summary: "Adds a backup to a folder while the servers run.",
  details:
    "Package files that are already in the folder are read, but not copied again. A backup contains digests of passwords and access tokens, and the key that signs sessions: only trusted users should be able to read the folder. `packhouse restore` restores it (docs/backup.md).",
  arguments: { folder: argument(z.string(), "Folder of the backups; created if it is missing.") },
  options: {
    keep: option(z.coerce.number().int().min(1).optional(), "N", "Afterward, removes all but the newest N backups."),
    check: flag("Makes no backup, but reads the newest one and reports whether it is intact."),
    at: option(z.string().optional(), "MOMENT", "With --check: checks the newest backup as of that day or time."),
  },
  async run({ environment, arguments: { folder }, options: { keep, check, at }, print }) {
    if (check) return checked(resolve(folder), at, print);
    if (at !== undefined) throw new OperatorError("--at requires --check.");
    await inInstallation(
      environment,
      async ({ pool, storage }) => {
        const made = await makeBackup({ pool, storage }, resolve(folder), { clock: systemClock, keep });
        print(`Backup ${made.name}: ${made.rows} rows, ${made.objects} objects, ${made.copied} of them new.`);
        for (const name of made.removed) print(`Removed ${name}.`);
      },
      { migrated: false },
    );
    return 0;
  },
});

async function checked(folder: string, at: string | undefined, print: (line: string) => void): Promise<number> {
  const name = await chooseBackup(folder, at);
  try {
    const { manifest } = await openSoundBackup(folder, name);
    print(`Backup ${name} of Packhouse ${manifest.product} is intact: ${manifest.objects.rows} objects.`);
    return 0;
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    print(error.message);
    return somethingFound;
  }
}
