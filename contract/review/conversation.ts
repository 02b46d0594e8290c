import { z } from "zod";
import { longestNotes, longestPathPart } from "../limits.ts";
import { links } from "../links.ts";
import { userRef } from "../references.ts";

/** What people write and decide about a release. Texts are Markdown; no server renders them. */

/** The rules allow less, each with its violation; anything longer is refused unread. */
const givenMarkdown = z.string().max(longestNotes);
const path = z
  .string()
  .min(1)
  .max(4 * longestPathPart);
/** Only compared with that of the file. */
const sha256 = z.string().max(64);

/** Characters of a comment, of a reason, and of the summary of a check. */
export const longestReviewText = 10_000;
/** Of one submission; deleted ones count. */
export const mostComments = 500;
/** How often changes of one file can be requested, by all reviewers, however often it is uploaded again. */
export const mostChangeRequests = 100;
/** Files that a user has marked in one submission. */
export const mostMarks = 10_000;
/**
 * Characters of one release: of its comments and reasons, of the latest results of its checks, and of the paths that a
 * user has marked.
 */
export const mostReviewCharacters = 1_000_000;

/** Where a comment on a line stands: in the base, or in the release. */
const diffSide = z.enum(["before", "after"]);

const place = {
  /** Path of a file in the archive; null for a comment on the whole release. */
  path: z.string().nullable(),
  line: z.int().nullable(),
  side: diffSide.nullable(),
  /** The bytes of the file when the comment was written. */
  sha256: z.string().nullable(),
};

export const reviewComment = z.object({
  id: z.int(),
  submissionId: z.int(),
  ...place,
  /** Empty once deleted. */
  text: z.string(),
  author: userRef,
  created: z.string(),
  edited: z.string().nullable(),
  deleted: z.boolean(),
  /** With PATCH and DELETE for its author. */
  links,
});
export type ReviewComment = z.infer<typeof reviewComment>;
export const reviewComments = z.object({ comments: z.array(reviewComment), links });

export const commentCreation = z.strictObject({
  text: givenMarkdown,
  path: path.nullish(),
  line: z.int().min(1).max(2_000_000_000).nullish(),
  side: diffSide.nullish(),
  sha256: sha256.nullish(),
});
export type CommentCreation = z.output<typeof commentCreation>;

/** A file that the caller has seen; it counts as long as the file has these bytes. */
export const fileMark = z.object({ submissionId: z.int(), path: z.string(), sha256: z.string() });
export type FileMark = z.infer<typeof fileMark>;
export const fileMarks = z.object({ marks: z.array(fileMark) });
export const markChange = z.strictObject({ path, sha256, seen: z.boolean() });
export type MarkChange = z.output<typeof markChange>;

/** Who has a release open. Each call holds for `lookingSeconds`, or ends it. */
export const looking = z.object({ looking: z.array(userRef), lookingSeconds: z.int() });
export const lookingChange = z.strictObject({ ended: z.boolean().nullish() });
export const lookingSeconds = 120;

/** `CHANGES`: the submitter is asked for changes, and the release stays waiting. */
const reviewDecisionKind = z.enum(["ACCEPTED", "REJECTED", "CANCELLED", "CHANGES"]);
export type ReviewDecisionKind = z.infer<typeof reviewDecisionKind>;

export const reviewDecision = z.object({
  id: z.int(),
  submissionId: z.int(),
  decision: reviewDecisionKind,
  /** Of a rejection, or the note of an acceptance; empty without one. */
  reason: z.string(),
  user: userRef,
  time: z.string(),
  /** Names of required checks that had not passed. */
  passedOver: z.array(z.string()),
});
export type ReviewDecision = z.infer<typeof reviewDecision>;

export const releaseDecision = z.strictObject({
  decision: z.enum(["ACCEPTED", "REJECTED", "CHANGES"]),
  reason: givenMarkdown.nullish(),
  /** Submissions of the files to decide on; without any, all waiting files of the release. */
  files: z.array(z.int()).min(1).max(1000).nullish(),
});
export type ReleaseDecision = z.output<typeof releaseDecision>;

export const assignment = z.object({ assignee: userRef.nullable() });
/** Null takes the assignment away. */
export const assignmentChange = z.strictObject({ userId: z.int().nullable() });

export const riskCategory = z.enum(["low", "medium", "high"]);
export type RiskCategory = z.infer<typeof riskCategory>;

/** What a reviewer thinks of the risk; stays with the release. */
export const assessment = z.object({
  category: riskCategory,
  comment: z.string(),
  user: userRef,
  time: z.string(),
});
export type Assessment = z.infer<typeof assessment>;
/** A missing category takes the assessment away. */
export const assessmentChange = z.strictObject({ category: riskCategory.nullable(), comment: givenMarkdown.nullish() });
export const assessmentAnswer = z.object({ assessment: assessment.nullable() });
