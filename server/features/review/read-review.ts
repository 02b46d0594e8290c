import type { Sent } from "@packhouse/contract/answer";
import { instantText } from "@packhouse/contract/envelope";
import type { assessment, reviewDecision } from "@packhouse/contract/review/conversation";
import type { review } from "@packhouse/contract/review/review";
import type { Viewer } from "../../http/application.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { readChecks } from "./checks/checks.ts";
import { comments } from "./conversation/comment-store.ts";
import { desk, type StoredAssessment, type StoredDecision } from "./conversation/desk-store.ts";
import { presentComment } from "./conversation/present-comment.ts";
import type { ReviewDeps } from "./deps.ts";
import { noFindings, readFindings } from "./read-findings.ts";
import { presentRelease } from "./releases/present-release.ts";
import { releases } from "./releases/release-store.ts";
import { checkReview, mayReview, readableFiles } from "./reviewed/check-review.ts";
import { type ReviewedSubmission, reviewed } from "./reviewed/reviewed-store.ts";

/** A submission whose review the user may read, and those files of its release that they may read, too. */
export async function readableReview(
  { db }: Pick<ReviewDeps, "db">,
  { actor }: Pick<Viewer, "actor">,
  id: number,
): Promise<{ submission: ReviewedSubmission; files: number[] }> {
  const files = await reviewed(db).filesOf(id);
  const submission = files.find((file) => file.id === id);
  checkReview(submission, actor, "readReview");
  return { submission, files: readableFiles(files, actor).map((file) => file.id) };
}

interface WantedReview {
  id: number;
  /** The package to compare with, if it is not the usual one. */
  base?: string | undefined;
  /** Whether to wait for what the archive shows; true by default. */
  findings?: boolean | undefined;
}

/** Everything about a release in one document. */
export async function readReview(
  deps: ReviewDeps,
  viewer: Viewer,
  { id, base, findings: wanted = true }: WantedReview,
): Promise<Sent<typeof review>> {
  const { db, clock, settings } = deps;
  const { actor } = viewer;
  const { submission, files } = await readableReview(deps, viewer, id);
  const now = clock();
  const [release, findings, checks, written, marks, decisions, deciders, assessed] = await Promise.all([
    releases(db).ofFiles(files, { actor, now }),
    wanted ? readFindings(deps, actor, id, base) : noFindings,
    readChecks(db, id, files),
    comments(db).of(files),
    desk(db).marks(files, actor.id),
    desk(db).decisions(files),
    desk(db).deciders(id, { at: now, settings }),
    desk(db).assessmentOf(files),
  ]);
  // It may have been purged since it was found.
  if (!release) throw new Refusal("submission.notfound");
  return {
    release: presentRelease(release, viewer, { assesses: mayReview("assessRelease", actor, submission) }),
    state: submission.submission_state,
    ...findings,
    checks,
    comments: written.map((row) => presentComment(row, viewer)),
    marks,
    decisions: decisions.map(presentDecision),
    mayDecide: deciders.filter((user) => user.id !== actor.id),
    assessment: presentAssessment(assessed),
  };
}

const presentDecision = (row: StoredDecision): Sent<typeof reviewDecision> => ({
  id: row.id,
  submissionId: row.submission_id,
  decision: row.decision,
  reason: row.reason,
  user: row.user,
  time: instantText(row.decided_on),
  passedOver: row.passed_over,
});

export const presentAssessment = (row: StoredAssessment | undefined): Sent<typeof assessment> | null =>
  row ? { category: row.category, comment: row.comment, user: row.user, time: instantText(row.assessed_on) } : null;
