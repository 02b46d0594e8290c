import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { hasCode } from "../../platform/errors/has-code.ts";
import { OperatorError } from "../../platform/errors/operator-error.ts";
import { makeFolder } from "../../platform/make-folder.ts";
import { openFolderStorage } from "../../platform/storage/folder-storage.ts";
import type { ObjectStorage } from "../../platform/storage/storage.ts";
import { readLines } from "./backup-files.ts";
import { type Content, Damaged } from "./content.ts";

/*
 * A folder of backups:
 *   objects/ab/cdef…            package bytes by their SHA-256, shared by all backups in it; `incoming/` while they are copied
 *   backups/{instant}/          one backup
 *     manifest.json             describes it; `manifest.json.sha256` is its digest, as `sha256sum` writes it
 *     objects.copy.gz           digest and size of every object that it needs
 *     tables/{name}.copy.gz     the rows in the text form of COPY
 */

const format = 1;
const measured = { rows: z.int().min(0), sha256: z.string() };
const plainName = z.string().regex(/^\w+$/);

const manifestSchema = z.object({
  format: z.literal(format),
  product: z.string(),
  takenAt: z.iso.datetime(),
  schema: z.string(),
  installation: z.string(),
  tables: z.array(
    z.object({
      name: plainName,
      columns: z.array(z.string()),
      sequences: z.array(z.object({ column: z.string(), next: z.int() })),
      ...measured,
    }),
  ),
  objects: z.object(measured),
});
export type Manifest = z.infer<typeof manifestSchema>;
export const manifestOf = (facts: Omit<Manifest, "format">): string => JSON.stringify({ format, ...facts }, null, 2);

export const backupsFolder = (folder: string): string => join(folder, "backups");
export const tableFile = (backup: string, name: string): string => join(backup, "tables", `${name}.copy.gz`);
export const objectsFile = (backup: string): string => join(backup, "objects.copy.gz");
export const manifestFile = (backup: string): string => join(backup, "manifest.json");
export const digestFile = (backup: string): string => join(backup, "manifest.json.sha256");
export const digestLine = (manifest: string): string =>
  `${createHash("sha256").update(manifest).digest("hex")}  manifest.json\n`;

/** Not every file system allows colons in file names. */
export const nameOf = (taken: Date): string => taken.toISOString().replaceAll(":", "-");
const finished = /^\d{4}-\d\d-\d\dT[\d.-]+Z$/;

/** Names of the finished backups, the oldest first. */
export async function backupsIn(folder: string): Promise<string[]> {
  return (await namesIn(backupsFolder(folder))).filter((name) => finished.test(name)).sort();
}

/** Names of the remains of interrupted backups and removals. */
export async function leftoversIn(folder: string): Promise<string[]> {
  return (await namesIn(backupsFolder(folder))).filter((name) => name.startsWith("."));
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  });

/** Creates the folder, or checks that it holds nothing but backups. */
export async function claimBackupFolder(folder: string): Promise<ObjectStorage> {
  const ours = new Set(["backups", "incoming", "objects"]);
  if ((await namesIn(folder)).some((name) => !ours.has(name)))
    throw new OperatorError(
      `The folder ${folder} contains files other than backups. Please name an empty or new folder.`,
    );
  await makeFolder(backupsFolder(folder), 0o700);
  return openFolderStorage(folder);
}

/** The newest backup, or the newest one taken by then: an instant, or a day to its end (UTC). */
export async function chooseBackup(folder: string, at?: string): Promise<string> {
  const names = await backupsIn(folder);
  if (names.length === 0) throw new OperatorError(`There is no backup in ${folder}.`);
  const until = at === undefined ? undefined : nameOf(endOf(at));
  const chosen = names.findLast((name) => until === undefined || name <= until);
  if (chosen === undefined) throw new OperatorError(`The first backup in ${folder} is ${names[0]}.`);
  return chosen;
}

function endOf(at: string): Date {
  const day = z.iso.date().safeParse(at).success;
  // The name of a backup stands for its instant.
  const instant = at.replace(/T(\d\d)-(\d\d)-/, "T$1:$2:");
  const parsed = new Date(day ? `${at}T23:59:59.999Z` : instant);
  if (Number.isNaN(parsed.getTime()))
    throw new OperatorError(`${at} is neither a day nor a time such as 2026-01-31T12:00:00Z.`);
  return parsed;
}

/** A backup and its manifest; its tables and objects are checked when they are read. */
export interface Backup extends Content {
  name: string;
  manifest: Manifest;
  /** Those of all backups in the folder. */
  objects: ObjectStorage;
}

export async function openBackup(folder: string, name: string): Promise<Backup> {
  const path = join(backupsFolder(folder), name);
  const manifest = await readManifest(path);
  const objects = await openFolderStorage(folder);
  return {
    name,
    manifest,
    objects,
    schema: manifest.schema,
    installation: manifest.installation,
    tables: manifest.tables,
    readTable(table) {
      const expected = manifest.tables.find((one) => one.name === table);
      if (!expected) throw new Error(`no table ${table}`);
      return readLines(tableFile(path, table), expected);
    },
    readObjectList: () => readLines(objectsFile(path), manifest.objects),
    readObject: (digest) => objects.read(digest),
  };
}

async function readManifest(path: string): Promise<Manifest> {
  const [text, digest] = await Promise.all(
    [manifestFile(path), digestFile(path)].map((file) => readFile(file, "utf8")),
  );
  if (text === undefined || digest !== digestLine(text)) throw new Damaged(`The manifest of ${path} is damaged.`);
  const version = z.object({ format: z.number() }).parse(JSON.parse(text)).format;
  if (version !== format)
    throw new OperatorError(`${path} has the format ${version}, which this version of Packhouse cannot read.`);
  return manifestSchema.parse(JSON.parse(text));
}
