import { task } from "../../platform/workers/task.ts";
import type { applyPatchTo } from "./apply-patch.ts";

export const applyPatchTask = task<typeof applyPatchTo>("apply-patch", "requests");
