import { sql } from "kysely";
import { clientNetwork } from "../../platform/client-network.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { lockUser } from "../../platform/db/transactions/lock-user.ts";
import { tooManyRequests } from "../../platform/errors/refusal.ts";

const windowMinutes = 15;
const mostPerAddress = 10;
/** The delay grows with the failures of a whole day: codes have six digits only. */
const dayMs = 86_400_000;
const freeFailures = 5;
const longestDelaySeconds = 300;

/**
 * Counts an attempt before its code is checked, so that concurrent guesses cannot bypass the limit. Guessing requires
 * the password first; still, nobody is ever locked out: other addresses wait at most five minutes, and passkeys never
 * do.
 */
export async function reserveAttempt(
  { db, clock }: { db: Db; clock: Clock },
  userId: number,
  from: string,
): Promise<void> {
  const address = clientNetwork(from);
  const now = clock();
  const recent = new Date(now.getTime() - windowMinutes * 60_000);
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    const made = await tx
      .selectFrom("second_factor_attempts")
      .select([
        sql<number>`count(*)`.as("all"),
        sql<number>`count(*) filter (where address = ${address} and occurred_on > ${recent})`.as("of_address"),
        sql<Date | null>`min(occurred_on) filter (where address = ${address} and occurred_on > ${recent})`.as("first"),
        sql<Date | null>`max(occurred_on)`.as("latest"),
      ])
      .where("user_id", "=", userId)
      .where("occurred_on", ">", new Date(now.getTime() - dayMs))
      .executeTakeFirstOrThrow();
    if (made.of_address >= mostPerAddress) {
      const since = made.first ?? now;
      throw tooManyRequests(windowMinutes * 60 - (now.getTime() - since.getTime()) / 1000);
    }
    const extra = made.all - freeFailures;
    if (extra >= 0 && made.latest) {
      const delay = Math.min(2 ** extra, longestDelaySeconds);
      const waited = (now.getTime() - made.latest.getTime()) / 1000;
      if (waited < delay) throw tooManyRequests(delay - waited);
    }
    await tx.insertInto("second_factor_attempts").values({ user_id: userId, address, occurred_on: now }).execute();
    await tx
      .deleteFrom("second_factor_attempts")
      .where("occurred_on", "<", new Date(now.getTime() - dayMs))
      .execute();
  });
}

/** A correct code proves the user's identity: failures from this address no longer count. */
export async function forgetAttempts(db: Db | Tx, userId: number, from: string): Promise<void> {
  await db
    .deleteFrom("second_factor_attempts")
    .where("user_id", "=", userId)
    .where("address", "=", clientNetwork(from))
    .execute();
}
