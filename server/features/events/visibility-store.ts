import { resourceTypeFilter } from "@packhouse/contract/events";
import { may } from "@packhouse/contract/permissions";
import { type RawBuilder, sql } from "kysely";
import type { Actor } from "../../http/actor.ts";
import { readable } from "../../identity/read-right-store.ts";

/** What a caller asks to see in addition to what everyone with the same role sees. */
export interface EventFlags {
  /** Events of purged records; only for administrators. */
  purged?: boolean | undefined;
}

/** The part of a list's filters that its visibility depends on. */
interface AskedEvents extends EventFlags {
  /** What the events are about, by the names of the filter; everything unless given. */
  resourceType?: readonly string[] | undefined;
}

/**
 * The one predicate that decides which events a caller sees. The list, its counts, single events and the export all use
 * it, so that none of them shows what another one hides.
 */
export interface Visibility {
  /** Conditions on who the caller is and on what the caller maintains now. */
  byActor: RawBuilder<boolean>[];
  /** Conditions on the event's own columns. */
  byEvent: RawBuilder<boolean>[];
  /** How to count them; undefined if that takes `byActor`, which depends on more than events. */
  countable: Countable | undefined;
}

/** Visible events as those that fulfill a condition on columns that never change, without a few others. */
export interface Countable {
  /** Identifies the condition. */
  key: string;
  condition: RawBuilder<boolean>;
  /** Of those, the ones that are not visible now. */
  except?: RawBuilder<boolean>;
}

export function visibility(actor: Actor, asked: AskedEvents): Visibility {
  const closed = readable(actor, sql`events.repository_id`);
  const showPurged = asked.purged === true && may("seeDeleted", actor);
  const { resourceType: about = [resourceTypeFilter.PACKAGE] } = asked;
  const packages = about.includes(resourceTypeFilter.PACKAGE);
  return {
    byActor: [visibleTo(actor, packages), ...closed],
    byEvent: showPurged ? [] : [sql<boolean>`not events.purged`],
    countable: closed.length === 0 ? countable(actor, packages) : undefined,
  };
}

/** Security events are for administrators; other users see those about their own account. */
export function securityVisibility(actor: Actor): Pick<Visibility, "byActor"> & { unrestricted: boolean } {
  const closed = readable(actor, sql`security_events.repository_id`);
  if (actor.role === "admin") return { byActor: closed, unrestricted: closed.length === 0 };
  const own = sql<boolean>`(security_events.user_id = ${actor.id} or security_events.account_id = ${actor.id})`;
  return { byActor: [own, ...closed], unrestricted: false };
}

/** Administrators see every address; others see those of their own events and of events without an author. */
export const maySeeAddress = (actor: Actor, event: { user_id: number | null }): boolean =>
  actor.role === "admin" || event.user_id === null || event.user_id === actor.id;

/** The same as a condition. */
export const seesAddress = (actor: Actor): RawBuilder<boolean> =>
  actor.role === "admin"
    ? sql<boolean>`true`
    : sql<boolean>`(security_events.user_id is null or security_events.user_id = ${actor.id})`;

const causedBy = (actor: Actor) => sql<boolean>`events.user_id = ${actor.id}`;

/**
 * Events by role: those that the caller caused, and what happened to what the caller maintains. Each part is a condition
 * on one index of the events; a caller who maintains nothing is left with what they did. The lowest role may not read
 * other people's accounts, so it does not see events about them either, not even those from a time with a higher role.
 * `packages`: whether events about packages in the caller's repositories are asked for; otherwise they are left out.
 */
export function visibleTo(actor: Actor, packages = true): RawBuilder<boolean> {
  const own = causedBy(actor);
  switch (actor.role) {
    case "admin":
      return sql<boolean>`true`;
    case "repositorymaintainer":
      return sql<boolean>`(${own} or ${inRepositories([...actor.maintainedRepositories], packages)})`;
    case "packagemaintainer":
      return sql<boolean>`(${own} or ${aboutMaintained(actor.id)})`;
    case "user":
      return sql<boolean>`(${own} and (events.resource_type <> 'USER' or events.resource_id = ${actor.id}))`;
  }
}

/** The same, for counts. What a package maintainer sees depends on packages throughout. */
function countable(actor: Actor, packages: boolean): Countable | undefined {
  switch (actor.role) {
    case "admin":
      return { key: "all", condition: sql<boolean>`true` };
    case "repositorymaintainer": {
      const ids = [...actor.maintainedRepositories];
      const there = sql`events.repository_id = any(${ids}::integer[])`;
      const own = causedBy(actor);
      const key = `${actor.id}, and ${packages ? "all" : "other than packages"} in ${ids.toSorted((a, b) => a - b)}`;
      if (!packages) return { key, condition: visibleTo(actor, false) };
      return {
        key,
        condition: sql<boolean>`(${own} or ${there})`,
        except: sql<boolean>`(not ${own} and ${there} and events.resource_type = 'PACKAGE' and events.resource_id = any(array(
          select id from packages where repository_id = any(${ids}::integer[]) and deleted)))`,
      };
    }
    case "packagemaintainer":
      return undefined;
    case "user":
      return { key: `${actor.id}`, condition: visibleTo(actor) };
  }
}

/**
 * What happened in repositories, their deleted packages left out. Where packages are not asked for, none is looked up:
 * PostgreSQL overrates what that costs, and reads all events of the kind instead of those of the repositories.
 */
const inRepositories = (ids: readonly number[], packages: boolean) => sql`(
  events.repository_id = any(${ids}::integer[])
  and (events.resource_type <> 'PACKAGE' ${packages ? orLive : sql``}))`;
const orLive = sql`or exists (select from packages where packages.id = events.resource_id and not packages.deleted)`;

/**
 * A user's package maintainer records, deleted ones too, and what their live ones cover: live packages, and the
 * submissions of those.
 */
const aboutMaintained = (userId: number) => {
  const covered = sql`
    packages join package_maintainers on package_maintainers.repository_id = packages.repository_id
      and package_maintainers.normalized_name = packages.normalized_name
    where package_maintainers.user_id = ${userId} and not package_maintainers.deleted and not packages.deleted`;
  return sql`(
    events.resource_type = 'PACKAGE_MAINTAINER' and events.resource_id = any(array(
      select id from package_maintainers where user_id = ${userId}))
    or events.resource_type = 'PACKAGE' and events.resource_id = any(array(select packages.id from ${covered}))
    or events.resource_type = 'SUBMISSION' and events.resource_id = any(array(
      select id from submissions where package_id in (select packages.id from ${covered}))))`;
};
