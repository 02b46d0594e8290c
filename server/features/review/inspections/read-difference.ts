import type { FileDiff } from "@packhouse/contract/review/comparison";
import { type DiffSide, fileDiff } from "@packhouse/inspection/file-diff";
import { inspectionLimits } from "@packhouse/inspection/limits";
import { readText } from "@packhouse/inspection/member-text";
import type { TaskContext } from "../../../platform/workers/task.ts";
import { largestText } from "./archive-limits.ts";

interface Side {
  fileName: string;
  path: string;
}

export interface DifferenceInput {
  /** Null where the file does not exist. */
  before: Side | null;
  after: Side | null;
  ignoresWhitespace: boolean;
}

/** A worker task: the sources are those of the sides that exist, the later one first. */
export async function readDifference(
  { before, after, ignoresWhitespace }: DifferenceInput,
  { source, others }: TaskContext,
): Promise<FileDiff> {
  const sources = source ? [source, ...others] : [];
  const textOf = async (side: Side | null): Promise<DiffSide | null> => {
    const its = side && sources.shift();
    if (!side || !its) return null;
    const limits = { ...inspectionLimits, textBytes: largestText };
    return { path: side.path, text: await readText({ source: its, fileName: side.fileName }, side.path, { limits }) };
  };
  const now = await textOf(after);
  return fileDiff(await textOf(before), now, { ignoresWhitespace });
}
