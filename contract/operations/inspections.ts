import { z } from "zod";
import { flag, text } from "../list-contract.ts";
import { download, read } from "../operation.ts";
import { comparison, fileDiff } from "../review/comparison.ts";
import { impact } from "../review/impact.ts";
import { inspection } from "../review/inspection.ts";

/** What a release is compared with. */
export const comparisonBase = z.object({
  packageId: z.int(),
  name: z.string(),
  version: z.string(),
  repository: z.string(),
  fileName: z.string(),
});
export type ComparisonBase = z.infer<typeof comparisonBase>;

/**
 * The id of a package, `none`, `sdist` (the source of the same release), or `previous-upload` (what a waiting file has
 * replaced, as reviewers last saw it). By default, what the release follows.
 */
const base = text;

const permission = "readReview";
const codes = ["submission.notfound", "package.notfound"] as const;

export const readInspection = read("/submissions/:id/inspection", {
  permission,
  summary: "What the archive of a submission consists of, and what a reviewer should notice in it",
  data: inspection,
  codes,
});
export const readComparison = {
  ...read("/submissions/:id/comparison", {
    permission,
    summary: "How the archive of a submission differs from another version, by default from the newest one below it",
    data: comparison.extend({ base: comparisonBase.nullable() }),
    codes,
  }),
  query: { base },
} as const;
export const readFileDifference = {
  ...read("/submissions/:id/comparison/file", {
    permission,
    summary: "How one file in the archive of a submission differs from another version, line by line",
    data: fileDiff,
    codes: [...codes, "error.member.not.found"],
  }),
  /** `whitespace`: lines that differ in blanks alone count as the same. */
  query: { path: text, base, whitespace: flag },
} as const;
export const downloadMember = {
  ...download("/submissions/:id/file", {
    permission,
    summary: "One file in the archive of a submission or of its base: a text as UTF-8, or any file as it is",
    file: ["text/plain", "application/octet-stream"],
    codes: [...codes, "error.member.not.found", "member.too.large", "member.not.text"],
  }),
  /** `side`: `before` for the base. `bytes`: as they are, whatever they mean. */
  query: { path: text, base, side: text, bytes: flag },
} as const;
export const readImpact = read("/submissions/:id/impact", {
  permission,
  summary: "What resolves differently once a submission is accepted: installs, dependents, dependencies",
  data: impact,
  codes,
});

export const inspectionOperations = [
  readInspection,
  readComparison,
  readFileDifference,
  downloadMember,
  readImpact,
] as const;
