import { z } from "zod";
import { submissionState, userRef } from "../references.ts";
import { reviewChecks } from "./checks.ts";
import { comparison } from "./comparison.ts";
import { assessment, fileMark, reviewComment, reviewDecision } from "./conversation.ts";
import { impact } from "./impact.ts";
import { indicator } from "./inspection.ts";
import { releaseItem } from "./release.ts";

/** `GET /submissions/{id}/review`: everything that the desk shows about a release, for people and programs. */
export const review = z.object({
  release: releaseItem,
  state: submissionState,
  /** Of the file that was asked for; null if it cannot be examined now, with `findings=false`, and in the answer to a decision. */
  comparison: comparison.nullable(),
  impact: impact.nullable(),
  indicators: z.array(indicator).nullable(),
  checks: reviewChecks,
  comments: z.array(reviewComment),
  /** The caller's own. */
  marks: z.array(fileMark),
  /** Newest first. */
  decisions: z.array(reviewDecision),
  /** Who may decide, apart from the caller; at most 20. */
  mayDecide: z.array(userRef),
  assessment: assessment.nullable(),
});
export type Review = z.infer<typeof review>;
