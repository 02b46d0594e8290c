import { type RoleName, roleOfRank } from "@packhouse/contract/roles";
import type { Technology } from "@packhouse/contract/technology";
import type { Tx } from "../../platform/db/database.ts";

/** The records that a maintainer record refers to, as far as its rules look at them. */
export interface RelatedPerson {
  id: number;
  name: string;
  role: RoleName;
}
export interface RelatedRepository {
  id: number;
  name: string;
  technology: Technology;
  publication_uri: string;
  server_address: string;
  deleted: boolean;
}

const largestId = 2_147_483_647;
const canBeId = (id: number): boolean => id > 0 && id <= largestId;

/** His role stays as it is until the end of the transaction. Undefined for people who do not exist or are deleted. */
export async function holdPerson(tx: Tx, id: number): Promise<RelatedPerson | undefined> {
  if (!canBeId(id)) return undefined;
  const row = await tx
    .selectFrom("users")
    .select(["id", "name", "rank"])
    .where("id", "=", id)
    .where("deleted", "=", false)
    .forShare()
    .executeTakeFirst();
  if (!row) return undefined;
  const role = roleOfRank(row.rank);
  return { id: row.id, name: row.name, role: role.name };
}

/**
 * Locks repositories, deleted ones too, in the order of their ids: changes of the maintainers of one come one after
 * the other. People are held before repositories are locked, and records of maintainers after them.
 */
export async function lockRepositories(tx: Tx, ids: readonly number[]): Promise<Map<number, RelatedRepository>> {
  const rows = await tx
    .selectFrom("repositories")
    .select(["id", "name", "technology", "publication_uri", "server_address", "deleted"])
    .where("id", "in", ids.filter(canBeId).concat(0))
    .orderBy("id")
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** A repository as events write it down. */
export const repositoryText = (it: RelatedRepository): string =>
  `ID: ${it.id}, name: ${it.name}, publication URI: ${it.publication_uri}, server address: ${it.server_address}`;
