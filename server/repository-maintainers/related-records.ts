import { type RoleName, roles } from "@packhouse/contract/roles";
import type { Technology } from "@packhouse/contract/technology";
import type { Tx } from "../db/database.ts";

/** Records that a maintainer record refers to, as far as its rules look at them. */
export interface Related {
  person: { id: number; name: string; role: RoleName };
  repository: { id: number; name: string; technology: Technology };
}

/** Undefined when the person or the repository does not exist. The repository is locked: creations come one after the other. */
export async function findRelated(tx: Tx, userId: number, repositoryId: number): Promise<Related | undefined> {
  const repository = await tx
    .selectFrom("repositories")
    .select(["id", "name", "technology"])
    .where("id", "=", repositoryId)
    .where("deleted", "=", false)
    .forUpdate()
    .executeTakeFirst();
  const person = await tx
    .selectFrom("users")
    .select(["id", "name", "rank"])
    .where("id", "=", userId)
    .where("deleted", "=", false)
    .executeTakeFirst();
  if (!repository || !person) return undefined;
  const role = (roles[person.rank as 0 | 1 | 2 | 3] ?? roles[0]).name; // the column's check keeps it between 0 and 3
  return { person: { id: person.id, name: person.name, role }, repository };
}
