import { task } from "../../../platform/workers/task.ts";
import type { readPythonProject, readPythonProjects } from "./read-python-index.ts";
import type { readRIndex } from "./read-r-index.ts";

export const readRIndexTask = task<typeof readRIndex>("read-r-index", "archives");
export const readPythonProjectTask = task<typeof readPythonProject>("read-python-project", "archives");
export const readPythonProjectsTask = task<typeof readPythonProjects>("read-python-projects", "archives");
