import { createHash } from "node:crypto";
import { sql } from "kysely";
import { clientNetwork } from "../../platform/client-network.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/database.ts";
import { tooManyRequests } from "../../platform/errors/refusal.ts";
import { nameKey } from "../../platform/names/confusables.ts";

const windowMinutes = 15;
const mostPerLoginAndAddress = 10;
const mostPerAddress = 100;
/** From this many failures on, each further failure delays the next sign-in of that name. Nobody is ever locked out. */
const freeFailuresPerLogin = 5;
const longestDelaySeconds = 30;
/** How many attempts for one name may be checked at the same time, from any address. */
const mostAtOncePerLogin = 10;
/** An attempt without a result for this long belongs to a process that has ended: it counts as failed. */
const longestCheckMs = 60_000;
const longestKey = 255;
/**
 * How many attempts this process has in progress, so that a flood of them does not use up the database's connections:
 * about as many as the hashes of two seconds. Further callers are asked to try again.
 */
const mostInProgress = 40;
const retryAfterSeconds = 2;

interface AttemptDeps {
  db: Db;
  clock: Clock;
}

/** What is tried, and where from. */
interface Tried {
  login: string;
  address: string;
}

/** The logins that attempts in progress try. */
const inProgress: string[] = [];

/** Checks a password, unless too many attempts have failed or are in progress. */
export async function attemptSignIn<Result extends { succeeds: boolean }>(
  deps: AttemptDeps,
  { login, address }: Tried,
  check: () => Promise<Result>,
): Promise<Result> {
  const key = keyOf(login);
  if (inProgress.filter((other) => other === key).length >= mostAtOncePerLogin) throw tooManyRequests(1);
  if (inProgress.length >= mostInProgress) throw tooManyRequests(retryAfterSeconds);
  inProgress.push(key);
  try {
    const attempt = await reserveAttempt(deps, key, clientNetwork(address));
    const result = await check();
    await (result.succeeds ? attempt.succeeded() : attempt.failed());
    return result;
  } finally {
    inProgress.splice(inProgress.indexOf(key), 1);
  }
}

/**
 * Counts an attempt as failed before anything is checked, so that concurrent guesses cannot all see the same number of
 * failures. The counts live in the database, so that replicas share them.
 */
async function reserveAttempt({ db, clock }: AttemptDeps, key: string, place: string) {
  const now = clock();
  const since = new Date(now.getTime() - windowMinutes * 60_000);
  const id = await db.transaction().execute(async (tx) => {
    // Serializes attempts from the same address and for the same name. Always lock in this order.
    await sql`select pg_advisory_xact_lock(${lockOf("place", place)})`.execute(tx);
    await sql`select pg_advisory_xact_lock(${lockOf("login", key)})`.execute(tx);
    const beingChecked = sql`(pending and occurred_on > ${new Date(now.getTime() - longestCheckMs)})`;
    const counts = await tx
      .selectFrom("sign_in_failures")
      .select([
        sql<number>`count(*) filter (where address = ${place})`.as("of_place"),
        sql<number>`count(*) filter (where address = ${place} and ${beingChecked})`.as("checked_of_place"),
        sql<number>`count(*) filter (where address = ${place} and login = ${key})`.as("of_both"),
        sql<number>`count(*) filter (where login = ${key} and not ${beingChecked})`.as("of_login"),
        sql<number>`count(*) filter (where login = ${key} and ${beingChecked})`.as("checked_of_login"),
        sql<Date | null>`max(occurred_on) filter (where login = ${key} and not ${beingChecked})`.as("latest_of_login"),
      ])
      .where("occurred_on", ">", since)
      .where((where) => where.or([where("login", "=", key), where("address", "=", place)]))
      .executeTakeFirstOrThrow();
    if (counts.of_both >= mostPerLoginAndAddress || counts.of_place >= mostPerAddress)
      throw tooManyRequests(counts.checked_of_place > 0 ? 1 : windowMinutes * 60);
    if (counts.checked_of_login >= mostAtOncePerLogin) throw tooManyRequests(1);
    const extra = counts.of_login - freeFailuresPerLogin;
    if (extra >= 0 && counts.latest_of_login) {
      const delay = Math.min(2 ** extra, longestDelaySeconds);
      const waited = (now.getTime() - counts.latest_of_login.getTime()) / 1000;
      if (waited < delay) throw tooManyRequests(delay - waited);
    }
    const row = await tx
      .insertInto("sign_in_failures")
      .values({ login: key, address: place, occurred_on: now, pending: true })
      .returning("id")
      .executeTakeFirstOrThrow();
    return row.id;
  });
  return {
    async failed() {
      await db.updateTable("sign_in_failures").set({ pending: false }).where("id", "=", id).execute();
      await db.deleteFrom("sign_in_failures").where("occurred_on", "<", since).execute();
    },
    async succeeded() {
      await db.deleteFrom("sign_in_failures").where("id", "=", id).execute();
    },
  };
}

const digestOf = (text: string) => createHash("sha256").update(text).digest();

/** Spellings that sign in the same user count together; values too long to be a login are counted by their digest. */
const keyOf = (login: string): string =>
  login.length > longestKey ? digestOf(login).toString("hex") : nameKey(login).slice(0, longestKey);

/** A 64-bit number for PostgreSQL's advisory locks, as text since it does not fit a number. */
const lockOf = (kind: string, text: string): string => digestOf(`${kind}:${text}`).readBigInt64BE().toString();
