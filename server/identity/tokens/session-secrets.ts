import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/database.ts";
import type { Listener } from "../../platform/jobs/listener.ts";
import type { Settings } from "../../platform/settings/settings.ts";

const channel = "session-secret";

/** The keys that sign sessions: of the settings, or made once and shared by all replicas through the database. */
export interface SessionSecrets {
  /** Signs what is issued now. */
  current(): Promise<string>;
  /** What tokens may be signed with, the newest first. */
  accepted(): Promise<readonly string[]>;
}

export async function sessionSecrets(
  db: Db,
  listener: Listener,
  settings: Settings,
  clock: Clock,
): Promise<SessionSecrets> {
  const given = settings["auth.session.secret"];
  if (given !== undefined) {
    const previous = settings["auth.session.previousSecret"];
    const accepted = previous === undefined ? [given] : [given, previous];
    return { current: async () => given, accepted: async () => accepted };
  }
  let known: Promise<Kept> | undefined;
  const forget = () => {
    known = undefined;
  };
  await listener.listen(channel, forget, forget);
  const kept = () => {
    // Who does not listen may have missed a rotation.
    if (!known || !listener.connected) {
      known = readOrMake(db, clock);
      known.catch(forget);
    }
    return known;
  };
  const lifetimeMs = settings["auth.session.minutes"] * 60_000;
  return {
    current: async () => (await kept()).current,
    async accepted() {
      const { current, previous } = await kept();
      const going = previous && clock().getTime() - previous.replacedOn.getTime() < lifetimeMs;
      return going ? [current, previous.value] : [current];
    },
  };
}

interface Kept {
  current: string;
  previous: { value: string; replacedOn: Date } | undefined;
}

const fresh = (clock: Clock) => ({
  name: "session",
  value: randomBytes(64).toString("base64url"),
  created_on: clock(),
});

async function readOrMake(db: Db, clock: Clock): Promise<Kept> {
  const rows = await db
    .selectFrom("secrets")
    .selectAll()
    .where("name", "in", ["session", "session-previous"])
    .execute();
  const current = rows.find(({ name }) => name === "session")?.value;
  const previous = rows.find(({ name }) => name === "session-previous");
  if (current !== undefined)
    return { current, previous: previous && { value: previous.value, replacedOn: previous.created_on } };
  // Replicas that start at once agree on one.
  await db
    .insertInto("secrets")
    .values(fresh(clock))
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  return readOrMake(db, clock);
}

/**
 * Makes a new key for sessions. Those of the key before go on for one lifetime of a session, or end at once unless
 * `keep`. Running servers are told.
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
    await sql`select pg_notify(${channel}, '')`.execute(trx);
  });
}
