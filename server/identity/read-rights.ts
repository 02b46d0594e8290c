import { type RoleName, rankOf } from "@packhouse/contract/roles";
import type { Actor } from "../http/actor.ts";
import type { Settings } from "../platform/settings/settings.ts";

/** A restricted repository: users with this role or a higher one, and members of the groups, may read it. */
export interface ReadRight {
  repository: string;
  role?: RoleName | undefined;
  groups: readonly string[];
}

export const hasReadRight = (settings: Settings, repository: string): boolean =>
  settings.readRights.some((right) => right.repository === repository);

/** Names of the repositories that a user's role and groups do not let them read. */
export function closedTo(settings: Settings, rank: number, groups: readonly string[]): string[] {
  if (rank === rankOf("admin")) return [];
  const opens = (right: ReadRight) =>
    (right.role !== undefined && rank >= rankOf(right.role)) || right.groups.some((group) => groups.includes(group));
  const open = new Set(settings.readRights.filter(opens).map(({ repository }) => repository));
  return settings.readRights.map(({ repository }) => repository).filter((name) => !open.has(name));
}

/** Maintainers of a repository, or of a package in it, may read it regardless of role and groups. */
export const lookedAfter = (actor: Actor): number[] => [
  ...actor.maintainedRepositories,
  ...[...actor.maintainedPackages].map((key) => Number(key.split("/")[0])),
];

/** Whether a user may read a repository and its contents: files, details, lists, events. */
export const mayReadRepository = (actor: Actor, { id, name }: { id: number; name: string }): boolean =>
  !actor.closedRepositories.includes(name) || lookedAfter(actor).includes(id);
