import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/database.ts";

/** Notification channel for a replaced secret. */
export const secretChannel = "session-secret";

interface Kept {
  current: string;
  previous: { value: string; replacedOn: Date } | undefined;
}

const fresh = (clock: Clock) => ({
  name: "session",
  value: randomBytes(64).toString("base64url"),
  created_on: clock(),
});

/** The secret in the database, created by the first replica that asks. */
export async function readOrMakeSecret(db: Db, clock: Clock): Promise<Kept> {
  const rows = await db
    .selectFrom("secrets")
    .selectAll()
    .where("name", "in", ["session", "session-previous"])
    .execute();
  const current = rows.find(({ name }) => name === "session")?.value;
  const previous = rows.find(({ name }) => name === "session-previous");
  if (current !== undefined)
    return { current, previous: previous && { value: previous.value, replacedOn: previous.created_on } };
  // Replicas that start at the same time agree on one.
  await db
    .insertInto("secrets")
    .values(fresh(clock))
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  return readOrMakeSecret(db, clock);
}

/**
 * Creates a new key for sessions. With `keep`, sessions of the previous key continue for one session lifetime;
 * otherwise they end immediately. Running servers are notified.
 */
export async function rotateSessionSecret(db: Db, clock: Clock, keep: boolean): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom("secrets").where("name", "=", "session-previous").execute();
    if (keep)
      await trx
        .updateTable("secrets")
        .set({ name: "session-previous", created_on: clock() })
        .where("name", "=", "session")
        .execute();
    else await trx.deleteFrom("secrets").where("name", "=", "session").execute();
    await trx.insertInto("secrets").values(fresh(clock)).execute();
    if (!keep) await trx.deleteFrom("sessions").execute();
    await sql`select pg_notify(${secretChannel}, '')`.execute(trx);
  });
}
