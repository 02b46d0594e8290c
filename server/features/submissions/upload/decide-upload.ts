/**
 * How the uploader relates to the package: `approver` of everything of this name, `owner` of the existing package while it
 * waits (its submitter, or a user who may edit it), or `other`.
 */
export type UploaderRelation = "approver" | "owner" | "other";

interface UploadSituation<Existing> {
  /** The live package with the same name, version and file. */
  existing: Existing | undefined;
  /** A submission that waits to replace it. */
  replacement: Existing | undefined;
  /** The one of both that waits for changes by the uploader. */
  answered?: Existing | undefined;
  relation: UploaderRelation;
  upload: { replace: boolean; mirrored: boolean; sha256: string };
  /** The setting `replacing.packages`. */
  replacingAllowed: boolean;
}

/** What an upload does to an existing package. */
export type UploadDecision<Existing> =
  | { action: "add" }
  | {
      action: "keep";
      existing: Existing;
      code: "warning.package.duplicate" | "warning.replacing.packages.disabled";
    }
  | { action: "replace"; existing: Existing }
  | { action: "wait"; existing: Existing };

/** Whether an upload is added, replaces the existing package, waits to replace it, or leaves it unchanged. */
export function decideUpload<Existing extends { digest: string }>({
  existing,
  replacement,
  answered,
  relation,
  upload,
  replacingAllowed,
}: UploadSituation<Existing>): UploadDecision<Existing> {
  const keep = (it: Existing): UploadDecision<Existing> => ({
    action: "keep",
    existing: it,
    code: "warning.package.duplicate",
  });

  // What was asked for does not have to be marked as a replacement.
  if (answered && answered.digest !== upload.sha256) return { action: "replace", existing: answered };
  if (!existing) return replacement ? keep(replacement) : { action: "add" };
  // An upload with the same bytes stays an upload when a mirror has them too.
  if (!upload.replace || (upload.mirrored && existing.digest === upload.sha256)) return keep(existing);
  if (!replacingAllowed) return { action: "keep", existing, code: "warning.replacing.packages.disabled" };
  if (relation !== "other") return { action: "replace", existing };
  return replacement ? keep(replacement) : { action: "wait", existing };
}
