import type { Tx } from "../../platform/db/database.ts";
import { copiesStore } from "../records/copies-store.ts";

/**
 * Notes that the places outside of this server are to be emptied of a repository; whether there are any. Without a job
 * to follow, the next server that starts does it.
 */
export async function planWithdrawal(tx: Tx, repositoryId: number): Promise<boolean> {
  const repository = await copiesStore(tx).placed(repositoryId);
  return repository !== undefined && copiesStore(tx).plan(repositoryId, repository.technology, []);
}
