import { z } from "zod";
import { technology } from "../technology.ts";

/** What resolves differently once a release is accepted. Computed from the records. */

/** What clients install by the package's name, by the version of the language where it matters. */
export const installed = z.object({
  /** Such as `4.1 to 4.6` or `3.9`; empty if every version gets the same. */
  languageVersions: z.string(),
  /** Null if nothing can be installed. */
  before: z.string().nullable(),
  after: z.string().nullable(),
});

export const dependentImpact = z.object({
  packageId: z.int(),
  name: z.string(),
  version: z.string(),
  repository: z.string(),
  technology,
  /** R: the field. Python: `Requires-Dist` with its extra. */
  field: z.string(),
  constraint: z.string(),
  before: z.enum(["satisfied", "unsatisfied"]),
  after: z.enum(["satisfied", "unsatisfied"]),
});

export const neededPackage = z.object({
  field: z.string(),
  name: z.string(),
  constraint: z.string(),
  condition: z.string(),
  /** `upstream`: a mirror of the repository may import it. */
  found: z.enum(["here", "builtIn", "upstream", "elsewhere", "unfit", "missing"]),
  version: z.string().nullable(),
});

export const impact = z.object({
  installs: z.array(installed),
  /** Of repositories that the caller may read; those that break first. At most 200. */
  dependents: z.array(dependentImpact),
  dependentsTotal: z.int(),
  wouldBreak: z.int(),
  needs: z.array(neededPackage),
  /**
   * How many packages it cannot be installed without: those that it needs, and what their newest versions in the
   * repository need in turn.
   */
  needsInTotal: z.int(),
  /** R: the version that leaves the index for the archive. */
  archived: z.string().nullable(),
});
export type Impact = z.infer<typeof impact>;
