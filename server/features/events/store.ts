import {
  type ChangedProperty,
  type eventList,
  eventType,
  type ResourceType,
  resourceTypeFilter,
} from "@packhouse/contract/events";
import type { FilterValues, ListQuery } from "@packhouse/contract/list-contract";
import type { UserRef } from "@packhouse/contract/references";
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Actor } from "../../http/actor.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { type Found, forcedEmpty } from "../../platform/db/pages/found.ts";
import {
  appliedBy,
  conditionsOf,
  type FilterConditions,
  folded,
  pagedList,
  type RowOf,
  rowCount,
} from "../../platform/db/pages/page.ts";
import { userRef } from "../../platform/db/pages/user-ref.ts";
import type { Database, EventRow } from "../../platform/db/schema.ts";
import { cutObjects, shortText, smallObject, textLimit } from "../../platform/db/short-texts.ts";
import { type Cursor, isAfter } from "./cursor-store.ts";
import { eventColumns } from "./event-columns-store.ts";
import { stableCounts } from "./event-count-store.ts";
import { type Countable, type EventFlags, visibility } from "./visibility-store.ts";

export interface Event extends EventRow {
  user: UserRef;
}

const { columns, gathered, ownFilters, findsNothing } = eventColumns("events", {
  types: eventType,
  resources: resourceTypeFilter,
});

type Query = SelectQueryBuilder<Database, "events", object>;

// The author is looked up only for the rows of the page, not for all that are counted.
const author = sql<UserRef>`(select ${userRef("users")} from users where users.id = events.user_id)`;
const select = (query: Query) => query.selectAll("events").select(author.as("user"));

const selectListed = (query: Query, pageSize: number) => {
  const long = { texts: ["events.description"], objects: ["events.changed_properties"] };
  const limit = textLimit(long, pageSize);
  return query
    .select(["events.id", "events.occurred_on", "events.user_id", "events.event_type", "events.resource_type"])
    .select(["events.resource_id", "events.technology", "events.repository_id", "events.package_id"])
    .select(["events.package_name", "events.purged"])
    .select([
      limit.as("text_limit"),
      shortText<string>("events.description", limit).as("description"),
      smallObject<ChangedProperty[]>("events.changed_properties").as("changed_properties"),
      author.as("user"),
    ]);
};

const list = { tables: (db: Db | Tx) => db.selectFrom("events"), id: columns.id, select: selectListed };
const page = pagedList<typeof eventList, "events", RowOf<typeof selectListed>>({ ...list, columns });
const gatheredPage = pagedList<typeof eventList, "events", RowOf<typeof selectListed>>({ ...list, columns: gathered });

export function events(db: Db) {
  const count = stableCounts(db, "events");
  return {
    async find({ filters, ...query }: ListQuery<typeof eventList>, actor: Actor): Promise<Found<Event>> {
      if (findsNothing(filters)) return forcedEmpty();
      const visible = visibility(actor, filters);
      const named = conditionsOf(relatedFilters, filters).length > 0;
      const own = conditionsOf<typeof eventList>(ownFilters, filters);
      const { countable } = visible;
      const allFilters = { ...ownFilters, ...relatedFilters };
      const countVisible = async ({ key, condition, except }: Countable) => {
        const hiddenRows = { tables: list.tables(db), filters: allFilters };
        const excepted = except && rowCount({ ...hiddenRows, conditions: [except, ...visible.byEvent] }, filters);
        const [all, hidden] = await Promise.all([
          count(JSON.stringify([key, filters]), [condition, ...visible.byEvent, ...own]),
          excepted?.executeTakeFirstOrThrow(),
        ]);
        return all - (hidden?.count ?? 0);
      };
      const asked = {
        db,
        query: { filters, ...query },
        filters: allFilters,
        conditions: [...visible.byActor, ...visible.byEvent],
        count: countable && !named ? () => countVisible(countable) : undefined,
      };
      const found = await (named || visible.byActor.length > 1 ? gatheredPage : page)(asked);
      const limit = found.rows[0]?.text_limit;
      const large = await cutObjects<ChangedProperty[]>(db, "events.changed_properties", {
        ids: found.rows.filter((row) => row.changed_properties === null).map(({ id }) => id),
        limit: limit ?? 0,
      });
      const whole = found.rows.map((row) => ({
        ...row,
        changed_properties: row.changed_properties ?? large.get(row.id) ?? [],
      }));
      return { ...found, rows: whole, textLimit: limit };
    },

    /** The next events after a cursor that the list would show, newest first. */
    async part(
      filters: FilterValues<typeof eventList>,
      actor: Actor,
      { after, size }: { after: Cursor | undefined; size: number },
    ): Promise<(Event & { cursor: string })[]> {
      if (findsNothing(filters)) return [];
      const visible = visibility(actor, filters);
      const conditions = [
        ...visible.byActor,
        ...visible.byEvent,
        ...conditionsOf<typeof eventList>({ ...ownFilters, ...relatedFilters }, filters),
        ...(after ? [isAfter("events", after)] : []),
      ];
      return select(db.selectFrom("events"))
        .select(sql<string>`events.occurred_on::text`.as("cursor"))
        .where((where) => where.and(conditions))
        .orderBy("occurred_on", "desc")
        .orderBy("id")
        .limit(size)
        .execute();
    },

    /** Undefined for an event that the list would not show the same caller with the same flags. */
    byId(id: number, actor: Actor, flags: EventFlags): Promise<Event | undefined> {
      const { byActor, byEvent } = visibility(actor, flags);
      return select(db.selectFrom("events"))
        .where("events.id", "=", id)
        .where((where) => where.and([...byActor, ...byEvent]))
        .executeTakeFirst();
    },
  };
}

/**
 * Filters on author and resource, by names that may change. They too use only columns of events, so that their indexes
 * apply: other tables give arrays of ids.
 */
const relatedFilters: Omit<FilterConditions<typeof eventList>, keyof typeof ownFilters> = {
  userName: (given) => {
    const names = given.map((name) => name.toLowerCase());
    return sql`events.user_id = any(array(
      select id from users where ${folded("name")} = any(${names}) or ${folded("login")} = any(${names})))`;
  },
  packageName: (names, { packageVersion }) => aboutPackages(names, packageVersion),
  packageVersion: appliedBy("packageName"),
  repositoryName: (names, { packageName }) => {
    const ofRepository = sql<boolean>`events.repository_id = any(array(
      select id from repositories where name = any(${names})))`;
    // For a repository alone, its own history is asked for, not the review of uploads.
    return packageName ? ofRepository : sql`${ofRepository} and events.resource_type <> 'SUBMISSION'`;
  },
  address: appliedBy("security events"),
  purged: appliedBy("visibility"),
  security: appliedBy("the route, which chooses the store"),
};

/** Packages, submissions and package maintainers by the exact name; versions narrow the first two. */
function aboutPackages(names: readonly string[], versions: readonly string[] | undefined): RawBuilder<boolean> {
  const version = versions ? sql`and packages.version = any(${versions})` : sql``;
  const about = (type: ResourceType, ids: RawBuilder<unknown>) =>
    sql`(events.resource_type = ${type} and events.resource_id = any(array(${ids})))`;
  return sql`(${sql.join(
    [
      about("PACKAGE", sql`select id from packages where name = any(${names}) ${version}`),
      about(
        "SUBMISSION",
        sql`select submissions.id from submissions join packages on packages.id = submissions.package_id
          where packages.name = any(${names}) ${version}`,
      ),
      about("PACKAGE_MAINTAINER", sql`select id from package_maintainers where package_name = any(${names})`),
    ],
    sql` or `,
  )})`;
}
