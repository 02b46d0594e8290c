import type { Tx } from "../../platform/db/database.ts";
import { publicationStore } from "./store.ts";

/**
 * Takes a file off the net for good, in the transaction that purges its package: also for those who hold an older index,
 * who are told that it is gone. A replaced file is not purged; it stays within their reach for a while.
 */
export async function purgePublishedFile(tx: Tx, repositoryId: number, digest: string): Promise<void> {
  await publicationStore(tx).purgeFile(repositoryId, digest);
}
