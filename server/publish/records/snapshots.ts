import { sql } from "kysely";
import { z } from "zod";
import type { Db } from "../../platform/db/database.ts";

const dayMs = 86_400_000;
/** What `GET …/snapshots` tells of. */
const mostListed = 100;

/** Whether the first part of an address below a repository names a state of it; `@blob` is part of the current one. */
export const namesSnapshot = (segment: string | undefined): segment is string =>
  segment?.startsWith("@") === true && segment !== "@blob";

/**
 * The serial that is meant by `@{serial}`, `@YYYY-MM-DD` (the last one of that day in UTC, which must be over) or
 * `@{instant}` (the last one until then; ISO 8601 in UTC). Undefined when there was none yet, or the time is to come.
 */
export async function serialOf(db: Db, repositoryId: number, name: string, now: Date): Promise<number | undefined> {
  const text = name.slice(1);
  if (/^\d{1,9}$/.test(text)) return lastSerial(db, repositoryId, sql<boolean>`serial <= ${Number(text)}`);
  const before = endOfDay(text);
  if (before !== undefined)
    return before > now.getTime()
      ? undefined
      : lastSerial(db, repositoryId, sql<boolean>`rendered_on < ${new Date(before)}`);
  if (!z.iso.datetime().safeParse(text).success || Date.parse(text) > now.getTime()) return undefined;
  return lastSerial(db, repositoryId, sql<boolean>`rendered_on <= ${new Date(text)}`);
}

/** The moment after the last one of a day; undefined for what is no day. */
const endOfDay = (text: string): number | undefined =>
  z.iso.date().safeParse(text).success ? Date.parse(`${text}T00:00:00Z`) + dayMs : undefined;

async function lastSerial(
  db: Db,
  repositoryId: number,
  condition: ReturnType<typeof sql<boolean>>,
): Promise<number | undefined> {
  const row = await db
    .selectFrom("rendered_serials")
    .select("serial")
    .where("repository_id", "=", repositoryId)
    .where(condition)
    .orderBy("serial", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.serial;
}

/** The latest states of a repository, newest first; none while it serves none. */
export const latestSnapshots = (db: Db, repositoryId: number) =>
  db
    .selectFrom("rendered_serials")
    .innerJoin("repositories", "repositories.id", "rendered_serials.repository_id")
    .select(["rendered_serials.serial", "rendered_on"])
    .where("repository_id", "=", repositoryId)
    .where("rendered_serials.public", "=", true)
    .where("published", "=", true)
    .where("deleted", "=", false)
    .orderBy("rendered_serials.serial", "desc")
    .limit(mostListed)
    .execute();
