import type { Tx } from "../../platform/db/database.ts";
import { publicationStore } from "./store.ts";

/**
 * Purges a published file, in the transaction that purges its package: clients with an older index get 410. A replaced
 * file is not purged; it stays available to them for a while.
 */
export async function purgePublishedFile(tx: Tx, repositoryId: number, digest: string): Promise<void> {
  await publicationStore(tx).purgeFile(repositoryId, digest);
}
