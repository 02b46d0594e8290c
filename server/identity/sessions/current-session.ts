import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Database } from "../../platform/db/schema.ts";
import type { IdentityDeps } from "../deps.ts";
import { anySessions } from "./store.ts";

/** Once a minute is precise enough, and spares a write on every request of a busy client. */
const recordEveryMs = 60_000;

/** Whether a session is still valid: neither too old nor unused for too long. */
export function goesOn({ settings, clock }: Pick<IdentityDeps, "settings" | "clock">) {
  const now = clock();
  const idleMinutes = settings["auth.session.idleMinutes"];
  return (where: ExpressionBuilder<Pick<Database, "sessions">, "sessions">): Expression<SqlBool> => {
    const young = where("sessions.expires_on", ">", now);
    if (idleMinutes === 0) return young;
    return where.and([young, where("sessions.last_used_on", ">", new Date(now.getTime() - idleMinutes * 60_000))]);
  };
}

/** Records that a session is being used, and from which address. */
export async function recordUse(
  { db, clock }: Pick<IdentityDeps, "db" | "clock">,
  session: { id: number; lastUsedOn: Date; address: string },
  address: string,
): Promise<void> {
  const now = clock();
  if (now.getTime() - session.lastUsedOn.getTime() < recordEveryMs) return;
  await anySessions(db).noteUse(session.id, now, address);
}
