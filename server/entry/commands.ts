import {
  adminActivate,
  adminDeactivate,
  adminLink,
  adminPassword,
  adminResetSecondFactors,
  adminRole,
} from "./commands/accounts/admin-change.ts";
import { adminCreate } from "./commands/accounts/admin-create.ts";
import { adminList } from "./commands/accounts/admin-list.ts";
import { sessionsEndAll, sessionsRotateSecret } from "./commands/accounts/sessions.ts";
import type { Command } from "./commands/command.ts";
import { backup } from "./commands/data/backup.ts";
import { exportEverything } from "./commands/data/export.ts";
import { importEverything } from "./commands/data/import.ts";
import { migrate } from "./commands/data/migrate.ts";
import { promote } from "./commands/data/promote.ts";
import { purgeUndeclared } from "./commands/data/purge-undeclared.ts";
import { restore } from "./commands/data/restore.ts";
import { verify } from "./commands/data/verify.ts";
import { demo } from "./commands/demo.ts";
import { doctor } from "./commands/doctor.ts";
import { eventsExport } from "./commands/events-export.ts";
import { mailTest } from "./commands/mail-test.ts";
import { start } from "./commands/start.ts";

/** Every command, in the order of the help. */
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
  mailTest,
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
