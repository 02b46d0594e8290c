import { type RoleName, roleOfRank } from "@packhouse/contract/roles";
import type { Tx } from "../../platform/db/database.ts";
import type { RepositoryRow } from "../../platform/db/schema.ts";
import { isRowId } from "../../platform/db/statements/row-id.ts";

/** The user of a maintainer record, as its rules see one. */
export interface RelatedPerson {
  id: number;
  name: string;
  role: RoleName;
}
/** The role cannot change until the end of the transaction. Undefined for users who do not exist or are deleted. */
export async function holdPerson(tx: Tx, id: number): Promise<RelatedPerson | undefined> {
  if (!isRowId(id)) return undefined;
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

/** A repository as recorded in events. */
export const repositoryText = (it: RepositoryRow): string =>
  `ID: ${it.id}, name: ${it.name}, publication URI: ${it.publication_uri}, server address: ${it.server_address}`;
