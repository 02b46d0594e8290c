import type { Command } from "./command.ts";
import { demo } from "./demo.ts";
import { purgeUndeclared } from "./purge-undeclared.ts";
import { sessionsEndAll, sessionsRotateSecret } from "./sessions.ts";
import { start } from "./start.ts";

/** Every command, in the order in which the help lists them. */
export const commands: readonly Command[] = [start, demo, sessionsRotateSecret, sessionsEndAll, purgeUndeclared];
