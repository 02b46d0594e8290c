import { inspectionLimits } from "@packhouse/inspection/limits";
import { readText } from "@packhouse/inspection/member-text";
import { sourceOf, type TaskContext } from "../../../platform/workers/task.ts";
import { largestText } from "./archive-limits.ts";

/** A worker task: one text of an archive; null for what is no text, too large or not there. */
export const readMember = (
  { fileName, path }: { fileName: string; path: string },
  context: TaskContext,
): Promise<string | null> =>
  readText({ source: sourceOf(context), fileName }, path, { limits: { ...inspectionLimits, textBytes: largestText } });
