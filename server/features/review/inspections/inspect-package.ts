import type { Inspection } from "@packhouse/contract/review/inspection";
import type { Technology } from "@packhouse/contract/technology";
import { inspect } from "@packhouse/inspection/inspect";
import { inspectionLimits } from "@packhouse/inspection/limits";
import { type ArchiveInput, sourceOf, type TaskContext } from "../../../platform/workers/task.ts";
import { ownMegabytes, ownMilliseconds } from "./archive-limits.ts";
import { boundedInspection } from "./bounded-findings.ts";

export interface InspectionInput extends ArchiveInput {
  technology: Technology;
}

/** A worker task: an archive comes in, what it consists of comes out. */
export async function inspectPackage(input: InspectionInput, context: TaskContext): Promise<Inspection> {
  const before = process.memoryUsage.rss();
  const isMemoryFull = () => process.memoryUsage.rss() - before > ownMegabytes * 1024 * 1024;
  const limits = { ...inspectionLimits, milliseconds: ownMilliseconds };
  return boundedInspection(await inspect(sourceOf(context), input, { limits, isMemoryFull }));
}
