import { resolve } from "node:path";
import { z } from "zod";
import { chooseBackup } from "../../../operate/transfer/backup-folder.ts";
import { openSoundBackup } from "../../../operate/transfer/check-backup.ts";
import { restoreBackup } from "../../../operate/transfer/restore-backup.ts";
import { argument, command, option, type CommandIo } from "../command.ts";
import { inInstallation } from "../installation.ts";

export const restore = command({
  name: "restore",
  summary: "Fills an empty place with a backup.",
  details:
    "The place is what the settings name: an empty database, an empty storage. The whole backup is read before anything is written. What was interrupted goes on when it is called again.",
  arguments: { folder: argument(z.string(), "Where the backups lie.") },
  options: {
    at: option(z.string().optional(), "MOMENT", "Not the newest backup, but the newest of that day or instant."),
  },
  async run({ environment, arguments: { folder }, options: { at }, print, note }) {
    await restoreFrom(resolve(folder), at, { environment, print, note });
  },
});

export async function restoreFrom(
  folder: string,
  at: string | undefined,
  { environment, print, note }: Pick<CommandIo, "environment" | "print" | "note">,
): Promise<void> {
  const name = await chooseBackup(folder, at);
  note(`Reading ${name} …`);
  const sound = await openSoundBackup(folder, name);
  await inInstallation(
    environment,
    async ({ pool, storage }) => {
      await restoreBackup(sound, { pool, storage }, note);
      print(`Everything of ${name} is here: ${sound.manifest.objects.rows} objects. The server can be started.`);
    },
    { make: true, migrated: false },
  );
}
