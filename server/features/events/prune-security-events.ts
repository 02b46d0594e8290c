import type { Deps } from "../deps.ts";
import { securityPruneStore } from "./security-store.ts";

/** Rows of one statement: other work on the table proceeds in between. */
const batch = 1000;
const dayMs = 86_400_000;

/**
 * Removes security events after their retention time, and before that addresses and unknown logins from the others.
 * Returns how many rows were removed and how many were made anonymous.
 */
export async function pruneSecurityEvents({
  db,
  settings,
  clock,
}: Pick<Deps, "db" | "settings" | "clock">): Promise<{ removed: number; anonymized: number }> {
  const before = (days: number) => new Date(clock().getTime() - days * dayMs);
  const until = before(settings["securityEvents.days"]);
  const store = securityPruneStore(db);
  const removed = await inBatches(() => store.remove(until, batch));
  const personalUntil = before(settings["securityEvents.addressDays"]);
  const anonymized = await inBatches(() => store.anonymize(personalUntil, batch));
  return { removed, anonymized };
}

async function inBatches(next: () => Promise<bigint | undefined>): Promise<number> {
  let all = 0;
  for (;;) {
    const count = Number((await next()) ?? 0n);
    all += count;
    if (count < batch) return all;
  }
}
