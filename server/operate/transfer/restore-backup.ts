import type { Backup } from "./backup-folder.ts";
import { withEmptyPlace } from "./fill-place.ts";
import type { Place } from "./snapshot.ts";

/** Fills an empty place from a sound backup. */
export async function restoreBackup(backup: Backup, place: Place, print: (line: string) => void): Promise<void> {
  await withEmptyPlace(place, async (filling) => {
    await filling.copyObjects(backup, print);
    await filling.copyRows(backup);
  });
}
