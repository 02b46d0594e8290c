import type { EventItem, eventList } from "@packhouse/contract/events";
import { eventType, resourceTypeFilter } from "@packhouse/contract/events";
import type { ListQuery } from "@packhouse/contract/list-contract";
import type { UserRef } from "@packhouse/contract/references";
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Db } from "../db/database.ts";
import { findPage, type SortColumns } from "../db/page.ts";
import type { Database, EventRow } from "../db/schema.ts";
import { type Found, forcedEmpty } from "../http/list-query.ts";
import type { Actor } from "../sign-in/actor.ts";
import { userRef } from "../users/user-ref.ts";

export interface Event extends EventRow {
  user: UserRef;
}

const columns: SortColumns<typeof eventList> = { id: sql`events.id`, time: sql`events.occurred_on` };

type Query = SelectQueryBuilder<Database, "events" | "users", object>;
const joined = (db: Db): Query => db.selectFrom("events").innerJoin("users", "users.id", "events.user_id");
const select = (query: Query) => query.selectAll("events").select(userRef("users").as("user"));

const resourceTypes = new Map<string, EventItem["resourceType"]>(
  Object.entries(resourceTypeFilter).map(([type, filter]) => [filter, type as EventItem["resourceType"]]),
);

/** One's own events; beside them what happened in the repositories or to the packages that one maintains. */
function visibleTo(actor: Actor): RawBuilder<boolean> {
  const own = sql<boolean>`events.user_id = ${actor.id}`;
  if (actor.role === "admin") return sql<boolean>`true`;
  if (actor.role === "repositorymaintainer")
    return sql<boolean>`(${own} or events.repository_id = any(${[...actor.maintainedRepositories]}::integer[]))`;
  if (actor.role === "packagemaintainer")
    return sql<boolean>`(${own} or events.repository_id || '/' || events.package_name = any(${[...actor.maintainedPackages]}::text[]))`;
  return own;
}

export function events(db: Db) {
  return {
    async find(query: ListQuery<typeof eventList>, actor: Actor): Promise<Found<Event>> {
      const { filters } = query;
      const types = filters.eventType?.filter((type) => eventType.safeParse(type).success);
      const resources = filters.resourceType?.flatMap((type) => resourceTypes.get(type) ?? []);
      // A type that does not exist empties the list, whatever stands beside it.
      if (types?.length !== filters.eventType?.length || resources?.length !== filters.resourceType?.length)
        return forcedEmpty();

      const conditions: RawBuilder<boolean>[] = [visibleTo(actor)];
      if (!(filters.purged && actor.role === "admin")) conditions.push(sql<boolean>`not events.purged`);
      if (filters.technology) conditions.push(sql<boolean>`events.technology = any(${filters.technology})`);
      if (types) conditions.push(sql<boolean>`events.event_type = any(${types})`);
      if (resources) conditions.push(sql<boolean>`events.resource_type = any(${resources})`);
      if (filters.fromDate) conditions.push(sql<boolean>`events.occurred_on >= ${filters.fromDate}`);
      if (filters.toDate) conditions.push(sql<boolean>`events.occurred_on <= ${filters.toDate}`);
      if (filters.userName) {
        const names = filters.userName.map((name) => name.toLowerCase());
        conditions.push(sql<boolean>`(lower(users.name) = any(${names}) or lower(users.login) = any(${names}))`);
      }
      if (filters.repositoryName)
        conditions.push(
          sql<boolean>`events.repository_id in (select id from repositories where name = any(${filters.repositoryName}))`,
        );
      if (filters.packageName) {
        const versions = filters.packageVersion;
        const matching = versions
          ? sql`select id from packages where name = any(${filters.packageName}) and version = any(${versions})`
          : sql`select id from packages where name = any(${filters.packageName})`;
        const maintainers = sql`events.resource_type = 'PACKAGE_MAINTAINER' and events.resource_id in (select id from package_maintainers where package_name = any(${filters.packageName}))`;
        conditions.push(sql<boolean>`(events.package_id in (${matching}) or (${maintainers}))`);
      }
      const filtered = conditions.reduce((filtered, condition) => filtered.where(condition), joined(db));
      return findPage(filtered, select, query, columns, columns.id);
    },

    byId: (id: number): Promise<Event | undefined> => select(joined(db)).where("events.id", "=", id).executeTakeFirst(),
  };
}
