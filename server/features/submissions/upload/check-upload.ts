import { longestName } from "@packhouse/contract/limits";
import type { ViolationCode } from "@packhouse/contract/violations";
import { formatOf } from "@packhouse/formats/format";
import { defaultLimits, type PackageFile } from "@packhouse/formats/package-file";
import type { BinaryRequest } from "@packhouse/formats/r/binary-target";
import { UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import { invalid, Refusal } from "../../../platform/errors/refusal.ts";
import { readPackageTask } from "../../packages/contents/package-tasks.ts";
import type { readPackage as readPackageOf } from "../../packages/contents/read-package.ts";
import type { ReceivedUpload } from "./upload.ts";

/** The contents of an archive, as read by a worker. */
export type ReadPackage = Awaited<ReturnType<typeof readPackageOf>>;

/** Reads an uploaded file and refuses what its format does not accept, with every reason in one answer. */
export async function checkUpload(context: ReceivedUpload): Promise<ReadPackage> {
  checkPart(context);
  return readPackage(context, binaryRequest(context));
}

/** Content types that clients use for archives; the bytes show what a file really is. */
const refusedContentTypes = /^(text|image|audio|video|font)\/|^application\/(json|xml|xhtml\+xml|pdf)$/;

/** Every problem of the part that shows before it is opened. */
function checkPart({ technology, upload }: ReceivedUpload): void {
  const { parameters, fileName, contentType, received, mirror } = upload;
  const reasons: (ViolationCode | (string & {}))[] = [];
  if (refusedContentTypes.test(contentType)) reasons.push("invalid.contenttype");
  if (received.size === 0) reasons.push("error.empty.file");
  if (fileName.length > longestName) throw invalid(["filename.too.long"]);
  try {
    // Files of mirrors may have other names; those are checked when the file is read.
    if (!mirror) formatOf(technology).checkFileName(fileName, parameters.binary);
  } catch (error) {
    if (!(error instanceof UnacceptablePackage)) throw error;
    reasons.push(...error.reasons);
  }
  if (reasons.length > 0) throw new Refusal("error.validation", reasons);
}

/** R: the target of a binary; undefined for sources. All three parameters are required, or none is allowed. */
function binaryRequest({ deps: { settings }, technology, upload }: ReceivedUpload): BinaryRequest | undefined {
  if (!formatOf(technology).statesTarget) return undefined;
  const { binary, rVersion, architecture, distribution } = upload.parameters;
  const given = [rVersion, architecture, distribution].filter((value) => value !== undefined);
  if (!binary && given.length > 0)
    throw new Refusal("error.validation", "error.parameters.not.allowed.for.non.binary.package");
  if (!binary) return undefined;
  if (rVersion === undefined || architecture === undefined || distribution === undefined)
    throw new Refusal("error.validation", "error.missing.data.for.binary.package");
  return {
    target: { rVersion, architecture, distribution },
    allowed: {
      rVersions: settings["r.versions"],
      architectures: settings["r.architectures"],
      distributions: settings["r.distributions"],
    },
  };
}

async function readPackage(
  { deps: { settings, workers }, actor, technology, upload: { received, fileName, mirror, gone } }: ReceivedUpload,
  binary: BinaryRequest | undefined,
): Promise<ReadPackage> {
  const limits = {
    ...defaultLimits,
    maxUnpackedBytes: settings["upload.maxUnpackedBytes"],
    maxRatio: settings["upload.maxRatio"],
  };
  try {
    const read = await workers.run(
      readPackageTask,
      { technology, fileName, limits, binary, mirrored: mirror !== undefined },
      { source: received.source, whose: actor.id, signal: gone },
    );
    const codes = tooLong(read.file);
    if (codes.length > 0) throw invalid(codes);
    return read;
  } catch (error) {
    if (!(error instanceof UnacceptablePackage)) throw error;
    // Existing clients expect broken field rules quoted and joined in one entry, everything else plain.
    if (error.kind === "rules")
      throw new Refusal("error.validation", [error.codes.map((code) => `"${code}"`).join(", ")]);
    throw new Refusal("error.validation", error.reasons);
  }
}

/** The identity of a package is used in keys of indexes, in the database and in paths. */
const tooLong = (file: PackageFile): ViolationCode[] => [
  ...(file.name.length > longestName ? ["name.too.long" as const] : []),
  ...(file.version.length > longestName ? ["version.too.long" as const] : []),
  ...(file.fileName.length > longestName || file.target.length > longestName ? ["filename.too.long" as const] : []),
];
