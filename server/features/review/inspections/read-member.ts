import { inspectionLimits } from "@packhouse/inspection/limits";
import { readBytes, readText } from "@packhouse/inspection/member-text";
import { sourceOf, type TaskContext } from "../../../platform/workers/task.ts";
import { largestMember, largestText } from "./archive-limits.ts";

interface Member {
  fileName: string;
  path: string;
}

/** A worker task: one file of an archive as it is, emitted in pieces; false if it is not there or too large. */
export async function readMemberBytes({ fileName, path }: Member, context: TaskContext): Promise<boolean> {
  const limits = { ...inspectionLimits, textBytes: largestMember };
  const pieces = await readBytes({ source: sourceOf(context), fileName }, path, limits);
  for (const piece of pieces ?? []) await context.emit(piece);
  return pieces !== null;
}

/** A worker task: one text of an archive; null for what is no text, too large or not there. */
export const readMember = ({ fileName, path }: Member, context: TaskContext): Promise<string | null> =>
  readText({ source: sourceOf(context), fileName }, path, { limits: { ...inspectionLimits, textBytes: largestText } });
