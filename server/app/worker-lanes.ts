import type { Lane, TaskName } from "../platform/workers/task.ts";

/** The lane of each task of the workers. */
export const workerLanes: Record<TaskName, Lane> = {
  "apply-patch": "requests",
  "judge-metadata": "requests",
  "locate-dependencies": "documents",
  "read-package": "archives",
  "read-facts": "archives",
  "read-r-index": "archives",
  "read-python-project": "archives",
  "read-python-projects": "archives",
  "read-documentation": "documents",
  "read-vignette": "documents",
  "render-manual": "documents",
};
