import { resolve } from "node:path";
import { z } from "zod";
import { chooseBackup } from "../../../operate/transfer/backup-folder.ts";
import { openSoundBackup } from "../../../operate/transfer/check-backup.ts";
import { restoreBackup } from "../../../operate/transfer/restore-backup.ts";
import { argument, type CommandIo, command, option } from "../command.ts";
import { inInstallation } from "../installation.ts";

export const restore = command({
  name: "restore",
  summary: "Restores a backup into an empty database and storage.",
  details:
    "The settings name the database and storage, which must be empty. The whole backup is checked before anything is written. If the restoration is interrupted, run the command again to continue.",
  arguments: { folder: argument(z.string(), "Folder of the backups.") },
  options: {
    at: option(z.string().optional(), "MOMENT", "Restores the newest backup as of that day or time."),
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
  note(`Reading ${name}…`);
  const sound = await openSoundBackup(folder, name);
  await inInstallation(
    environment,
    async ({ pool, storage }) => {
      await restoreBackup(sound, { pool, storage }, note);
      print(`Restored ${name}: ${sound.manifest.objects.rows} objects. You can start the server.`);
    },
    { make: true, migrated: false },
  );
}
