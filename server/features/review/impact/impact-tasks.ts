import { task } from "../../../platform/workers/task.ts";
import type { computeImpact } from "./compute-impact.ts";

export const computeImpactTask = task<typeof computeImpact>("compute-impact", "documents");
