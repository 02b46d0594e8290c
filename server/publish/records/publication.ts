import type { Tx } from "../../platform/db/database.ts";
import type { RepositoryRow } from "../../platform/db/schema.ts";

/** Names whose index entries may have changed, or all of the repository. */
export type Changed = readonly string[] | "everything";

/**
 * State of a publication: clients can find it, it is in progress, or it could not be copied to another server or
 * folder.
 */
export type PublicationOutcome = "served" | "late" | "failed";

interface RequestOptions {
  /** Raises the version of the repository's record, too. */
  raisesVersion?: boolean | undefined;
}

/** A change of a few packages, before its commit. */
export interface ChangeOfNames {
  /** As the change has locked it, and has not changed it. */
  repository: RepositoryRow;
  /** Normalized. */
  names: readonly string[];
  raisesVersion: boolean;
}

/**
 * Keeps what clients download in step with the records. A change requests a render in its own transaction, so that a
 * crash can neither lose it nor publish rolled-back changes.
 */
export interface Publication {
  /**
   * Marks the repository's public content as changed: raises its serial and enqueues a render. `names` are normalized.
   * After an awaited request the caller calls `whenServed`, which renders without waiting for the job.
   */
  request(
    tx: Tx,
    repositoryId: number,
    names: Changed,
    options?: RequestOptions & { awaited?: boolean },
  ): Promise<void>;
  /**
   * Like `request`, for one of many changes: they are rendered together once `render` is called, or at the next start.
   */
  note(tx: Tx, repositoryId: number, names: Changed, options?: RequestOptions): Promise<void>;
  /**
   * Instead of a request, as the last part of the transaction: renders what it has changed, so that nothing is left to do
   * but to call the result after the commit, which waits for copies elsewhere. Undefined, with nothing done, where there
   * is more to render than that, such as an earlier change.
   */
  renderWithin(tx: Tx, change: ChangeOfNames): Promise<(() => Promise<PublicationOutcome>) | undefined>;
  /** Enqueues the render of noted changes. */
  render(repositoryId: number): Promise<void>;
  /** For a repository that this transaction purges: empties its places outside of this server. */
  withdraw(tx: Tx, repositoryId: number): Promise<void>;
  /** For files that this transaction purges: places outside of this server get no grace period for them. */
  tidySoon(tx: Tx, repositoryId: number): Promise<void>;
  /** After the commit: waits until everything requested so far is served everywhere, at most `publication.waitMs`. */
  whenServed(repositoryIds: readonly number[]): Promise<PublicationOutcome>;
}
