import { createHash } from "node:crypto";
import type { UserRef } from "@packhouse/contract/references";
import {
  type FileMark,
  lookingSeconds,
  type MarkChange,
  mostMarks,
  mostReviewCharacters,
  type RiskCategory,
} from "@packhouse/contract/review/conversation";
import type { Actor } from "../../../http/actor.ts";
import { invalid } from "../../../platform/errors/refusal.ts";
import { change } from "../../../platform/event-log/record-event.ts";
import type { Deps } from "../../deps.ts";
import { checkWaiting, reviewText } from "../../submissions/submission.ts";
import { changeReview } from "../reviewed/change-review.ts";
import { desk, type StoredAssessment } from "./desk-store.ts";

/** Marks a file as seen, or no longer. Only its user sees the mark, so it writes no event. */
export function markFile(deps: Deps, actor: Actor, id: number, given: MarkChange): Promise<FileMark[]> {
  return changeReview(deps, { actor, id, permission: "readReview" }, async ({ tx, files }) => {
    const { path, sha256 } = given;
    const mark = { submissionId: id, userId: actor.id, path, key: createHash("sha256").update(path).digest("hex") };
    await desk(tx).unmark(mark);
    if (given.seen) {
      const { count, characters } = await desk(tx).marked(id, files, actor.id);
      if (count >= mostMarks || characters + path.length > mostReviewCharacters) throw invalid(["too.many.marks"]);
      await desk(tx).mark(mark, sha256);
    }
    return desk(tx).marks([id], actor.id);
  });
}

/** Reports that the user has the release open, or has closed it; returns who else has it open. */
export function lookAtRelease(
  deps: Pick<Deps, "db" | "clock">,
  actor: Actor,
  id: number,
  { ended }: { ended: boolean },
): Promise<UserRef[]> {
  return changeReview(deps, { actor, id, permission: "readReview" }, async ({ tx, at, files }) => {
    const until = ended ? at : new Date(at.getTime() + lookingSeconds * 1000);
    await desk(tx).look(files, actor.id, { at, until });
    return desk(tx).lookers(files, actor.id, at);
  });
}

/** Assigns a waiting release to a user who may decide on it, or to nobody. */
export function assignRelease(deps: Deps, actor: Actor, id: number, userId: number | null): Promise<UserRef | null> {
  return changeReview(
    deps,
    { actor, id, permission: "assignRelease" },
    async ({ tx, at, submission, files, record }) => {
      checkWaiting(submission);
      const [assignee] =
        userId === null ? [] : await desk(tx).deciders(id, { at, settings: deps.settings, only: userId });
      if (userId !== null && !assignee) throw invalid(["review.user.may.not.decide"]);
      const before = await desk(tx).assigneesOf(files);
      // The files of a release can differ: one may have been uploaded after the others were assigned.
      const other = files.find((file) => before.get(file) !== assignee?.id);
      if (other === undefined) return assignee ?? null;
      const changed = change("assignee", before.get(other), assignee?.id);
      await desk(tx).assign(files, assignee?.id ?? null);
      await record(changed, assignee ? `assigned ${assignee.name} to` : "removed the assignment of");
      return assignee ?? null;
    },
  );
}

/** Sets the risk category of a release, or takes it away. */
export function assessRelease(
  deps: Deps,
  actor: Actor,
  id: number,
  given: { category: RiskCategory | null; comment: string },
): Promise<StoredAssessment | undefined> {
  return changeReview(deps, { actor, id, permission: "assessRelease" }, async ({ tx, at, files, record }) => {
    const { category } = given;
    const comment = reviewText(given.comment);
    const before = await desk(tx).assessmentOf(files);
    const changed = change("assessment", before?.category, category);
    if (changed.length === 0 && (category === null || before?.comment === comment)) return before;
    await desk(tx).assess(files, category === null ? undefined : { category, comment, userId: actor.id, at });
    await record(changed, category === null ? "removed the assessment of" : `assessed the risk as ${category} of`);
    return desk(tx).assessmentOf(files);
  });
}
