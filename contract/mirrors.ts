import { z } from "zod";

/** Why a mirror did not bring a package, or brought it with a warning. */
export const mirrorClashReason = z.enum([
  /** This version was uploaded here. */
  "uploaded",
  /** Other versions of the name were uploaded here. */
  "name.uploaded",
  /** Another mirror of the repository brought this version or others of the name. */
  "other.mirror",
  /** The name is reserved for uploads. */
  "reserved",
  "name.differs.only.in.case",
  "name.confusable",
]);
export type MirrorClashReason = z.infer<typeof mirrorClashReason>;

/** A package of a mirror that clashes with what is here. */
export const mirrorClash = z.object({
  name: z.string(),
  version: z.string(),
  reason: mirrorClashReason,
  /** The name, pattern or mirror with which it clashes. */
  with: z.string(),
  /** Whether it was brought anyway. */
  taken: z.boolean(),
  /** The same in one English sentence. */
  text: z.string(),
});
export type MirrorClash = z.infer<typeof mirrorClash>;

/** Why a file or project of a mirror was passed over. */
export const mirrorSkipReason = z.enum(["unsupported.format", "no.supported.file", "no.final.release"]);

/** What a mirror offers and what is not brought, through no fault of anyone's. */
export const mirrorSkip = z.object({
  name: z.string(),
  /** Empty when none of its files could be brought. */
  fileName: z.string(),
  reason: mirrorSkipReason,
});
export type MirrorSkip = z.infer<typeof mirrorSkip>;

/** How the last run of a mirror went, or how far the one that is on has come. */
export const mirrorRun = z.object({
  startedOn: z.string(),
  /** Null while it is on. */
  endedOn: z.string().nullable(),
  /** How many packages it stored. */
  stored: z.int(),
  /** What could not be had or was not taken, one sentence each. */
  errors: z.array(z.string()),
  /** What clashed with packages that are here; at most 100. */
  clashes: z.array(mirrorClash).optional(),
  /** What was passed over, with the reason; at most 100. */
  skipped: z.array(mirrorSkip).optional(),
});

/** Another repository whose packages are brought here. */
export const mirror = z.object({
  name: z.string(),
  uri: z.string(),
  /** Cron of five fields, in the server's time zone; empty: only when somebody asks. */
  schedule: z.string(),
  /** Names, or patterns with `*`, each with its version where one is fixed; null: everything. */
  packages: z.array(z.object({ name: z.string(), version: z.string().nullable() })).nullable(),
  lastRun: mirrorRun.nullable(),
  /** Whether it may add versions to names that were uploaded here or that another mirror brought. */
  sharedNames: z.boolean().optional(),
});
export type Mirror = z.infer<typeof mirror>;

/** `GET /repositories/{id}/mirrors`: in the order in which they are declared. */
export const mirrors = z.object({
  mirrors: z.array(mirror),
  /** Names, or patterns with `*`, that no mirror may bring: of the settings, the declaration and the repository. */
  reservedNames: z.array(z.string()).optional(),
});
