import { formatOf } from "@packhouse/formats/format";
import type { PackageFile } from "@packhouse/formats/package-file";
import { Refusal } from "../../../platform/errors/refusal.ts";
import type { StagedObject } from "../../../platform/storage/storage.ts";
import type { ManualRemark, UploadContext } from "./upload.ts";

/** The PDF manual of an upload: built with it, requested once the package is accepted, or neither. */
export interface UploadManual {
  staged?: StagedObject;
  wanted: boolean;
  remark?: ManualRemark;
}

export async function uploadManual(
  { deps: { manuals, settings }, upload: { parameters, staged } }: UploadContext,
  file: PackageFile,
  accepted: boolean,
): Promise<UploadManual> {
  const wanted = parameters.generateManual ?? (settings.generateManuals && manuals.available);
  if (!formatOf(file.technology).hasManual || !wanted) return { wanted: false };
  if (file.kind === "binary") return { wanted: false, remark: "generate.manual.not.supported" };
  if (!manuals.available) return { wanted: false, remark: "manual.generation.unavailable" };
  if (!accepted) return { wanted };
  const manual = await manuals.build({ source: staged.source, fileName: file.fileName, kind: file.kind });
  if ("failure" in manual) throw new Refusal("error.validation", [`could.not.generate.manual: ${manual.failure}`]);
  return { wanted, staged: manual.staged };
}
