import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/database.ts";
import { Refusal } from "../http/refusal.ts";

const windowMinutes = 15;
const mostPerLoginAndAddress = 10;
const mostPerAddress = 100;
/** From this many failures on, each further one of a name makes its next sign-in wait longer. Nobody is ever locked out. */
const freeFailuresPerLogin = 5;
const longestDelaySeconds = 30;

/**
 * Refuses a sign-in that follows too many failed ones. The counts live in the database, so that replicas share them.
 */
export async function checkAttempts(
  { db, clock }: { db: Db; clock: Clock },
  login: string,
  address: string,
): Promise<void> {
  const now = clock();
  const since = new Date(now.getTime() - windowMinutes * 60_000);
  const failures = await db
    .selectFrom("sign_in_failures")
    .select([
      sql<number>`count(*) filter (where address = ${address})`.as("of_address"),
      sql<number>`count(*) filter (where address = ${address} and login = ${login})`.as("of_both"),
      sql<number>`count(*) filter (where login = ${login})`.as("of_login"),
      sql<Date | null>`max(occurred_on) filter (where login = ${login})`.as("latest_of_login"),
    ])
    .where("occurred_on", ">", since)
    .where((where) => where.or([where("login", "=", login), where("address", "=", address)]))
    .executeTakeFirstOrThrow();

  if (failures.of_both >= mostPerLoginAndAddress || failures.of_address >= mostPerAddress)
    throw tooMany(windowMinutes * 60);
  const extra = failures.of_login - freeFailuresPerLogin;
  if (extra < 0 || !failures.latest_of_login) return;
  const delay = Math.min(2 ** extra, longestDelaySeconds);
  const waited = (now.getTime() - failures.latest_of_login.getTime()) / 1000;
  if (waited < delay) throw tooMany(Math.ceil(delay - waited));
}

export async function recordFailure(
  { db, clock }: { db: Db; clock: Clock },
  login: string,
  address: string,
): Promise<void> {
  const now = clock();
  await db.insertInto("sign_in_failures").values({ login, address, occurred_on: now }).execute();
  const expired = new Date(now.getTime() - windowMinutes * 60_000);
  await db.deleteFrom("sign_in_failures").where("occurred_on", "<", expired).execute();
}

const tooMany = (seconds: number) => new Refusal("too.many.requests", null, { "retry-after": String(seconds) });
