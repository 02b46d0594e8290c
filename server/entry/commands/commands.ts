import {
  adminActivate,
  adminDeactivate,
  adminLink,
  adminPassword,
  adminResetSecondFactors,
  adminRole,
} from "./admin-change.ts";
import { adminCreate } from "./admin-create.ts";
import { adminList } from "./admin-list.ts";
import { backup } from "./backup.ts";
import type { Command } from "./command.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { eventsExport } from "./events-export.ts";
import { exportEverything } from "./export.ts";
import { importEverything } from "./import.ts";
import { migrate } from "./migrate.ts";
import { promote } from "./promote.ts";
import { purgeUndeclared } from "./purge-undeclared.ts";
import { restore } from "./restore.ts";
import { sessionsEndAll, sessionsRotateSecret } from "./sessions.ts";
import { start } from "./start.ts";
import { verify } from "./verify.ts";

/** Every command, in the order in which the help lists them. */
export const commands: readonly Command[] = [
  start,
  demo,
  adminList,
  adminCreate,
  adminPassword,
  adminResetSecondFactors,
  adminLink,
  adminRole,
  adminDeactivate,
  adminActivate,
  sessionsRotateSecret,
  sessionsEndAll,
  eventsExport,
  purgeUndeclared,
  migrate,
  backup,
  restore,
  exportEverything,
  importEverything,
  promote,
  verify,
  doctor,
];
