import { z } from "zod";
import { longestAddress, longestGiven, longestName, longestNotes, longestPathPart } from "../limits.ts";
import { userRef } from "../references.ts";

/** Results that other tools report: `R CMD check`, test runs, scanners. */

const checkState = z.enum(["queued", "running", "passed", "failed", "neutral"]);
export type CheckState = z.infer<typeof checkState>;

/** Names of checks of one submission. */
export const mostChecks = 100;
/** Results kept of one name; older ones are dropped. */
export const mostResults = 20;
const mostAnnotations = 20;
/** Checks that a repository may require. */
export const mostRequiredChecks = 50;

const annotationLevel = z.enum(["notice", "warning", "failure"]);

const checkAnnotation = z.object({
  file: z.string(),
  line: z.int().nullable(),
  level: annotationLevel,
  message: z.string(),
});

/** One result of a check. */
const checkResult = z.object({
  id: z.int(),
  submissionId: z.int(),
  name: z.string(),
  state: checkState,
  /** Markdown. */
  summary: z.string(),
  /** Where to read more; null without. */
  link: z.string().nullable(),
  annotations: z.array(checkAnnotation),
  user: userRef,
  time: z.string(),
});
export type CheckResult = z.infer<typeof checkResult>;

/** The latest result, with what the same check reported before, newest first. */
const reviewCheck = checkResult.extend({
  required: z.boolean(),
  history: z.array(z.object({ id: z.int(), state: checkState, user: userRef, time: z.string() })),
});
export const reviewChecks = z.object({
  checks: z.array(reviewCheck),
  /** Names of checks that the repository requires. */
  required: z.array(z.string()),
  /** Those of them that have not passed; until they have, accepting requires a reason. */
  missing: z.array(z.string()),
});

/** Characters that a name cannot have: it stands in one line, and looks like what it is. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/u;
/** Such as `R CMD check`. */
export const isCheckName = (name: string): boolean =>
  name !== "" && name.length <= longestName && name.trim() === name && !unprintable.test(name);

/** A link that people follow from a check. */
const checkLink = z.url({ protocol: /^https?$/ }).max(longestAddress);

export const checkReport = z.strictObject({
  name: z.string().max(longestGiven),
  state: checkState,
  summary: z.string().max(longestNotes).nullish(),
  link: checkLink.nullish(),
  annotations: z
    .array(
      z.strictObject({
        file: z
          .string()
          .min(1)
          .max(4 * longestPathPart),
        line: z.int().min(1).max(2_000_000_000).nullish(),
        level: annotationLevel,
        message: z.string().max(2000),
      }),
    )
    .max(mostAnnotations)
    .nullish(),
});
export type CheckReport = z.output<typeof checkReport>;
