import type { IdentityDeps } from "../deps.ts";
import { anySessions } from "./store.ts";

/** Once a minute is precise enough, and spares a write on every request of a busy client. */
const recordEveryMs = 60_000;

/** Sessions that expire later than `now` and were used later than `idleSince` are still valid. */
export interface SessionLimits {
  now: Date;
  idleSince: Date;
}

export function sessionLimits({ settings, clock }: Pick<IdentityDeps, "settings" | "clock">): SessionLimits {
  const now = clock();
  const idleMinutes = settings["auth.session.idleMinutes"];
  // Without a limit, all have been used since.
  return { now, idleSince: new Date(idleMinutes === 0 ? 0 : now.getTime() - idleMinutes * 60_000) };
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
