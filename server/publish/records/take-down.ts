import type { Tx } from "../../platform/db/database.ts";
import { publicationStore } from "./store.ts";

/**
 * Takes the file of a package off its live addresses, in the transaction that deactivates or deletes the package:
 * clients find nothing there once the call has returned, on any replica. Snapshots keep it.
 */
export async function takeDownPublishedFile(tx: Tx, repositoryId: number, digest: string): Promise<void> {
  await publicationStore(tx).takeDown(repositoryId, digest);
}

/** The same for all files of a deleted repository, which may be restored without them. */
export async function takeDownPublishedFiles(tx: Tx, repositoryId: number): Promise<void> {
  await publicationStore(tx).takeAllDown(repositoryId);
}

/** Undoes it, in the transaction that activates the package. */
export async function putBackPublishedFile(tx: Tx, repositoryId: number, digest: string): Promise<void> {
  await publicationStore(tx).putBack(repositoryId, digest);
}
