import { type RawBuilder, sql } from "kysely";
import type { Actor } from "../sign-in/actor.ts";

/**
 * Which events of the list somebody sees: his own, and what happened to what he maintains. Each part is a condition on
 * one index of the events; who maintains nothing is left with his own.
 */
export function visibleTo(actor: Actor): RawBuilder<boolean> {
  const own = sql<boolean>`events.user_id = ${actor.id}`;
  switch (actor.role) {
    case "admin":
      return sql<boolean>`true`;
    case "repositorymaintainer":
      return sql<boolean>`(${own} or ${inRepositories([...actor.maintainedRepositories])})`;
    case "packagemaintainer":
      return sql<boolean>`(${own} or ${aboutMaintained(actor.id)})`;
    case "user":
      return own;
  }
}

/** What happened in repositories, their deleted packages left out. */
const inRepositories = (ids: readonly number[]) => sql`(
  events.repository_id = any(${ids}::integer[])
  and (events.resource_type <> 'PACKAGE'
    or exists (select from packages where packages.id = events.resource_id and not packages.deleted)))`;

/** Somebody's records of a package maintainer, the live packages that they cover, and the submissions of those. */
const aboutMaintained = (userId: number) => {
  const covered = sql`
    packages join package_maintainers on package_maintainers.repository_id = packages.repository_id
      and package_maintainers.normalized_name = packages.normalized_name
    where package_maintainers.user_id = ${userId} and not package_maintainers.deleted and not packages.deleted`;
  return sql`(
    events.resource_type = 'PACKAGE_MAINTAINER' and events.resource_id = any(array(
      select id from package_maintainers where user_id = ${userId} and not deleted))
    or events.resource_type = 'PACKAGE' and events.resource_id = any(array(select packages.id from ${covered}))
    or events.resource_type = 'SUBMISSION' and events.resource_id = any(array(
      select id from submissions where package_id in (select packages.id from ${covered}))))`;
};
