import { type RoleName, rankOf } from "@packhouse/contract/roles";
import { type RawBuilder, sql } from "kysely";
import type { Actor } from "../http/actor.ts";
import type { Db } from "../platform/db/database.ts";
import type { Settings } from "../platform/settings/settings.ts";

/** A repository that is not for everybody: people of the role or a higher one may read it, and members of the groups. */
export interface ReadRight {
  repository: string;
  role?: RoleName | undefined;
  groups: readonly string[];
}

export const hasReadRight = (settings: Settings, repository: string): boolean =>
  settings.readRights.some((right) => right.repository === repository);

/** Names with read rights that no repository has: misspelled ones would leave theirs open without a word. */
export async function namesOfNoRepository(db: Db, settings: Settings): Promise<string[]> {
  const names = settings.readRights.map(({ repository }) => repository);
  if (names.length === 0) return [];
  const found = await db.selectFrom("repositories").select("name").where("name", "in", names).execute();
  return names.filter((name) => !found.some((row) => row.name === name));
}

/** Names of the repositories that are closed to somebody by his role and his groups. */
export function closedTo(settings: Settings, rank: number, groups: readonly string[]): string[] {
  if (rank === rankOf("admin")) return [];
  const opens = (right: ReadRight) =>
    (right.role !== undefined && rank >= rankOf(right.role)) || right.groups.some((group) => groups.includes(group));
  const open = new Set(settings.readRights.filter(opens).map(({ repository }) => repository));
  return settings.readRights.map(({ repository }) => repository).filter((name) => !open.has(name));
}

/** Whoever looks after a repository, or after a package in it, reads it whatever his role and groups. */
const lookedAfter = (actor: Actor): number[] => [
  ...actor.maintainedRepositories,
  ...[...actor.maintainedPackages].map((key) => Number(key.split("/")[0])),
];

/** Whether somebody may read a repository and what is in it: files, details, lists, events. */
export const mayReadRepository = (actor: Actor, { id, name }: { id: number; name: string }): boolean =>
  !actor.closedRepositories.includes(name) || lookedAfter(actor).includes(id);

/** The same as a condition on a column with a repository's id; none where every repository is open to the person. */
export function readable(actor: Actor, repositoryId: RawBuilder<unknown>): RawBuilder<boolean>[] {
  if (actor.closedRepositories.length === 0) return [];
  const closed = sql`array(
    select id from repositories
    where name = any(${[...actor.closedRepositories]}::text[]) and id <> all(${lookedAfter(actor)}::integer[]))`;
  return [sql<boolean>`(${repositoryId} is null or ${repositoryId} <> all(${closed}))`];
}
