import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";

/** What `GET …/snapshots` lists. */
const mostListed = 100;

/** The last serial up to another one that has been reached, before a time, or until a time. */
export async function lastSerial(
  db: Db,
  repositoryId: number,
  limit: { serial: number } | { before: Date } | { until: Date },
): Promise<number | undefined> {
  const condition =
    "serial" in limit
      ? sql<boolean>`serial <= ${limit.serial}`
      : "before" in limit
        ? sql<boolean>`rendered_on < ${limit.before}`
        : sql<boolean>`rendered_on <= ${limit.until}`;
  const rendered = db.selectFrom("rendered_serials").where("repository_id", "=", repositoryId);
  const row = await rendered
    .select("serial")
    .where(condition)
    .where(({ exists, lit }) =>
      "serial" in limit ? exists(rendered.select("serial").where("serial", ">=", limit.serial)) : lit(true),
    )
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
