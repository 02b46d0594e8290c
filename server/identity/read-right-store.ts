import { rankOf } from "@packhouse/contract/roles";
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

/**
 * `closedTo` as a condition on the tables `users` and `repositories`: whether a user's role and groups let them read a
 * repository. Those who maintain it may read it regardless.
 */
export function openTo(settings: Pick<Settings, "readRights">): RawBuilder<boolean> {
  if (settings.readRights.length === 0) return sql<boolean>`true`;
  const rights = settings.readRights.map(({ repository, role, groups }) => ({
    repository,
    rank: role === undefined ? null : rankOf(role),
    groups,
  }));
  return sql<boolean>`(
    users.rank = ${rankOf("admin")}
    or coalesce((
      select bool_or(coalesce(users.rank >= "right".rank, false) or users.groups && "right".groups)
      from jsonb_to_recordset(${JSON.stringify(rights)}::jsonb)
        as "right" (repository text collate "C", rank integer, groups text[])
      where "right".repository = repositories.name), true))`;
}

/** `mayReadRepository` as a condition on a repository id column; none if the user may read every repository. */
export function readable(actor: Actor, repositoryId: RawBuilder<unknown>): RawBuilder<boolean>[] {
  if (actor.closedRepositories.length === 0) return [];
  const closed = sql`array(
    select id from repositories
    where name = any(${[...actor.closedRepositories]}::text[]) and id <> all(${lookedAfter(actor)}::integer[]))`;
  return [sql<boolean>`(${repositoryId} is null or ${repositoryId} <> all(${closed}))`];
}
