import { z } from "zod";
import { shortened } from "../limits.ts";
import { links } from "../links.ts";
import { anyOf, anyTechnology, flag, listContract, text } from "../list-contract.ts";
import { userRef } from "../references.ts";
import { technology } from "../technology.ts";
import { signalLevels } from "./signals.ts";

/** All waiting files of one version of a package in a repository. People decide on releases. */

/** The highest level of what is new in a release; `clear` if nothing is. */
export const reviewLevel = z.enum(["clear", ...signalLevels]);
export type ReviewLevel = z.infer<typeof reviewLevel>;

/** How many signals there are at each level. */
const signalCounts = z.object({ info: z.int(), notice: z.int(), warning: z.int(), danger: z.int() });
export type SignalCounts = z.infer<typeof signalCounts>;

const releaseFile = z.object({
  submissionId: z.int(),
  packageId: z.int(),
  fileName: z.string(),
  kind: z.enum(["source", "binary"]),
  size: z.int(),
  sha256: z.string(),
  /** Of this file alone; null until it has been inspected. */
  level: reviewLevel.nullable(),
  /** It has replaced another upload: the base `previous-upload` shows what changed since reviewers have seen that one. */
  replaced: z.boolean(),
});
export type ReleaseFile = z.infer<typeof releaseFile>;

export const releaseItem = z.object({
  /** The lowest id among the submissions of its files. */
  id: z.int(),
  technology,
  name: z.string(),
  version: z.string(),
  repository: z.object({ id: z.int(), name: z.string() }),
  submitter: userRef,
  created: z.string(),
  /** The submitter's note. */
  changes: z.string(),
  /** Sources first. */
  files: z.array(releaseFile),
  /** What it is compared with; null for a new package, and until it has been inspected. */
  base: z.object({ packageId: z.int(), version: z.string(), repository: z.string() }).nullable(),
  /** Null until all files have been inspected. */
  level: reviewLevel.nullable(),
  /** Of what is new against the base. Of several files, the one with the most signals of a level counts. */
  signals: signalCounts,
  /** Not everything was examined. */
  incomplete: z.boolean(),
  /** Null until it has been inspected. */
  linesAdded: z.int().nullable(),
  linesRemoved: z.int().nullable(),
  /** Waits for its submitter. */
  changesAsked: z.boolean(),
  assignee: userRef.nullable(),
  /** Others who have it open. */
  looking: z.array(userRef),
  /** The caller has opened it as it is now. */
  opened: z.boolean(),
  checks: z.object({ passed: z.int(), failed: z.int(), running: z.int() }),
  /** How many comments there are. */
  comments: z.int(),
  shortened,
  /** `decision`, `comments`, `checks`, `assignment` and `assessment`, each if the caller may POST there. */
  links,
});
export type ReleaseItem = z.infer<typeof releaseItem>;

/** `GET /reviews`: releases that the caller may decide on. */
export const reviewList = listContract({
  path: "/reviews",
  item: releaseItem,
  filters: {
    technology: anyTechnology,
    repository: anyOf(),
    level: anyOf((value) => value.toLowerCase(), { known: reviewLevel.options }),
    search: text,
    /** What waits for the caller: a decision, or, for the caller's own releases, the changes that were asked for. */
    mine: flag,
    changesAsked: flag,
    assignedToMe: flag,
  },
  sorts: ["id", "risk", "created", "name"],
  names: ["name"],
});
