import { task } from "../../../platform/workers/task.ts";
import type { judgeImpact } from "./judge-impact.ts";

export const judgeImpactTask = task<typeof judgeImpact>("judge-impact", "documents");
