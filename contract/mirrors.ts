import { z } from "zod";

/** How the last run of a mirror went, or how far the one that is on has come. */
export const mirrorRun = z.object({
  startedOn: z.string(),
  /** Null while it is on. */
  endedOn: z.string().nullable(),
  /** How many packages it stored. */
  stored: z.int(),
  /** What could not be had or was not taken, one sentence each. */
  errors: z.array(z.string()),
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
});
export type Mirror = z.infer<typeof mirror>;

/** `GET /repositories/{id}/mirrors`: in the order in which they are declared. */
export const mirrors = z.object({ mirrors: z.array(mirror) });
