import { sql } from "kysely";
import type { Deps } from "../deps.ts";

/** Rows of one statement: other work on the table goes on in between. */
const batch = 1000;
const dayMs = 86_400_000;

/**
 * Removes security events after their time, and before that addresses and unknown logins from those that stay. Returns
 * how many rows were removed and how many were made anonymous.
 */
export async function pruneSecurityEvents({
  db,
  settings,
  clock,
}: Pick<Deps, "db" | "settings" | "clock">): Promise<{ removed: number; anonymized: number }> {
  const before = (days: number) => new Date(clock().getTime() - days * dayMs);
  const until = before(settings["securityEvents.days"]);
  const removed = await inBatches(
    async () =>
      (
        await sql`
          delete from security_events where id in (
            select id from security_events where occurred_on < ${until} order by occurred_on limit ${batch}
            for update skip locked)`.execute(db)
      ).numAffectedRows,
  );
  const personalUntil = before(settings["securityEvents.addressDays"]);
  const anonymized = await inBatches(
    async () =>
      (
        await sql`
          update security_events set address = null, subject = null, merge_key = null where id in (
            select id from security_events
            where (address is not null or subject is not null) and last_on < ${personalUntil}
            order by last_on limit ${batch} for update skip locked)`.execute(db)
      ).numAffectedRows,
  );
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
