import { flag, text } from "../list-contract.ts";
import { edit, post, purge, read } from "../operation.ts";
import { checkReport, reviewChecks } from "../review/checks.ts";
import {
  assessmentAnswer,
  assessmentChange,
  assignment,
  assignmentChange,
  commentCreation,
  fileMarks,
  looking,
  lookingChange,
  markChange,
  releaseDecision,
  reviewComment,
  reviewComments,
} from "../review/conversation.ts";
import { review } from "../review/review.ts";
import { listReviews } from "./review-list.ts";

export const readReview = {
  ...read("/submissions/:id/review", {
    permission: "readReview",
    summary: "Everything about a release: files, comparison, impact, checks, comments and decisions",
    data: review,
    codes: ["submission.notfound", "package.notfound"],
  }),
  /**
   * `base` as of `GET /submissions/:id/comparison`. `findings=false` leaves out what the archive shows: for clients that
   * ask every few seconds whether others have decided or written something.
   */
  query: { base: text, findings: flag },
} as const;
export const decideOnRelease = post("/submissions/:id/decision", {
  permission: "decideOnRelease",
  summary: "Accept or reject all waiting files of a release, or ask its submitter for changes",
  answer: { data: review },
  body: { json: releaseDecision },
  codes: [
    "unsupported.media.type",
    "submission.notfound",
    "error.validation",
    "error.malformed.patch",
    "editing.deleted.resource.not.possible",
    "error.apply.patch",
  ],
});

export const readComments = read("/submissions/:id/comments", {
  permission: "readReview",
  summary: "Comments on a release, oldest first",
  data: reviewComments,
  codes: ["submission.notfound"],
});
export const addComment = post("/submissions/:id/comments", {
  permission: "commentOnRelease",
  summary: "Comment on a release, or on a line of one of its files",
  answer: { data: reviewComment },
  created: true,
  body: { json: commentCreation },
  codes: ["unsupported.media.type", "submission.notfound", "error.validation"],
});
export const readComment = read("/review-comments/:id", {
  permission: "readReview",
  summary: "A comment on a release",
  data: reviewComment,
  codes: ["review.comment.notfound"],
});
export const editComment = edit("/review-comments/:id", {
  permission: "editReviewComment",
  summary: "Change the text of one's own comment",
  data: reviewComment,
  codes: ["review.comment.notfound"],
});
export const deleteComment = purge("/review-comments/:id", {
  permission: "editReviewComment",
  summary: "Delete one's own comment",
  codes: ["review.comment.notfound"],
});

export const markFile = post("/submissions/:id/marks", {
  permission: "readReview",
  summary: "Mark a file as seen by the caller, or no longer",
  answer: { data: fileMarks },
  body: { json: markChange },
  codes: ["unsupported.media.type", "submission.notfound", "error.validation"],
});
export const lookAtRelease = post("/submissions/:id/looking", {
  permission: "readReview",
  summary: "Report that the caller has a release open, or has closed it",
  answer: { data: looking },
  body: { json: lookingChange },
  codes: ["unsupported.media.type", "submission.notfound"],
});
export const assignRelease = post("/submissions/:id/assignment", {
  permission: "assignRelease",
  summary: "Assign a waiting release to a user who may decide on it",
  answer: { data: assignment },
  body: { json: assignmentChange },
  codes: ["unsupported.media.type", "submission.notfound", "error.validation", "error.malformed.patch"],
});

export const readChecks = read("/submissions/:id/checks", {
  permission: "readReview",
  summary: "The latest result of each check, with its history",
  data: reviewChecks,
  codes: ["submission.notfound"],
});
export const reportCheck = post("/submissions/:id/checks", {
  permission: "reportCheck",
  summary: "Report the result of a check, such as a test run",
  answer: { data: reviewChecks },
  created: true,
  body: { json: checkReport },
  codes: ["unsupported.media.type", "submission.notfound", "error.validation"],
});
export const assessRelease = post("/submissions/:id/assessment", {
  permission: "assessRelease",
  summary: "Set the risk category of a release, or remove it",
  answer: { data: assessmentAnswer },
  body: { json: assessmentChange },
  codes: ["unsupported.media.type", "submission.notfound", "error.validation"],
});

export const reviewOperations = [
  listReviews,
  readReview,
  decideOnRelease,
  readComments,
  addComment,
  readComment,
  editComment,
  deleteComment,
  markFile,
  lookAtRelease,
  assignRelease,
  readChecks,
  reportCheck,
  assessRelease,
] as const;
