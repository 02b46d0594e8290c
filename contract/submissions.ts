import { z } from "zod";
import { promised, type Received } from "./answer.ts";
import { longestName, longestNotes, shortened } from "./limits.ts";
import { links } from "./links.ts";
import { anyOf, anyTechnology, flag, fromDate, listContract, text, toDate } from "./list-contract.ts";
import { packageItem } from "./packages.ts";
import { submissionState, userRef } from "./references.ts";
import { technology } from "./technology.ts";

export const submission = z.object({
  ...promised({
    id: z.int(),
    packageBag: packageItem,
    submitter: userRef,
    /** Who accepted, rejected or canceled it; null while it is waiting. */
    approver: userRef.nullable(),
    changes: z.string().nullable(),
    state: submissionState,
    created: z.string(),
    technology,
  }),
  /** Why it was rejected, or the note of its acceptance, in Markdown; null without one. */
  reason: z.string().nullable(),
  /** Id of the package that acceptance would replace. */
  replaces: z.int().nullable(),
  /** A submission is never deleted without its package; kept for clients that read it. */
  deleted: z.boolean(),
});

export const submissionItem = submission.extend({ ...promised({ links }), shortened });
export type SubmissionItem = Received<typeof submissionItem>;

/** What a waiting submission can become. */
export const decision = z.enum(["ACCEPTED", "REJECTED", "CANCELLED"]);
export type Decision = z.infer<typeof decision>;

/** A decision on many submissions, in any repositories; each is taken on its own. The reason is Markdown. */
export const submissionDecisions = z.strictObject({
  decision,
  reason: z.string().max(longestNotes).nullish(),
  submissions: z.array(z.int()).min(1).max(1000),
});
export type SubmissionDecisions = z.output<typeof submissionDecisions>;

/** The result for each submission: the response that a separate call for it would have returned. */
export const decidedSubmissions = z.object({
  results: z.array(z.object({ id: z.int(), done: z.boolean(), code: z.string(), reasons: z.array(z.string()) })),
});

const filters = {
  state: anyOf((value) => value.toUpperCase(), { known: submissionState.options }),
  technology: anyTechnology,
  repository: anyOf(),
  fromDate,
  toDate,
  search: text,
  assignedToMe: flag,
  /** Whether the file is a binary package; false finds sources. */
  binary: flag,
};
const packageSorts = [
  "packageBag.id",
  "packageBag.user",
  "packageBag.repository",
  "packageBag.submission",
  "packageBag.name",
  "packageBag.version",
  "packageBag.source",
  "packageBag.active",
  "packageBag.deleted",
  "packageBag.technology",
  "packageBag.binary",
  "packageBag.user.id",
  "packageBag.user.name",
  "packageBag.user.login",
  "packageBag.user.email",
  "packageBag.repository.id",
  "packageBag.repository.name",
  "packageBag.repository.publicationUri",
  "packageBag.repository.published",
  "packageBag.repository.requiresAuthentication",
  "packageBag.repository.technology",
  "packageBag.repository.lastPublicationSuccessful",
  "packageBag.submission.id",
  "packageBag.submission.state",
] as const;
const sorts = [
  "id",
  "packageBag",
  "submitter",
  "approver",
  "changes",
  "state",
  "created",
  "technology",
  "submitter.id",
  "submitter.name",
  "submitter.login",
  "submitter.email",
  "approver.id",
  "approver.name",
  "approver.login",
  "approver.email",
  ...packageSorts,
] as const;

const names = [
  "packageBag",
  "packageBag.name",
  "packageBag.repository",
  "packageBag.repository.name",
  "submitter",
  "submitter.name",
  "approver",
  "approver.name",
] as const;

const list = { item: submissionItem, filters, sorts, names };

/** `GET /submissions` */
export const submissionList = listContract({ path: "/submissions", ...list });
export const rSubmissionList = listContract({ path: "/r/submissions", ...list });
export const pythonSubmissionList = listContract({ path: "/python/submissions", ...list });

/** Parameters of an upload, as query or form field; everything arrives as text. */
export const uploadParameters = z.object({
  repository: z.string().min(1).max(longestName),
  replace: flag,
  generateManual: flag,
  changes: z.string().max(longestNotes).default(""),
  binary: flag,
  rVersion: z.string().max(longestName).optional(),
  architecture: z.string().max(longestName).optional(),
  distribution: z.string().max(longestName).optional(),
});
export type UploadParameters = z.output<typeof uploadParameters>;
