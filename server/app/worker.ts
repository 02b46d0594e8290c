import { serveTasks } from "../platform/workers/serve-tasks.ts";
import { tasks } from "./worker-tasks.ts";

await serveTasks((name) => tasks.get(name));
