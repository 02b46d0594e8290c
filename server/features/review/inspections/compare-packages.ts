import type { Comparison } from "@packhouse/contract/review/comparison";
import type { Inspection } from "@packhouse/contract/review/inspection";
import { compare } from "@packhouse/inspection/compare";
import { compareArchives } from "@packhouse/inspection/compare-archives";
import { inspectionLimits } from "@packhouse/inspection/limits";
import type { TaskContext } from "../../../platform/workers/task.ts";
import { ownMilliseconds } from "./archive-limits.ts";
import { boundedComparison } from "./bounded-findings.ts";

interface Side {
  inspection: Inspection;
  fileName: string;
}

export interface ComparisonInput {
  before: Side | null;
  after: Side;
}

/** A worker task. Without the archives it compares what is stored about them. */
export async function comparePackages(
  { before, after }: ComparisonInput,
  { source, others: [base] }: TaskContext,
): Promise<Comparison> {
  const limits = { ...inspectionLimits, milliseconds: ownMilliseconds };
  return boundedComparison(
    source && before && base
      ? await compareArchives({ ...before, source: base }, { ...after, source }, { limits })
      : compare(before?.inspection ?? null, after.inspection),
  );
}
