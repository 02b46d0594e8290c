import { z } from "zod";

/** Why a mirror skipped a package, or imported it with a warning. */
export const mirrorClashReason = z.enum([
  /** This version was uploaded here. */
  "uploaded",
  /** Other versions of the name were uploaded here. */
  "name.uploaded",
  /** Another mirror of the repository imported this version, or other versions of the name. */
  "other.mirror",
  /** The name is reserved for uploads. */
  "reserved",
  "name.differs.only.in.case",
  "name.confusable",
]);
export type MirrorClashReason = z.infer<typeof mirrorClashReason>;

/** A package of a mirror that conflicts with existing packages. */
export const mirrorClash = z.object({
  name: z.string(),
  version: z.string(),
  reason: mirrorClashReason,
  /** The name, pattern or mirror that it conflicts with. */
  with: z.string(),
  /** Whether it was imported anyway. */
  taken: z.boolean(),
  /** The conflict in one English sentence. */
  text: z.string(),
});
export type MirrorClash = z.infer<typeof mirrorClash>;

/** Why a file or project of a mirror was skipped. */
export const mirrorSkipReason = z.enum(["unsupported.format", "no.supported.file", "no.final.release"]);

/** What a mirror offers but cannot be imported, through nobody's fault. */
export const mirrorSkip = z.object({
  name: z.string(),
  /** Empty when none of its files could be imported. */
  fileName: z.string(),
  reason: mirrorSkipReason,
});
export type MirrorSkip = z.infer<typeof mirrorSkip>;

/** How many items the lists of a run have at most. */
export const mostReported = 100;

/** How many there were of each kind in a run, also beyond the lists; conflicts do not count as errors. */
export const mirrorCounts = z.object({ errors: z.int(), clashes: z.int(), skipped: z.int() });
export type MirrorCounts = z.infer<typeof mirrorCounts>;

/** The result of a mirror's last run, or the progress of the current one. */
export const mirrorRun = z.object({
  startedOn: z.string(),
  /** Null while it is running. */
  endedOn: z.string().nullable(),
  /** How many packages it stored. */
  stored: z.int(),
  /** What could not be fetched or was refused, one sentence each. */
  errors: z.array(z.string()),
  /** Conflicts with existing packages; at most 100. */
  clashes: z.array(mirrorClash).optional(),
  /** What was skipped, with the reason; at most 100. */
  skipped: z.array(mirrorSkip).optional(),
  /** Missing while it is running, and for runs of earlier versions. */
  counts: mirrorCounts.optional(),
});

/** Another repository whose packages are imported. */
export const mirror = z.object({
  name: z.string(),
  uri: z.string(),
  /** Cron expression with five fields, in the server's time zone; empty: only on request. */
  schedule: z.string(),
  /** Names, or patterns with `*`, optionally with a pinned version; null: everything. */
  packages: z.array(z.object({ name: z.string(), version: z.string().nullable() })).nullable(),
  lastRun: mirrorRun.nullable(),
  /** Whether it may add versions to names that were uploaded here or imported by another mirror. */
  sharedNames: z.boolean().optional(),
});
export type Mirror = z.infer<typeof mirror>;

/** `GET /repositories/{id}/mirrors`: in the order of declaration. */
export const mirrors = z.object({
  mirrors: z.array(mirror),
  /** Names, or patterns with `*`, that no mirror may import: from the settings, the declaration and the repository. */
  reservedNames: z.array(z.string()).optional(),
});
