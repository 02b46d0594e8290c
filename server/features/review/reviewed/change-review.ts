import type { ChangedProperty } from "@packhouse/contract/events";
import type { Actor } from "../../../http/actor.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { recordEvent } from "../../../platform/event-log/record-event.ts";
import type { Deps } from "../../deps.ts";
import { checkReview, type ReviewPermission, readableFiles } from "./check-review.ts";
import { type ReviewedSubmission, reviewed } from "./reviewed-store.ts";

/** A review while a transaction changes it. */
export interface ReviewUnit {
  tx: Tx;
  at: Date;
  /** Read after it was locked. */
  submission: ReviewedSubmission;
  /** Submissions of those files of its release that the user may read, lowest id first. */
  files: readonly number[];
  /** Writes the event: `{who} {what} {package} in {repository}.` */
  record(changed: readonly ChangedProperty[], what: string): Promise<void>;
}

interface Asked {
  actor: Actor;
  /** Of a submission. */
  id: number;
  permission: ReviewPermission;
}

/** The one way to change what is said about a submission: checks the right, locks it, and lets `change` write. */
export async function changeReview<T>(
  { db, clock }: Pick<Deps, "db" | "clock">,
  { actor, id, permission }: Asked,
  change: (unit: ReviewUnit) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    const { submission, files } = await reviewed(tx).locked(id);
    checkReview(submission, actor, permission);
    const at = clock();
    return change({
      tx,
      at,
      submission,
      files: readableFiles(files, actor).map((file) => file.id),
      record: (changed, what) => recordReviewEvent(tx, { actor, at, submission, changed, what }),
    });
  });
}

interface ReviewEvent {
  actor: Actor;
  at: Date;
  submission: ReviewedSubmission;
  changed: readonly ChangedProperty[];
  what: string;
}

async function recordReviewEvent(tx: Tx, { actor, at, submission, changed, what }: ReviewEvent): Promise<void> {
  const { id, technology, name, version, repository } = submission;
  await recordEvent(tx, {
    by: actor,
    at,
    type: "update",
    resource: "SUBMISSION",
    resourceId: id,
    place: {
      technology,
      repositoryId: repository.id,
      packageId: submission.package_id,
      normalizedName: submission.normalized_name,
    },
    changed,
    description: `${actor.name} ${what} ${name} ${version} in ${repository.name}.`,
  });
}
