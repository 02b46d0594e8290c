import type { PackageFile } from "@packhouse/formats/package-file";
import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/database.ts";
import { builtOnce } from "../../../platform/db/statements/built-once.ts";
import { lookOf } from "../../../platform/names/lookalikes.ts";
import { responsibleUser } from "../../maintainers/responsible-user-store.ts";
import { type Lookalike, lookalikeAmong } from "../../packages/new-name.ts";
import { alikeColumns, hasIdentity, type Identity, packages } from "../../packages/store.ts";

interface KnownRow {
  incomplete: boolean;
  alike: Lookalike[];
  hasSameFile: boolean;
  responsibleId: number | null;
}

const known = builtOnce<Identity & { repositoryId: number; look: string }, KnownRow>((db, value) =>
  db.selectNoFrom([
    ...alikeColumns(value("repositoryId"), sql`name_look = ${value("look")}`),
    sql<boolean>`exists (select from packages where ${hasIdentity(value)})`.as("hasSameFile"),
    responsibleUser(sql`${value("repositoryId")}::integer`, sql`${value("normalizedName")}::text`).as("responsibleId"),
  ]),
);

/** What the records of a repository say about a file that is uploaded to it. */
export interface KnownOfFile {
  /** Another accepted name that looks like its name, if that is new. */
  like: Lookalike | undefined;
  /** Whether there is the same file of the same version. */
  hasSameFile: boolean;
  /** Undefined if nobody can be responsible for it. */
  responsibleId: number | undefined;
}

/** One statement, because every upload sends it twice. */
export async function knownOfFile(db: Db | Tx, repositoryId: number, file: PackageFile): Promise<KnownOfFile> {
  const look = lookOf(file.normalizedName);
  const [row] = await known(db, { ...file, repositoryId, look });
  if (!row) throw new Error("a statement without a table has one row");
  const { incomplete, alike, hasSameFile, responsibleId } = row;
  if (incomplete) {
    await packages(db).fillLooks(repositoryId);
    return knownOfFile(db, repositoryId, file);
  }
  return { like: lookalikeAmong(alike, file.normalizedName), hasSameFile, responsibleId: responsibleId ?? undefined };
}
