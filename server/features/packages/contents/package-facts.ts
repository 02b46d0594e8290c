import { dependency } from "@packhouse/contract/dependencies";
import { z } from "zod";

/**
 * Raised whenever what is read from an archive, or how it is stored, changes: what was stored with another number is
 * read from the archive again.
 */
export const factsVersion = 1;

/** The limits of what is stored, and so of what a page consists of. */
export const mostDependencies = 5000;
export const mostVignettes = 1000;
export const longestFact = 500;

/** What pages show of an archive; read once, on upload, and never again while a request waits. */
export const packageFacts = z.object({
  dependencies: z.array(dependency.pick({ kind: true, name: true, constraint: true, condition: true })),
  vignettes: z.array(z.object({ title: z.string(), fileName: z.string() })),
  /** R: the README next to DESCRIPTION. Python: the long description. */
  readme: z.object({ kind: z.string(), bytes: z.int() }).nullable(),
  /** What is incomplete: there was more than is stored, or reading reached a limit. */
  incomplete: z.array(z.enum(["dependencies", "vignettes", "readme"])),
});
export type PackageFacts = z.infer<typeof packageFacts>;

export const noFacts: PackageFacts = {
  dependencies: [],
  vignettes: [],
  readme: null,
  incomplete: ["dependencies", "vignettes", "readme"],
};
