import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../platform/clock.ts";
import { OperatorError } from "../../platform/errors/operator-error.ts";
import { productVersion } from "../../platform/product-version.ts";
import { sync } from "../../platform/storage/folder-storage.ts";
import type { ObjectStorage } from "../../platform/storage/storage.ts";
import { readLines, writeLines, writeText } from "./backup-files.ts";
import {
  backupsFolder,
  backupsIn,
  claimBackupFolder,
  digestFile,
  digestLine,
  leftoversIn,
  type Manifest,
  manifestFile,
  manifestOf,
  nameOf,
  objectsFile,
  openBackup,
  tableFile,
} from "./backup-folder.ts";
import { connect } from "./connection.ts";
import type { Content } from "./content.ts";
import { copyObject, forEachObject, objectsOf } from "./objects.ts";
import { type Place, withSnapshot } from "./snapshot.ts";
import { takeLock } from "./store.ts";

export interface BackupOptions {
  clock: Clock;
  /** How many older backups to keep; the rest are removed with what only they needed. By default all stay. */
  keep?: number | undefined;
}

export interface MadeBackup {
  name: string;
  rows: number;
  objects: number;
  /** Objects that were not in the folder yet. */
  copied: number;
  /** Names of the removed backups. */
  removed: string[];
}

/** Adds a backup to a folder while the servers run. If it fails halfway, earlier backups stay unchanged. */
export async function makeBackup(place: Place, folder: string, { clock, keep }: BackupOptions): Promise<MadeBackup> {
  // The removal of old backups must not run during another backup that relies on their objects.
  await using guard = await connect(place);
  if (!(await takeLock(guard.db, "backup"))) throw new OperatorError("Another backup of this installation is running.");
  const objects = await claimBackupFolder(folder);
  for (const name of await leftoversIn(folder)) await remove(folder, name);
  const made = await withSnapshot(place, (content) => write(content, folder, objects, clock));
  return { ...made, removed: keep === undefined ? [] : await keepNewest(folder, objects, keep) };
}

async function write(
  content: Content,
  folder: string,
  objects: ObjectStorage,
  clock: Clock,
): Promise<Omit<MadeBackup, "removed">> {
  await requireSameInstallation(content, folder);
  const takenAt = clock();
  const name = nameOf(takenAt);
  const unfinished = join(backupsFolder(folder), `.unfinished-${name}`);
  await mkdir(join(unfinished, "tables"), { recursive: true, mode: 0o700 });

  const tables: Manifest["tables"] = [];
  for (const { name: table, columns, sequences } of content.tables) {
    const measure = await writeLines(tableFile(unfinished, table), content.readTable(table));
    tables.push({ name: table, columns: [...columns], sequences: [...sequences], ...measure });
  }
  const list = await writeLines(objectsFile(unfinished), content.readObjectList());
  let copied = 0;
  await forEachObject(objectsOf(readLines(objectsFile(unfinished), list)), async (object) => {
    if (await copyObject(content, objects, object)) copied += 1;
  });

  const { schema, installation } = content;
  const manifest = manifestOf({
    product: productVersion,
    takenAt: takenAt.toISOString(),
    schema,
    installation,
    tables,
    objects: list,
  });
  await writeText(manifestFile(unfinished), manifest);
  await writeText(digestFile(unfinished), digestLine(manifest));
  for (const made of [join(unfinished, "tables"), unfinished]) await sync(made);
  await rename(unfinished, join(backupsFolder(folder), name));
  await sync(backupsFolder(folder));
  return { name, rows: tables.reduce((sum, { rows }) => sum + rows, 0), objects: list.rows, copied };
}

async function requireSameInstallation({ installation }: Content, folder: string): Promise<void> {
  for (const name of await backupsIn(folder))
    if ((await openBackup(folder, name)).installation !== installation)
      throw new OperatorError(`The folder ${folder} contains backups of another installation.`);
}

/** Removes all but the newest backups, then the objects that no backup needs anymore. */
async function keepNewest(folder: string, objects: ObjectStorage, keep: number): Promise<string[]> {
  const names = await backupsIn(folder);
  const removed = names.slice(0, -keep);
  for (const name of removed) {
    // Once renamed it is no longer a backup, even if its removal is interrupted.
    await rename(join(backupsFolder(folder), name), join(backupsFolder(folder), `.removing-${name}`));
    await remove(folder, `.removing-${name}`);
  }
  const needed = new Set<string>();
  for (const name of names.slice(-keep))
    for await (const { digest } of objectsOf((await openBackup(folder, name)).readObjectList())) needed.add(digest);
  for await (const { digest } of objects.list()) if (!needed.has(digest)) await objects.remove(digest);
  return removed;
}

const remove = (folder: string, name: string): Promise<void> =>
  rm(join(backupsFolder(folder), name), { recursive: true, force: true });
