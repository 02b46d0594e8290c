import { type RoleName, rankOf } from "@packhouse/contract/roles";
import type { Actor } from "../http/actor.ts";
import type { Settings } from "../platform/settings/settings.ts";

/** A repository that is not for everybody: people of the role or a higher one may read it, and members of the groups. */
export interface ReadRight {
  repository: string;
  role?: RoleName | undefined;
  groups: readonly string[];
}

export const hasReadRight = (settings: Settings, repository: string): boolean =>
  settings.readRights.some((right) => right.repository === repository);

/** Names of the repositories that are closed to somebody by his role and his groups. */
export function closedTo(settings: Settings, rank: number, groups: readonly string[]): string[] {
  if (rank === rankOf("admin")) return [];
  const opens = (right: ReadRight) =>
    (right.role !== undefined && rank >= rankOf(right.role)) || right.groups.some((group) => groups.includes(group));
  const open = new Set(settings.readRights.filter(opens).map(({ repository }) => repository));
  return settings.readRights.map(({ repository }) => repository).filter((name) => !open.has(name));
}

/** Whoever looks after a repository, or after a package in it, reads it whatever his role and groups. */
export const lookedAfter = (actor: Actor): number[] => [
  ...actor.maintainedRepositories,
  ...[...actor.maintainedPackages].map((key) => Number(key.split("/")[0])),
];

/** Whether somebody may read a repository and what is in it: files, details, lists, events. */
export const mayReadRepository = (actor: Actor, { id, name }: { id: number; name: string }): boolean =>
  !actor.closedRepositories.includes(name) || lookedAfter(actor).includes(id);
