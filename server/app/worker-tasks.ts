import { documentation, manual, vignette } from "../features/manuals/read-documents.ts";
import { readPythonProject, readPythonProjects } from "../features/mirrors/upstream/read-python-index.ts";
import { readRIndex } from "../features/mirrors/upstream/read-r-index.ts";
import { judgeMetadata } from "../features/packages/judge-metadata.ts";
import { locateDependencies } from "../features/packages/locate-dependencies.ts";
import { readFactsTask } from "../features/packages/read-facts.ts";
import { readPackage } from "../features/packages/read-package.ts";
import { applyPatchTo } from "../http/apply-patch.ts";
import type { TaskContext, TaskName, Tasks } from "../platform/workers/task.ts";

/** What runs in the processes of workers; the server itself imports none of it. */
export const tasks: {
  [Name in TaskName]: (
    input: Tasks[Name]["input"],
    context: TaskContext,
  ) => Tasks[Name]["output"] | Promise<Tasks[Name]["output"]>;
} = {
  "apply-patch": applyPatchTo,
  "judge-metadata": judgeMetadata,
  "locate-dependencies": locateDependencies,
  "read-package": readPackage,
  "read-facts": readFactsTask,
  "read-r-index": readRIndex,
  "read-python-project": readPythonProject,
  "read-python-projects": readPythonProjects,
  "read-documentation": documentation,
  "read-vignette": vignette,
  "render-manual": manual,
};
