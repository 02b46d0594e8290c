import { serveTasks } from "../platform/workers/serve-tasks.ts";
import type { TaskContext, TaskName } from "../platform/workers/task.ts";
import { tasks } from "./worker-tasks.ts";

// The table of the pool has the types; between the processes they are lost.
await serveTasks((name) => tasks[name as TaskName] as (input: unknown, context: TaskContext) => unknown);
