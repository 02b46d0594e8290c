import { type Backup, openBackup } from "./backup-folder.ts";
import { Damaged } from "./content.ts";
import { forEachObject, isSound, objectsOf } from "./objects.ts";

/** A sound backup: its manifest, every table and every object have been read to the end. */
export async function openSoundBackup(folder: string, name: string): Promise<Backup> {
  const backup = await openBackup(folder, name);
  for (const table of backup.tables) for await (const _ of backup.readTable(table.name));
  await forEachObject(objectsOf(backup.readObjectList()), async (object) => {
    if (!(await isSound(backup.objects, object)))
      throw new Damaged(`The object ${object.digest} of the backup ${name} is missing or damaged.`);
  });
  return backup;
}
