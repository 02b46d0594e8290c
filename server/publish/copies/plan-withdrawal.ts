import type { Tx } from "../../platform/db/database.ts";
import { copiesStore } from "../records/copies-store.ts";

/**
 * Marks a repository's places outside of this server to be emptied; returns whether there are any. If no job follows,
 * the next server that starts does it.
 */
export async function planWithdrawal(tx: Tx, repositoryId: number): Promise<boolean> {
  const repository = await copiesStore(tx).placed(repositoryId);
  return repository !== undefined && copiesStore(tx).plan(repositoryId, repository.technology, []);
}
