import { type RawBuilder, sql } from "kysely";
import type { Actor } from "../http/actor.ts";
import type { Db } from "../platform/db/database.ts";
import type { Settings } from "../platform/settings/settings.ts";
import { lookedAfter } from "./read-rights.ts";

/** Names with read rights that match no repository: a misspelled name would silently leave a repository open. */
export async function namesOfNoRepository(db: Db, settings: Settings): Promise<string[]> {
  const names = settings.readRights.map(({ repository }) => repository);
  if (names.length === 0) return [];
  const found = await db.selectFrom("repositories").select("name").where("name", "in", names).execute();
  return names.filter((name) => !found.some((row) => row.name === name));
}

/** `mayReadRepository` as a condition on a repository id column; none if the user may read every repository. */
export function readable(actor: Actor, repositoryId: RawBuilder<unknown>): RawBuilder<boolean>[] {
  if (actor.closedRepositories.length === 0) return [];
  const closed = sql`array(
    select id from repositories
    where name = any(${[...actor.closedRepositories]}::text[]) and id <> all(${lookedAfter(actor)}::integer[]))`;
  return [sql<boolean>`(${repositoryId} is null or ${repositoryId} <> all(${closed}))`];
}
