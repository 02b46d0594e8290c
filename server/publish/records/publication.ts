import type { Db, Tx } from "../../platform/db/database.ts";
import type { RepositoryRow } from "../../platform/db/schema.ts";
import type { Last } from "../../platform/db/transactions/pipelined.ts";

/** Names whose index entries may have changed, or all of the repository. */
export type Changed = readonly string[] | "everything";

/**
 * State of a publication: clients can find it, it is in progress, or it could not be copied to another server or
 * folder.
 */
export type PublicationOutcome = "served" | "late" | "failed";

/** A change of a few packages, before its commit. */
export interface ChangeOfNames {
  /** As the change has locked it, and has not changed it. */
  repository: RepositoryRow;
  /** Normalized. */
  names: readonly string[];
  /** Of the repository's record; 0 if it stays. */
  raisesVersionBy: number;
}

/**
 * Keeps what clients download in step with the records. A change notes what it concerns in its own transaction and
 * enqueues a render, so that a crash can neither lose it nor publish rolled-back changes; or it renders itself.
 */
export interface Publication {
  /**
   * Marks the repository's public content as changed, by one statement that raises its serial, and the version of its
   * record where asked to. `names` are normalized. What was noted is rendered together by the next render.
   */
  note(tx: Tx, repositoryId: number, names: Changed, options?: { raisesVersionBy?: number }): Promise<void>;
  /**
   * Enqueues the render of noted changes, or of those that are noted later in the transaction. For an awaited one the
   * caller calls `whenServed` after the commit, which renders without waiting for the job.
   */
  render(db: Db | Tx, repositoryId: number, options?: { awaited?: boolean }): Promise<void>;
  /** Whether a change can be rendered in its own transaction. */
  rendersWithin(change: ChangeOfNames): boolean;
  /**
   * Renders such a change as the last part of its transaction, instead of noting it: there is no moment in which it is not
   * served. The caller calls the result after the commit, which waits for copies elsewhere.
   */
  renderWithin(tx: Tx, last: Last, change: ChangeOfNames): Promise<() => Promise<PublicationOutcome>>;
  /** For a repository that this transaction purges: empties its places outside of this server. */
  withdraw(tx: Tx, repositoryId: number): Promise<void>;
  /** For files that this transaction purges: places outside of this server get no grace period for them. */
  tidySoon(tx: Tx, repositoryId: number): Promise<void>;
  /** After the commit: waits until everything requested so far is served everywhere, at most `publication.waitMs`. */
  whenServed(repositoryIds: readonly number[]): Promise<PublicationOutcome>;
}
